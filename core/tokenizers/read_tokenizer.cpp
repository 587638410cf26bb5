#include <fmt/format.h>

#include <array>

#include "core/io/safe_text.h"
#include "core/tokenizers/readers.h"

namespace attn {

namespace pieces {

namespace {

constexpr std::array kRoles = {"bos", "eos", "unk", "sep", "pad", "cls", "mask"};

/// "<s>", or {"content": "<s>", …}
std::optional<std::string> token_content(const JsonPart& root, const std::string& key) {
    const JsonValue* value = root.value().find(key);
    if (!value) return std::nullopt;
    if (value->kind == JsonKind::String) return value->string;
    const JsonValue* content = value->kind == JsonKind::Object ? value->find("content") : nullptr;
    return content && content->kind == JsonKind::String ? std::optional(content->string) : std::nullopt;
}

std::optional<bool> maybe_flag(const JsonPart& root, std::string_view key) {
    const JsonValue* value = root.value().find(key);
    return value && value->kind == JsonKind::Boolean ? std::optional(value->boolean) : std::nullopt;
}

void read_added_decoder(const JsonPart& root, std::vector<AddedToken>& out) {
    if (!root.has("added_tokens_decoder")) return;
    const JsonPart all = root.part("added_tokens_decoder");
    for (const JsonMember& member : all.value().members) {
        const JsonPart part(member.value, all.path() + "." + member.key, all.fault());
        AddedToken token;
        const std::string_view digits = member.key;
        const bool number =
            !digits.empty() && digits.size() <= 7 && digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (!number || member.value.kind != JsonKind::Object) {
            part.wrong("ids and their tokens are expected");
            return;
        }
        token.id = std::stoi(member.key);
        token.content = part.text("content");
        token.special = part.flag("special", false);
        token.single_word = part.flag("single_word", false);
        token.lstrip = part.flag("lstrip", false);
        token.rstrip = part.flag("rstrip", false);
        token.normalized = part.flag("normalized", !token.special);
        if (!token.content.empty()) out.push_back(std::move(token));
    }
}

/// Roles from the config where it names them; else from the names that such tokens usually have.
void find_roles(const TokenizerConfig& config, Pipeline& out) {
    for (const auto& [role, token] : config.roles)
        if (const auto id = out.vocabulary->find(token)) out.roles[role] = *id;
    for (const auto* role : {"CLS", "SEP", "MASK", "PAD", "UNK"}) {
        std::string name = role;
        for (char& c : name) c = static_cast<char>(c - 'A' + 'a');
        const auto id = out.vocabulary->find(fmt::format("[{}]", role));
        if (id && out.added.find(*id)) out.roles.try_emplace(name, *id);
    }
}

}  // namespace

std::string place_of(const TokenizerFiles& files, std::string_view name) {
    return files.where.empty() ? std::string(name) : files.where + "/" + std::string(name);
}

Result<TokenizerConfig> read_tokenizer_config(const std::string& bytes, const std::string& where) {
    TokenizerConfig out;
    if (bytes.empty()) return out;
    const auto parsed = parse_large(bytes, where);
    if (!parsed) return parsed.error();
    Fault fault{where};
    const JsonPart root(*parsed, "", fault);
    if (root.value().kind != JsonKind::Object) root.wrong("an object is expected");
    out.tokenizer_class = root.text("tokenizer_class", "");
    if (out.tokenizer_class.ends_with("Fast")) out.tokenizer_class.resize(out.tokenizer_class.size() - 4);
    for (const char* role : kRoles)
        if (auto content = token_content(root, std::string(role) + "_token")) out.roles[role] = std::move(*content);
    out.add_bos = maybe_flag(root, "add_bos_token");
    out.add_eos = maybe_flag(root, "add_eos_token");
    out.lowercase = maybe_flag(root, "do_lower_case");
    out.strip_accents = maybe_flag(root, "strip_accents");
    out.han_apart = maybe_flag(root, "tokenize_chinese_chars");
    out.add_space = maybe_flag(root, "add_prefix_space");
    out.legacy = maybe_flag(root, "legacy");
    if (root.has("extra_ids")) out.extra_ids = static_cast<int>(root.whole("extra_ids", 0, 10'000));
    read_added_decoder(root, out.added);
    if (fault.error) return *fault.error;
    return out;
}

}  // namespace pieces

Result<std::shared_ptr<const TokenizerModel>> read_tokenizer(const TokenizerFiles& files) {
    using namespace pieces;
    const auto config = read_tokenizer_config(files.tokenizer_config, place_of(files, "tokenizer_config.json"));
    if (!config) return config.error();
    auto made = [&]() -> Result<PipelinePtr> {
        if (!files.tokenizer_json.empty())
            return read_tokenizer_json(files.tokenizer_json, place_of(files, "tokenizer.json"));
        if (!files.sentencepiece.empty()) return read_sentencepiece(files, *config);
        if (!files.vocab_txt.empty() || !files.vocab_json.empty()) return read_older_files(files, *config);
        return Error{
            "there is no tokenizer: none of tokenizer.json, a SentencePiece model (tokenizer.model, "
            "spiece.model, source.spm), vocab.json with merges.txt, vocab.txt",
            files.where, "", 0};
    }();
    if (!made) return made.error();
    find_roles(*config, **made);
    return std::shared_ptr<const TokenizerModel>(std::make_shared<TokenizerModel>(std::move(*made), files.keep ? files.tokenizer_json : std::string()));
}

}  // namespace attn
