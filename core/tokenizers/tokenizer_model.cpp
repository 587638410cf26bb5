#include "core/tokenizers/tokenizer_model.h"

#include <fmt/format.h>

#include "core/tokenizers/pipeline.h"

namespace attn {

namespace {

constexpr std::size_t kMostText = std::size_t{64} << 20;  // bytes

tokenizing::Span span_of_end(std::size_t at) { return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at)}; }

/// The tokens of one text while they are made, with the bytes of each.
class Encoding {
public:
    Encoding(const tokenizing::Pipeline& pipeline, std::vector<ModelToken>& out) : pipeline_(pipeline), out_(out) {}

    void add(int id, tokenizing::Span span, bool unknown = false) {
        const tokenizing::AddedToken* const added = pipeline_.added.find(id);
        ModelToken piece;
        piece.id = id;
        piece.spelling = pipeline_.vocabulary->token(id);
        piece.begin = span.begin;
        piece.end = span.end;
        piece.special = added && added->special;
        piece.unknown = unknown;
        out_.push_back(std::move(piece));
        bytes_.push_back(tokenizing::bytes_of(pipeline_, id));
    }

    Result<Done> cut(const tokenizing::Chunk& chunk) {
        std::vector<tokenizing::Cut> cuts;
        if (auto done = pipeline_.model->cut(chunk.text.text, cuts); !done) return done.error();
        for (const tokenizing::Cut& cut : cuts) add(cut.id, chunk.text.span(cut.begin, cut.end), cut.unknown);
        return Done{};
    }

    void finish() { tokenizing::tell_parts(out_, bytes_); }

private:
    const tokenizing::Pipeline& pipeline_;
    std::vector<ModelToken>& out_;
    std::vector<std::string> bytes_;
};

}  // namespace

TokenizerModel::TokenizerModel(std::unique_ptr<const tokenizing::Pipeline> pipeline, std::string file)
    : pipeline_(std::move(pipeline)), file_(std::move(file)) {}
TokenizerModel::~TokenizerModel() = default;

Result<std::vector<ModelToken>> TokenizerModel::encode(std::string_view text, bool with_special) const {
    if (!with_special) return between(text, {}, {});
    return between(text, pipeline_->around.before, pipeline_->around.after);
}

Result<std::vector<ModelToken>> TokenizerModel::encode_beside(std::string_view second) const {
    const auto& beside = pipeline_->around.beside;
    if (!beside)
        return Error{"the tokenizer does not say how a second text is put behind the first, in a way that is computed here: the first as it "
                     "stands alone (segment 0), then the second, all of one segment", "", "", 0};
    auto out = between(second, beside->before, beside->after);
    if (!out) return out;
    for (ModelToken& token : *out) token.segment = beside->segment;
    return out;
}

Result<std::vector<ModelToken>> TokenizerModel::between(std::string_view text, std::span<const int> before, std::span<const int> after) const {
    if (text.size() > kMostText)
        return Error{fmt::format("the text has {} bytes; at most {} are cut", text.size(), kMostText), "", "", 0};
    tokenizing::Effort effort(text.size());
    auto chunks = pipeline_->added.split(tokenizing::align(text), pipeline_->take_first, pipeline_->normalizer, effort);
    if (!chunks) return chunks.error();
    if (auto done = pipeline_->pre_tokenizer(*chunks, effort); !done) return done.error();
    std::vector<ModelToken> out;
    Encoding encoding(*pipeline_, out);
    for (const int id : before) encoding.add(id, span_of_end(0));
    for (const tokenizing::Chunk& chunk : *chunks) {
        if (chunk.text.empty()) continue;
        if (chunk.id >= 0)
            encoding.add(chunk.id, chunk.text.span(0, chunk.text.text.size()), chunk.unknown);
        else if (auto done = encoding.cut(chunk); !done)
            return done.error();
    }
    for (const int id : after) encoding.add(id, span_of_end(text.size()));
    encoding.finish();
    return out;
}

std::string TokenizerModel::decode(std::span<const int> ids) const {
    std::vector<std::string> texts;
    for (const int id : ids)
        if (pipeline_->vocabulary->has(id) && !is_special(id)) texts.emplace_back(pipeline_->vocabulary->token(id));
    pipeline_->decoder(texts);
    std::string out;
    for (const std::string& text : texts) out += text;
    return clean_utf8(out).text;
}

int TokenizerModel::size() const { return pipeline_->vocabulary->size(); }

std::optional<int> TokenizerModel::id_of(std::string_view token) const { return pipeline_->vocabulary->find(token); }

std::string TokenizerModel::token(int id) const { return std::string(pipeline_->vocabulary->token(id)); }

std::string TokenizerModel::token_text(int id) const {
    return pipeline_->vocabulary->has(id) ? tokenizing::text_or_hex(tokenizing::bytes_of(*pipeline_, id)) : std::string();
}

bool TokenizerModel::is_special(int id) const {
    const tokenizing::AddedToken* const added = pipeline_->added.find(id);
    return added && added->special;
}

std::optional<int> TokenizerModel::source_language() const { return pipeline_->source_language; }
bool TokenizerModel::language_in_front() const { return pipeline_->language_in_front; }
const std::vector<std::string>& TokenizerModel::notes() const { return pipeline_->notes; }

std::optional<int> TokenizerModel::special_id(std::string_view role) const {
    const auto found = pipeline_->roles.find(role);
    return found == pipeline_->roles.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace attn
