#include "core/tokenizers/tokenizer_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/io/safe_text.h"
#include "core/tokenizers/readers.h"

namespace attn::tokenizing {

namespace {

constexpr std::string_view kGpt = "bos=<|endoftext|> eos=<|endoftext|> unk=<|endoftext|>";
constexpr std::string_view kRoberta = "bos=<s> eos=</s> unk=<unk> sep=</s> pad=<pad> cls=<s> mask=<mask>";
constexpr std::string_view kBert = "unk=[UNK] sep=[SEP] pad=[PAD] cls=[CLS] mask=[MASK]";
constexpr std::string_view kPlain = "bos=<s> eos=</s> unk=<unk> pad=<pad>";

constexpr std::array kClasses = {
    // vocab.json with merges.txt. The first row of each kind is the default.
    TokenizerClass{"GPT2Tokenizer", ClassFiles::Letters, "gpt2 gpt_neo gptj gpt_bigcode opt starcoder2", kGpt, "", "", true},
    TokenizerClass{"GPTNeoXTokenizer", ClassFiles::Letters, "gpt_neox olmo olmo2 mpt stablelm", kGpt, "", "", true},
    TokenizerClass{"CodeGenTokenizer", ClassFiles::Letters, "codegen phi", kGpt, "", "", true},
    TokenizerClass{"RobertaTokenizer", ClassFiles::Letters, "roberta roberta-prelayernorm data2vec-text ibert", kRoberta, "cls", "sep", false, true},
    TokenizerClass{"BartTokenizer", ClassFiles::Letters, "bart", kRoberta, "cls", "sep", false, true},
    TokenizerClass{"LongformerTokenizer", ClassFiles::Letters, "longformer", kRoberta, "cls", "sep", false, true},
    TokenizerClass{"LEDTokenizer", ClassFiles::Letters, "led", kRoberta, "cls", "sep", false, true},
    TokenizerClass{.name = "Qwen2Tokenizer",
                   .files = ClassFiles::Letters,
                   .model_types = "qwen2 qwen2_moe qwen3 qwen3_moe",
                   .roles = "eos=<|endoftext|> unk=<|endoftext|> pad=<|endoftext|>",
                   .qwen = true},
    // vocab.txt
    TokenizerClass{"BertTokenizer", ClassFiles::Words, "bert megatron-bert nezha ernie", kBert, "cls", "sep"},
    TokenizerClass{"DistilBertTokenizer", ClassFiles::Words, "distilbert", kBert, "cls", "sep"},
    TokenizerClass{"ElectraTokenizer", ClassFiles::Words, "electra", kBert, "cls", "sep"},
    TokenizerClass{"MobileBertTokenizer", ClassFiles::Words, "mobilebert", kBert, "cls", "sep"},
    TokenizerClass{"MPNetTokenizer", ClassFiles::Words, "mpnet", "bos=<s> eos=</s> unk=[UNK] sep=</s> pad=<pad> cls=<s> mask=<mask>", "cls", "sep", false, true},
    // A SentencePiece model
    TokenizerClass{"PreTrainedTokenizer", ClassFiles::Pieces, "", kPlain, "", "", true},
    TokenizerClass{"LlamaTokenizer", ClassFiles::Pieces, "llama mistral mixtral phi3", "bos=<s> eos=</s> unk=<unk>", "bos", "", true},
    TokenizerClass{"GemmaTokenizer", ClassFiles::Pieces, "gemma gemma2 gemma3 gemma3_text", "bos=<bos> eos=<eos> unk=<unk> pad=<pad>", "bos", "", true},
    TokenizerClass{.name = "AlbertTokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "albert",
                   .roles = "bos=[CLS] eos=[SEP] unk=<unk> sep=[SEP] pad=<pad> cls=[CLS] mask=[MASK]",
                   .before = "cls",
                   .after = "sep",
                   .folded = true},
    TokenizerClass{.name = "T5Tokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "t5 longt5 switch_transformers umt5",
                   .roles = "eos=</s> unk=<unk> pad=<pad>",
                   .after = "eos",
                   .extra = true},
    TokenizerClass{.name = "MT5Tokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "mt5",
                   .roles = "eos=</s> unk=<unk> pad=<pad>",
                   .after = "eos",
                   .extra = true},
    TokenizerClass{.name = "XLMRobertaTokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "xlm-roberta xlm-roberta-xl xmod",
                   .roles = kRoberta,
                   .before = "cls",
                   .after = "sep",
                   .twice = true,
                   .first = "<s> <pad> </s> <unk>",
                   .later = 1},
    TokenizerClass{.name = "CamembertTokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "camembert",
                   .roles = kRoberta,
                   .before = "cls",
                   .after = "sep",
                   .twice = true,
                   .first = "<s>NOTUSED <pad> </s>NOTUSED <unk> <unk>NOTUSED",
                   .later = 4},
    TokenizerClass{.name = "MarianTokenizer",
                   .files = ClassFiles::Pieces,
                   .model_types = "marian",
                   .roles = "eos=</s> unk=<unk> pad=<pad>",
                   .after = "eos",
                   .codes = true},
};
constexpr std::string_view kAnyClass = "PreTrainedTokenizer";

std::string_view name_of(ClassFiles files) {
    switch (files) {
        case ClassFiles::Words:
            return "vocab.txt";
        case ClassFiles::Letters:
            return "vocab.json";
        case ClassFiles::Pieces:
            return "a SentencePiece model";
    }
    return "";
}

bool has_word(std::string_view words, std::string_view wanted) {
    bool out = false;
    each_word(words, [&](std::string_view word) { out = out || word == wanted; });
    return out;
}

/// The first row for which `is` holds, of the first kind of file that has one.
template <class Is>
const TokenizerClass* find_class(const std::vector<ClassFiles>& there, Is is) {
    for (const ClassFiles files : there)
        for (const TokenizerClass& row : kClasses)
            if (row.files == files && is(row)) return &row;
    return nullptr;
}

}  // namespace

Result<const TokenizerClass*> choose_class(const std::vector<ClassFiles>& there, const TokenizerConfig& config,
                                           const std::string& where, std::vector<std::string>& notes) {
    const TokenizerClass* const any = find_class(there, [](const TokenizerClass&) { return true; });
    const std::string& name = config.tokenizer_class;
    if (name == kAnyClass) return any;
    if (!name.empty()) {
        if (const TokenizerClass* named = find_class(there, [&](const TokenizerClass& row) { return row.name == name; })) return named;
        return Error{fmt::format("there is no {} with {} here; there are {}", in_quotes(name), name_of(any->files), names_in(kClasses)),
                     where, "tokenizer_class", 0};
    }
    const TokenizerClass* const row =
        find_class(there, [&](const TokenizerClass& one) { return !config.model_type.empty() && has_word(one.model_types, config.model_type); });
    if (row)
        notes.push_back(fmt::format("tokenizer_config.json names no class: a {} is used, as for every model of the type {}", row->name, config.model_type));
    else
        notes.push_back(fmt::format("no file names the class of the tokenizer: a {} is used, because there is {}", any->name, name_of(any->files)));
    return row ? row : any;
}

std::string_view usual_token(const TokenizerClass& row, std::string_view role) {
    std::string_view out;
    each_word(row.roles, [&](std::string_view word) {
        const std::size_t equals = word.find('=');
        if (word.substr(0, equals) == role) out = word.substr(equals + 1);
    });
    return out;
}

}  // namespace attn::tokenizing
