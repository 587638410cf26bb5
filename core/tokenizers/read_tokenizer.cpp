#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/io/safe_text.h"
#include "core/tokenizers/readers.h"

namespace attn {

namespace tokenizing {

namespace {

constexpr std::array<std::string_view, 7> kRoles = {"bos", "eos", "unk", "sep", "pad", "cls", "mask"};

/// Settings of tokenizer_config.json that change ids in the published library but are not supported here, each with the
/// value at which it has no effect. (For lists and objects: empty.)
struct Setting {
    std::string_view key;
    bool neutral = false;
};
constexpr std::array kNotFollowed = {Setting{"split_special_tokens"}, Setting{"do_basic_tokenize", true}, Setting{"never_split"},
                                     Setting{"sp_model_kwargs"}, Setting{"normalization"}, Setting{"do_remove_space"}};

/// "<s>", or {"content": "<s>", …}; nullopt for anything else.
std::optional<AddedToken> special_token(const JsonPart& part) {
    if (part.value().kind == JsonKind::String) {
        const std::string& content = part.value().string;
        return AddedToken{.content = content, .id = -1, .lstrip = content == "<mask>", .normalized = false, .special = true};
    }
    if (part.value().kind != JsonKind::Object) return std::nullopt;
    return AddedToken{.content = part.text("content", ""),
                      .id = -1,
                      .single_word = part.flag("single_word", false),
                      .lstrip = part.flag("lstrip", false),
                      .rstrip = part.flag("rstrip", false),
                      .normalized = part.flag("normalized", false),
                      .special = true};
}

/// Roles and other special tokens; a later file overrides. A role that is null has no token.
void read_special(const JsonPart& root, TokenizerConfig& out) {
    for (const std::string_view role : kRoles) {
        const std::string key = std::string(role) + "_token";
        const JsonValue* const value = root.value().find(key);
        if (!value) continue;
        if (value->kind == JsonKind::Null)
            out.roles.insert_or_assign(std::string(role), AddedToken{});
        else if (auto token = special_token(JsonPart(*value, key, root.fault())))
            out.roles.insert_or_assign(std::string(role), *std::move(token));
    }
    const auto add = [&](const JsonPart& part) {
        if (auto token = special_token(part)) out.additional.push_back(*std::move(token));
    };
    for (const char* const key : {"additional_special_tokens", "extra_special_tokens"}) {
        const JsonValue* const value = root.member(key);
        if (!value) continue;
        const JsonPart part(*value, key, root.fault());
        for (const JsonPart& item : part.items()) add(item);
        for (const JsonMember& named : value->members) add(JsonPart(named.value, key, root.fault()));
    }
}

/// {"<user>": 13}: in older checkpoints.
void read_added_tokens(const JsonPart& root, TokenizerConfig& out) {
    const auto is_special = [&](const std::string& content) {
        const auto same = [&](const AddedToken& token) { return token.content == content; };
        return std::any_of(out.additional.begin(), out.additional.end(), same) ||
               std::any_of(out.roles.begin(), out.roles.end(), [&](const auto& role) { return same(role.second); });
    };
    for (const JsonMember& member : root.value().members) {
        const JsonPart part(member.value, member.key, root.fault());
        const bool special = is_special(member.key);
        const auto id = static_cast<int>(part.as_whole(0, kLargestId));
        if (!member.key.empty()) out.added.push_back({.content = member.key, .id = id, .normalized = !special, .special = special});
    }
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

/// Roles from the config where it names them; otherwise by the usual names of such tokens.
void find_roles(const TokenizerConfig& config, Pipeline& out) {
    for (const auto& [role, token] : config.roles)
        if (const auto id = token.content.empty() ? std::nullopt : out.vocabulary->find(token.content)) out.roles[role] = *id;
    for (const auto* role : {"CLS", "SEP", "MASK", "PAD", "UNK"}) {
        std::string name = role;
        for (char& c : name) c = static_cast<char>(c - 'A' + 'a');
        const auto id = out.vocabulary->find(fmt::format("[{}]", role));
        if (id && out.added.find(*id)) out.roles.try_emplace(name, *id);
    }
}

/// Reads one of the files next to a vocabulary, if it exists; it must be an object.
template <class Read>
std::optional<Error> read_beside(const TokenizerFiles& files, const std::string& bytes, std::string_view name, Read read) {
    if (bytes.empty()) return std::nullopt;
    const std::string where = place_of(files, name);
    const auto parsed = parse_large(bytes, where);
    if (!parsed) return parsed.error();
    Fault fault{where};
    const JsonPart root(*parsed, "", fault);
    if (root.value().kind != JsonKind::Object) root.wrong(fmt::format("an object is expected, not {}", kind_name(root.value().kind)));
    read(root);
    return fault.error;
}

void read_class(const JsonPart& root, std::string_view file, TokenizerConfig& out) {
    const JsonValue* const named = root.member("tokenizer_class");
    if (!out.tokenizer_class.empty() || !named || named->kind != JsonKind::String) return;
    out.tokenizer_class = named->string;
    out.class_file = file;
    if (out.tokenizer_class.ends_with("Fast")) out.tokenizer_class.resize(out.tokenizer_class.size() - 4);
}

void read_settings(const JsonPart& root, TokenizerConfig& out) {
    read_class(root, "tokenizer_config.json", out);
    read_special(root, out);
    out.add_bos = maybe_flag(root, "add_bos_token");
    out.add_eos = maybe_flag(root, "add_eos_token");
    out.lowercase = maybe_flag(root, "do_lower_case");
    out.strip_accents = maybe_flag(root, "strip_accents");
    out.han_apart = maybe_flag(root, "tokenize_chinese_chars");
    out.add_space = maybe_flag(root, "add_prefix_space");
    out.legacy = maybe_flag(root, "legacy");
    out.legacy_behaviour = maybe_flag(root, "legacy_behaviour");
    out.keep_accents = maybe_flag(root, "keep_accents");
    if (const JsonValue* const language = root.member("src_lang"); language && language->kind == JsonKind::String) out.source_language = language->string;
    if (root.has("extra_ids")) out.extra_ids = static_cast<int>(root.whole("extra_ids", 0, 10'000));
    read_added_decoder(root, out.added);
    for (const Setting& setting : kNotFollowed) {
        const JsonValue* const value = root.member(setting.key);
        const bool neutral = !value || (value->kind == JsonKind::Boolean ? value->boolean == setting.neutral : value->items.empty() && value->members.empty());
        if (!neutral) out.notes.push_back(fmt::format("tokenizer_config.json: {} is not followed", setting.key));
    }
}

/// Notes settings that contradict what was read.
void tell_differences(const TokenizerConfig& config, bool json, Pipeline& out) {
    const auto is_added = [&](const std::vector<int>& ids, std::string_view role) {
        const auto found = out.roles.find(role);
        return found == out.roles.end() ? std::nullopt : std::optional(std::find(ids.begin(), ids.end(), found->second) != ids.end());
    };
    const auto tell = [&](std::string_view key, std::optional<bool> wanted, std::optional<bool> is) {
        if (!wanted || !is || *wanted == *is) return;
        out.notes.push_back(json ? fmt::format("tokenizer.json is followed, which says otherwise than {} in tokenizer_config.json", key)
                                 : fmt::format("tokenizer_config.json: {} is not followed", key));
    };
    tell("add_bos_token", config.add_bos, is_added(out.around.before, "bos"));
    tell("add_eos_token", config.add_eos, is_added(out.around.after, "eos"));
    if (!json) return;
    tell("do_lower_case", config.lowercase, out.said.lowercase);
    tell("strip_accents", config.strip_accents, out.said.strip_accents);
    tell("tokenize_chinese_chars", config.han_apart, out.said.han_apart);
    tell("add_prefix_space", config.add_space, out.said.add_space);
}

/// Classes that add the code of its language to each text, whatever tokenizer.json says of the tokens around it.
struct LanguageClass {
    std::string_view name, usual;  ///< the code if the file has none
    std::string_view around_code;  ///< on both sides of it in the vocabulary
    bool in_front;
    bool legacy = false;  ///< with legacy_behaviour it is behind the text
};
constexpr LanguageClass kLanguageClasses[] = {
    {"NllbTokenizer", "eng_Latn", "", true, true},
    {"MBartTokenizer", "en_XX", "", false},
    {"MBart50Tokenizer", "en_XX", "", true},
    {"M2M100Tokenizer", "en", "__", true},
};

/// [code] text </s>, or text </s> [code]
std::optional<Error> put_language(const TokenizerFiles& files, const TokenizerConfig& config, Pipeline& out) {
    const auto* row = std::find_if(std::begin(kLanguageClasses), std::end(kLanguageClasses), [&](const LanguageClass& one) { return one.name == config.tokenizer_class; });
    if (row == std::end(kLanguageClasses)) return std::nullopt;
    const bool said = !config.source_language.empty();
    const std::string_view code = said ? std::string_view(config.source_language) : row->usual;
    const auto id = out.vocabulary->find(fmt::format("{0}{1}{0}", row->around_code, code));
    const auto end = out.roles.find("eos");
    if (!id && !said) return std::nullopt;  // made for other languages; tokenizer.json is followed
    if (!id) return Error{fmt::format("the vocabulary has no code of the language {}", in_quotes(code)), place_of(files, "tokenizer_config.json"), "src_lang", 0};
    if (end == out.roles.end()) return Error{"it is missing; the code of the language is placed next to it", place_of(files, "tokenizer_config.json"), "eos_token", 0};
    const bool in_front = row->in_front && !(row->legacy && config.legacy_behaviour.value_or(false));
    out.around.before = in_front ? std::vector{*id} : std::vector<int>{};
    out.around.after = in_front ? std::vector{end->second} : std::vector{end->second, *id};
    out.around.beside.reset();
    out.source_language = *id;
    out.language_in_front = in_front;
    return std::nullopt;
}

Result<PipelinePtr> read_by_class(const TokenizerFiles& files, const TokenizerConfig& config) {
    std::vector<ClassFiles> there;
    if (!files.sentencepiece.empty()) there.push_back(ClassFiles::Pieces);
    if (!files.vocab_txt.empty()) there.push_back(ClassFiles::Words);
    if (!files.vocab_json.empty()) there.push_back(ClassFiles::Letters);
    if (there.empty())
        return Error{
            "there is no tokenizer: none of tokenizer.json, a SentencePiece model (tokenizer.model, "
            "spiece.model, source.spm), vocab.json with merges.txt, vocab.txt",
            files.where, "", 0};
    std::vector<std::string> notes;
    const auto row = choose_class(there, config, place_of(files, config.class_file), notes);
    if (!row) return row.error();
    auto made = (*row)->files == ClassFiles::Pieces ? read_sentencepiece(files, config, **row) : read_older_files(files, config, **row);
    if (made) (*made)->notes.insert((*made)->notes.begin(), notes.begin(), notes.end());
    return made;
}

}  // namespace

std::string place_of(const TokenizerFiles& files, std::string_view name) {
    return files.where.empty() ? std::string(name) : files.where + "/" + std::string(name);
}

/// As in the published library: if tokenizer_config.json lists the added tokens, the two older files are not read;
/// otherwise special_tokens_map.json overrides the roles.
Result<TokenizerConfig> read_tokenizer_config(const TokenizerFiles& files) {
    TokenizerConfig out;
    bool listed = false;
    const auto settings = [&](const JsonPart& root) {
        read_settings(root, out);
        listed = root.has("added_tokens_decoder");
    };
    if (auto error = read_beside(files, files.tokenizer_config, "tokenizer_config.json", settings)) return *std::move(error);
    if (!listed) {
        const auto special = [&](const JsonPart& root) { read_special(root, out); };
        if (auto error = read_beside(files, files.special_tokens, "special_tokens_map.json", special)) return *std::move(error);
        const auto added = [&](const JsonPart& root) { read_added_tokens(root, out); };
        if (auto error = read_beside(files, files.added_tokens, "added_tokens.json", added)) return *std::move(error);
    }
    std::stable_sort(out.added.begin(), out.added.end(), [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    if (!out.tokenizer_class.empty() || !files.tokenizer_json.empty()) return out;
    const auto model = [&](const JsonPart& root) {
        read_class(root, "config.json", out);
        const JsonValue* const type = root.member("model_type");
        if (type && type->kind == JsonKind::String) out.model_type = type->string;
    };
    if (auto error = read_beside(files, files.config, "config.json", model)) return *std::move(error);
    return out;
}

TokenList::TokenList(std::vector<AddedToken> first) : tokens_(std::move(first)) {
    for (const AddedToken& token : tokens_) {
        contents_.insert(token.content);
        ids_.insert(token.id);
        size_ = std::max(size_, token.id + 1);
    }
}

void TokenList::add(AddedToken token) {
    if (contents_.contains(token.content) || ids_.contains(token.id)) return;
    contents_.insert(token.content);
    ids_.insert(token.id);
    size_ = std::max(size_, token.id + 1);
    tokens_.push_back(std::move(token));
}

void TokenList::add_numbered(const TokenizerConfig& config) {
    for (const AddedToken& token : config.added) add(token);
}

void TokenList::add_special(const TokenizerConfig& config, const TokenizerClass* row, const Vocabulary& own) {
    const auto put = [&](AddedToken token, bool needed) {
        const auto id = own.find(token.content);
        if (token.content.empty() || contents_.contains(token.content) || (!id && !needed)) return;
        token.id = id.value_or(std::max(size_, own.size()));
        add(std::move(token));
    };
    for (const std::string_view role : kRoles) {
        const auto named = config.roles.find(role);
        if (named != config.roles.end()) {
            put(named->second, true);
        } else if (row) {
            const std::string usual(usual_token(*row, role));
            put({.content = usual, .lstrip = usual == "<mask>", .normalized = false, .special = true}, false);
        }
    }
    for (const AddedToken& token : config.additional) put(token, true);
}

std::string_view token_of_role(const TokenizerConfig& config, const TokenizerClass& row, std::string_view role) {
    const auto named = config.roles.find(role);
    return named == config.roles.end() ? usual_token(row, role) : std::string_view(named->second.content);
}

std::optional<std::string> put_around(const TokenizerConfig& config, const TokenizerClass& row, Pipeline& out) {
    for (const std::string_view role : kRoles) {
        const std::string_view token = token_of_role(config, row, role);
        if (const auto id = token.empty() ? std::nullopt : out.vocabulary->find(token)) out.roles[std::string(role)] = *id;
    }
    std::string_view before = row.before, after = row.after;
    if (row.switched) {
        before = config.add_bos.value_or(!before.empty()) ? "bos" : "";
        after = config.add_eos.value_or(!after.empty()) ? "eos" : "";
    }
    for (const auto& [role, side] : {std::pair{before, &out.around.before}, {after, &out.around.after}}) {
        const std::string_view token = role.empty() ? std::string_view() : token_of_role(config, row, role);
        if (token.empty()) continue;
        const auto id = out.vocabulary->find(token);
        if (!id) return fmt::format("{} is missing, which is added around each text", in_quotes(token));
        side->push_back(*id);
    }
    out.around.beside.reset();
    const std::vector<int>& end = out.around.after;
    if (before == "cls" && after == "sep") out.around.beside = row.twice ? Beside{end, end, 0} : Beside{{}, end, 1};
    return std::nullopt;
}

}  // namespace tokens

Result<std::shared_ptr<const TokenizerModel>> read_tokenizer(const TokenizerFiles& files) {
    using namespace tokenizing;
    const auto config = read_tokenizer_config(files);
    if (!config) return config.error();
    const bool json = !files.tokenizer_json.empty();
    auto made = json ? read_tokenizer_json(files, *config) : read_by_class(files, *config);
    if (!made) return made.error();
    find_roles(*config, **made);
    if (auto wrong = put_language(files, *config, **made)) return *std::move(wrong);
    tell_differences(*config, json, **made);
    (*made)->notes.insert((*made)->notes.end(), config->notes.begin(), config->notes.end());
    return std::shared_ptr<const TokenizerModel>(std::make_shared<TokenizerModel>(std::move(*made), files.keep ? files.tokenizer_json : std::string()));
}

}  // namespace attn
