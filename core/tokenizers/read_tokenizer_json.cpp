#include <fmt/format.h>

#include "core/io/nesting.h"
#include "core/io/safe_text.h"
#include "core/tokenizers/processors.h"
#include "core/tokenizers/readers.h"

namespace attn::tokenizing {

namespace {

constexpr std::size_t kMostBytes = std::size_t{128} << 20;
constexpr std::size_t kMostValues = 4'000'000;
constexpr std::size_t kLongestAdded = 4'096;  // bytes

std::vector<AddedToken> read_added(const JsonPart& root) {
    std::vector<AddedToken> out;
    if (!root.has("added_tokens")) return out;
    for (const JsonPart& part : root.list("added_tokens")) {
        AddedToken token;
        token.content = part.text("content");
        token.id = static_cast<int>(part.whole("id", 0, kLargestId));
        token.special = part.flag("special", false);
        token.single_word = part.flag("single_word", false);
        token.lstrip = part.flag("lstrip", false);
        token.rstrip = part.flag("rstrip", false);
        token.normalized = part.flag("normalized", !token.special);
        if (token.content.empty() || token.content.size() > kLongestAdded)
            part.wrong("content", fmt::format("an added token has 1 to {} bytes", kLongestAdded));
        if (root.fault().error) return out;
        out.push_back(std::move(token));
    }
    return out;
}

/// Searches normalizer, pre-tokenizer and decoder for how tokens are spelled.
void find_spelling(const JsonValue& value, Spelling& out) {
    const auto text = [](const JsonValue* v) {
        return v && v->kind == JsonKind::String ? std::string_view(v->string) : std::string_view();
    };
    const std::string_view type = text(value.find("type"));
    if (type == "ByteLevel") out.byte_letters = true;
    if (type == "Metaspace") out.space = value.find("replacement") ? text(value.find("replacement")) : "\u2581";
    if (type == "Replace") {
        const JsonValue* pattern = value.find("pattern");
        const std::string_view from = pattern ? text(pattern->find("String")) : std::string_view();
        const std::string_view to = text(value.find("content"));
        if (from == " " && to == "\u2581") out.space = to;
        if (to == " " && from == "\u2581") out.space = from;
    }
    if (type == "ByteFallback") out.byte_tokens = true;
    for (const auto* list : {"normalizers", "pretokenizers", "decoders"})
        if (const JsonValue* items = value.find(list))
            for (const JsonValue& item : items->items) find_spelling(item, out);
}

/// The settings that tokenizer_config.json may override.
Said find_said(const JsonPart& root) {
    Said out;
    const auto flag_of = [&](const char* part, std::string_view type, const char* key) -> std::optional<bool> {
        const JsonValue* const at = root.value().find(part);
        const JsonValue* const kind = at && at->kind == JsonKind::Object ? at->find("type") : nullptr;
        const JsonValue* const value = kind && kind->string == type ? at->find(key) : nullptr;
        return value && value->kind == JsonKind::Boolean ? std::optional(value->boolean) : std::nullopt;
    };
    out.lowercase = flag_of("normalizer", "BertNormalizer", "lowercase");
    out.strip_accents = flag_of("normalizer", "BertNormalizer", "strip_accents");
    out.han_apart = flag_of("normalizer", "BertNormalizer", "handle_chinese_chars");
    out.add_space = flag_of("pre_tokenizer", "ByteLevel", "add_prefix_space");
    return out;
}

/// Notes members that were not read and may change ids. Excluded are those about turning ids back into text, and
/// truncation and padding, which the published library applies only on request.
void tell_unread(const JsonPart& root, std::vector<std::string>& notes) {
    for (const char* const harmless : {"version", "truncation", "padding", "decoder", "post_processor", "added_tokens"}) root.has(harmless);
    for (const std::string& path : root.unread()) {
        const auto begins = [&](std::string_view part) { return path.starts_with(part); };
        if (begins("decoder.") || begins("post_processor.") || begins("added_tokens[") || path.ends_with(".trim_offsets") || path.ends_with(".str_rep")) continue;
        notes.push_back(fmt::format("tokenizer.json: {} is not followed", visible_text(path)));
    }
}

/// Reads the root of a file into a pipeline, part by part.
void read_parts(const JsonPart& root, const TokenizerConfig& config, Pipeline& out) {
    if (root.value().kind != JsonKind::Object) {
        root.wrong(fmt::format("an object is expected, not {}", kind_name(root.value().kind)));
        return;
    }
    Fault& fault = root.fault();
    ReadModel model = read_model_part(root.part("model"));
    if (fault.error) return;
    TokenList added(read_added(root));
    added.add_numbered(config);
    added.add_special(config, nullptr, *model.vocabulary);
    if (root.has("normalizer")) out.normalizer = read_normalizer(root.part("normalizer"));
    if (root.has("pre_tokenizer")) out.pre_tokenizer = read_pre_tokenizer(root.part("pre_tokenizer"));
    if (root.has("decoder")) out.decoder = read_decoder(root.part("decoder"));
    if (fault.error) return;
    out.model = std::move(model.model);
    if (auto error = finish_pipeline(out, *model.vocabulary, added.take(), fault.where)) {
        fault.error = std::move(error);
        return;
    }
    if (root.has("post_processor"))
        out.around = read_processor(root.part("post_processor"), *out.vocabulary);
    out.spelling.byte_tokens = model.byte_tokens;
    out.spelling.prefix = std::move(model.prefix);
    out.spelling.suffix = std::move(model.suffix);
    for (const auto* key : {"normalizer", "pre_tokenizer", "decoder"})
        if (root.has(key)) find_spelling(root.part(key).value(), out.spelling);
    out.said = find_said(root);
    tell_unread(root, out.notes);
}

}  // namespace

Result<JsonValue> parse_large(const std::string& bytes, const std::string& where) {
    auto root = parse_json(bytes, {.max_bytes = kMostBytes, .max_values = kMostValues});
    if (root) return root;
    Error error = root.error();
    error.where = where;
    return error;
}

std::optional<Error> finish_pipeline(Pipeline& pipeline, const Vocabulary& own, std::vector<AddedToken> added,
                                     const std::string& where) {
    auto all = std::make_shared<Vocabulary>(own);
    std::unordered_map<int, std::size_t> seen;
    for (std::size_t i = 0; i < added.size(); ++i) {
        const auto [at, fresh] = seen.try_emplace(added[i].id, i);
        if (!fresh && added[at->second].content != added[i].content)
            return Error{fmt::format("{} has the id {}, which {} has, too", in_quotes(added[i].content), added[i].id,
                                     in_quotes(added[at->second].content)),
                         where, fmt::format("added_tokens[{}]", i), 0};
        if (auto problem = all->rename(added[i].content, added[i].id))
            return Error{*problem, where, fmt::format("added_tokens[{}]", i), 0};
    }
    pipeline.vocabulary = std::move(all);
    auto made = AddedTokens::make(std::move(added), pipeline.normalizer);
    if (!made) {
        Error error = made.error();
        error.where = where;
        error.key = "added_tokens";
        return error;
    }
    pipeline.added = std::move(*made);
    return std::nullopt;
}

Result<PipelinePtr> read_tokenizer_json(const TokenizerFiles& files, const TokenizerConfig& config) {
    const std::string where = place_of(files, "tokenizer.json");
    const auto root = parse_large(files.tokenizer_json, where);
    if (!root) return root.error();
    Fault fault{where};
    auto out = std::make_unique<Pipeline>();
    read_parts(JsonPart(*root, "", fault), config, *out);
    if (fault.error) return *fault.error;
    return out;
}

}  // namespace attn::tokenizing
