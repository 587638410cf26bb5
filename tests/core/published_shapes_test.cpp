// Every family in the forms in which its checkpoints are published: one file and several, tensor names with and without
// their prefix, word vectors under each of their names, configurations and tokenizers of three versions. The numbers
// equal those of the family's own folder, to the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/io/files.h"
#include "core/model/checkpoint/config.h"
#include "core/model/checkpoint/families.h"
#include "core/model/model.h"
#include "tests/core/checkpoint_folder.h"
#include "tests/core/raw_tensors.h"
#include "tests/core/tokenizers_support.h"

namespace attn::test {
namespace {

using testing::IsEmpty;

std::vector<ModelNote> notes_of(const std::filesystem::path& folder) {
    const auto model = find_model(folder.string(), {.folders = true});
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? (*model)->notes : std::vector<ModelNote>{};
}

/// An empty folder that is removed when the test ends.
class EmptyFolder {
public:
    EmptyFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "attn_shape_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~EmptyFolder() { std::filesystem::remove_all(path_); }
    EmptyFolder(const EmptyFolder&) = delete;
    EmptyFolder& operator=(const EmptyFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// The parts of a family's folder that a shape changes: the tensors of all its files, its configuration, its words.
struct Shaped {
    std::string of_which;
    std::filesystem::path folder;
    std::vector<RawTensor> tensors;
    bool tied = false;

    Shaped(const std::string& name, const std::filesystem::path& at) : of_which(name), folder(at) {
        for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints / name)) {
            const std::string file = entry.path().filename();
            if (file.ends_with(".safetensors") && !file.ends_with("activations.safetensors"))
                for (RawTensor& tensor : raw_tensors(entry.path())) tensors.push_back(std::move(tensor));
            else if (!file.ends_with(".safetensors") && !file.ends_with(".index.json"))
                std::filesystem::copy(entry.path(), at);
        }
    }
    RawTensor& words() {
        for (const auto list : family().tensors)
            for (const FamilyTensor& t : list)
                if (t.step == "embeddings")
                    for (RawTensor& one : tensors)
                        if (one.name.ends_with(t.tensor)) return one;
        ADD_FAILURE() << of_which;
        return tensors.front();
    }
    std::string text(const char* file) const { return *read_file(folder / file, std::size_t{1} << 20); }
    /// After the opening brace of config.json.
    void say_in_config(const std::string& members) const {
        std::string config = text("config.json");
        config.insert(config.find('{') + 1, members);
        std::ofstream(folder / "config.json") << config;
    }
    void in_one_file(const std::string& metadata = "") const { write_raw(folder / "model.safetensors", tensors, metadata); }
    /// In so many files, named as on the hub, with an index.
    void in_files(std::size_t count) const {
        std::string places;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "model-0000" + std::to_string(i + 1) + "-of-0000" + std::to_string(count) + ".safetensors";
            std::vector<RawTensor> part;
            for (std::size_t t = 0; t < tensors.size(); ++t)
                if (t * count / tensors.size() == i) part.push_back(tensors[t]);
            write_raw(folder / name, part, R"("__metadata__":{"format":"pt"})");
            for (const RawTensor& tensor : part) places += (places.empty() ? "\"" : ",\"") + tensor.name + "\":\"" + name + "\"";
        }
        std::ofstream(folder / "model.safetensors.index.json") << R"({"metadata": {"total_size": 1}, "weight_map": {)" << places << "}}";
    }
    const Family& family() const {
        const auto config = read_checkpoint_config(*parse_json(text("config.json")), "config.json");
        return *config->family;
    }
    bool has_names_with(std::string_view prefix) const {
        return std::any_of(tensors.begin(), tensors.end(), [&](const RawTensor& t) { return t.name.starts_with(prefix); });
    }
};

/// The last numbers of a run, whatever they are: logits, or the vectors with which it ends.
Matrix last_numbers(const std::filesystem::path& folder) {
    const auto doc = opened(folder);
    EXPECT_TRUE(doc) << (doc ? "" : doc.error().text());
    if (!doc) return {};
    const attn::Run run = run_valid(*doc);
    const StepId logits = find_step(run.trace, "logits");
    return run.trace[logits == kNoStep ? run.trace.size() - 1 : logits].value;
}

/// A shape's name, and the function that makes it; false: it does not apply to this family.
using Shape = std::pair<std::string, std::function<bool(Shaped&)>>;

std::string without(std::string name, std::string_view prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

bool with_stored_buffers(Shaped& s) {
    const auto buffer = [&](std::string name) { s.tensors.push_back({std::move(name), "F32", {1, 2}, std::string(8, '\1')}); };
    const std::string& first = s.tensors.front().name;
    if (s.family().pictures) return false;
    if (first.find("bert") != first.npos) buffer(first.substr(0, first.find('.') + 1) + "embeddings.position_ids");
    for (const char* layer : {"transformer.h.0.attn.bias", "transformer.h.0.attn.masked_bias", "transformer.h.0.attn.attention.bias", "transformer.h.0.attn.attention.masked_bias", "gpt_neox.layers.0.attention.bias",
                              "gpt_neox.layers.0.attention.masked_bias", "gpt_neox.layers.0.attention.rotary_emb.inv_freq",
                              "model.layers.0.self_attn.rotary_emb.inv_freq"})
        if (s.has_names_with(std::string_view(layer).substr(0, std::string_view(layer).find('.') + 1))) buffer(layer);
    s.in_one_file();
    return true;
}

/// As BERT's first files have them.
bool with_gamma_and_beta(Shaped& s) {
    bool any = false;
    for (RawTensor& t : s.tensors)
        for (const auto& [now, then] : {std::pair("LayerNorm.weight", "LayerNorm.gamma"), {"LayerNorm.bias", "LayerNorm.beta"}})
            if (t.name.ends_with(now)) t.name.replace(t.name.size() - std::strlen(now), std::strlen(now), then), any = true;
    s.in_one_file();
    return any;
}

/// A tokenizer.json of whole words in the place of vocab.json.
bool with_tokenizer_json(Shaped& s) {
    if (!std::filesystem::exists(s.folder / "vocab.json")) return false;
    const std::string words = s.text("vocab.json");
    std::filesystem::remove(s.folder / "vocab.json");
    std::ofstream(s.folder / "tokenizer.json") << R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": null, "decoder": null, "model": {"type": "WordLevel", "vocab": )" << words << R"(, "unk_token": "a"}})";
    s.in_one_file();
    return true;
}

/// Each number that is stored in 16 bits, stored in 32 instead.
bool widened(Shaped& s) {
    bool any = false;
    for (RawTensor& t : s.tensors)
        if (t.type == "BF16") {
            std::string wide;
            for (std::size_t i = 0; i < t.bytes.size(); i += 2) wide += std::string(2, '\0') + t.bytes.substr(i, 2);
            t.bytes = wide, t.type = "F32", any = true;
        }
    s.in_one_file();
    return any;
}

/// The other names under which a family keeps its words' vectors, as the file would have them.
std::vector<std::string> names_of_words(Shaped& original) {
    std::vector<std::string> out;
    const std::string own = original.words().name;
    for (const auto list : original.family().tensors)
        for (const FamilyTensor& t : list) {
            const std::string name(t.tensor);
            if ((t.step != "embeddings" && t.step != "unembedding_weight") || own.ends_with(name)) continue;
            // Output heads have no prefix; the model's own tensors have the prefix that the others have.
            const std::size_t end = own.starts_with("model.") && t.step == "embeddings" ? 6 : 0;
            out.push_back(own.substr(0, end) + name);
        }
    return out;
}

std::vector<Shape> shapes_of(Shaped& original) {
    std::vector<Shape> out = {
        {"one file", [](Shaped& s) { return s.in_one_file(), true; }},
        {"two files", [](Shaped& s) { return s.in_files(2), true; }},
        {"three files, the last tensor first", [](Shaped& s) { return std::reverse(s.tensors.begin(), s.tensors.end()), s.in_files(3), true; }},
        {"transformers 3", [](Shaped& s) {
             s.say_in_config(R"("architectures": ["TheModel"], "gradient_checkpointing": false, "initializer_range": 0.02, "xla_device": true, "output_past": true,)");
             return s.in_one_file(), true;
         }},
        {"transformers 4", [](Shaped& s) {
             s.say_in_config(R"("_name_or_path": "somebody/model", "architectures": ["TheModel"], "torch_dtype": "float32", "transformers_version": "4.40.2", "use_cache": true,)");
             return s.in_one_file(R"("__metadata__":{"format":"pt"})"), true;
         }},
        {"transformers 5", [](Shaped& s) {
             s.say_in_config(R"("architectures": ["TheModel"], "dtype": "float32", "transformers_version": "5.0.0",)");
             return s.in_files(2), true;
         }},
        {"buffers that were stored", with_stored_buffers},
        {"gamma and beta", with_gamma_and_beta},
        {"tokenizer.json", with_tokenizer_json},
        {"float32", widened},
    };
    for (const std::string wrapper : {"module.", "_orig_mod."})
        out.emplace_back("wrapped: " + wrapper, [wrapper](Shaped& s) {
            for (RawTensor& t : s.tensors) t.name = wrapper + t.name;
            return s.in_one_file(), true;
        });
    if (original.tied)
        for (const std::string& name : names_of_words(original)) {
            out.emplace_back("a copy of the words' vectors: " + name, [name](Shaped& s) {
                RawTensor copy = s.words();
                copy.name = name;
                return s.tensors.push_back(std::move(copy)), s.in_one_file(), true;
            });
            out.emplace_back("the words' vectors as " + name, [name](Shaped& s) { return s.words().name = name, s.in_one_file(), true; });
        }
    std::string_view own;
    for (const std::string_view prefix : original.family().prefixes)
        if (!prefix.empty() && original.has_names_with(prefix) && prefix.size() > own.size()) own = prefix;
    for (const std::string_view prefix : original.family().prefixes)
        if (prefix != own)
            out.emplace_back("under \"" + std::string(prefix) + "\"", [own = std::string(own), prefix = std::string(prefix)](Shaped& s) {
                for (RawTensor& t : s.tensors)
                    if (t.name.starts_with(own)) t.name = prefix + without(t.name, own);
                return s.in_one_file(), true;
            });
    return out;
}

TEST(PublishedShapes, AllOpenWithTheSameNumbers) {
    int opened_shapes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) {
        const std::string name = entry.path().filename();
        const Matrix right = last_numbers(entry.path());
        const auto notes = notes_of(entry.path());
        const EmptyFolder as_it_is;
        Shaped original(name, as_it_is.path());
        const auto doc = opened(entry.path());
        ASSERT_TRUE(doc) << doc.error().text();
        original.tied = doc->config.unembedding == "tied";
        for (const auto& [called, make] : shapes_of(original)) {
            SCOPED_TRACE(name + ": " + called);
            const EmptyFolder folder;
            Shaped shape(name, folder.path());
            if (!make(shape)) continue;
            const Matrix here = last_numbers(folder.path());
            ASSERT_EQ(here.rows(), right.rows());
            ASSERT_EQ(here.cols(), right.cols());
            EXPECT_EQ((here - right).cwiseAbs().maxCoeff(), 0);
            if (notes.empty()) {
                EXPECT_THAT(notes_of(folder.path()), IsEmpty());
            }
            ++opened_shapes;
        }
    }
    EXPECT_GE(opened_shapes, 350);
    RecordProperty("shapes", opened_shapes);
}

// Tokenizers: today's files, the older files, and files that do not name their class give the same ids, and these give
// the same numbers as the same words in the family's own folder.

/// What a text of three words becomes: ids of a vocabulary that the model has vectors for.
struct Cut {
    std::string_view kind;  ///< of the files
    std::vector<std::string> words;  ///< in the order of their ids
    std::vector<int> ids;
    std::string class_name, before = "", after = "";
    std::string file = "tokenizer.model";
    bool reads_another = false;  ///< an encoder reads the text, and a decoder writes "mat" behind the token of id 0
};

const std::string kGe = encode_utf8(tokenizing::byte_letter(' ')), kBar = "\xE2\x96\x81";

std::string in_json(const std::vector<std::string>& words, const std::vector<std::pair<std::string, std::string>>& merges) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "{\"" : ", \"") + word + "\": " + std::to_string(std::count(out.begin(), out.end(), ':'));
    // Letters and intermediate merges have ids after the model's own: no text ends with one of them.
    int id = 20;
    for (const std::string letter : {"t", "h", "e", "c", "a", "s", "o", "n"}) out += ", \"" + letter + "\": " + std::to_string(id++);
    out += ", \"" + kGe + "\": " + std::to_string(id++);
    for (const auto& [left, right] : merges)
        if (std::find(words.begin(), words.end(), left + right) == words.end()) out += ", \"" + left + right + "\": " + std::to_string(id++);
    return out + "}";
}

/// The files of a kind: `age` 0 says nothing of itself, 1 has tokenizer_config.json, 2 is tokenizer.json.
void write_tokenizer(const std::filesystem::path& at, const Cut& cut, int age) {
    const std::vector<std::pair<std::string, std::string>> merges = {{"t", "h"}, {"th", "e"}, {kGe, "c"}, {kGe + "c", "a"}, {kGe + "ca", "t"}, {kGe, "s"}, {kGe + "s", "a"}, {kGe + "sa", "t"}};
    std::string added, around, special;
    for (std::size_t id = 0; id < cut.words.size(); ++id) {
        const std::string& word = cut.words[id];
        if (!word.starts_with("<") && !word.starts_with("[")) continue;
        added += (added.empty() ? "" : ", ") + (R"({"id": )" + std::to_string(id)) + R"(, "content": ")" + word + R"(", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})";
        if (word == cut.before || word == cut.after) special += (special.empty() ? "\"" : ", \"") + word + R"(": {"id": ")" + word + R"(", "ids": [)" + std::to_string(id) + R"(], "tokens": [")" + word + "\"]}";
    }
    const auto token = [](const std::string& word) { return word.empty() ? std::string() : R"({"SpecialToken": {"id": ")" + word + R"(", "type_id": 0}})"; };
    if (!cut.before.empty()) around += token(cut.before) + ", ";
    around += R"({"Sequence": {"id": "A", "type_id": 0}})";
    if (!cut.after.empty()) around += ", " + token(cut.after);
    const std::string processor = special.empty() ? "null" : R"({"type": "TemplateProcessing", "single": [)" + around + "], \"pair\": [" + around + R"(], "special_tokens": {)" + special + "}}";
    const auto parts = [&](const std::string& normalizer, const std::string& pre, const std::string& model, const std::string& decoder) {
        std::ofstream(at / "tokenizer.json") << R"({"version": "1.0", "added_tokens": [)" << added << R"(], "normalizer": )" << normalizer << R"(, "pre_tokenizer": )" << pre
                                             << R"(, "post_processor": )" << processor << R"(, "decoder": )" << decoder << R"(, "model": )" << model << "}";
    };
    if (age == 1) std::ofstream(at / "tokenizer_config.json") << R"({"tokenizer_class": ")" << cut.class_name << R"(", "model_max_length": 512})";
    if (cut.kind == "letters") {
        std::string list;
        for (const auto& [left, right] : merges) list += (list.empty() ? "\"" : ", \"") + left + " " + right + "\"";
        if (age == 2)
            return parts("null", R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true})", R"({"type": "BPE", "vocab": )" + in_json(cut.words, merges) + ", \"merges\": [" + list + "]}",
                         R"({"type": "ByteLevel"})");
        std::ofstream(at / "vocab.json") << in_json(cut.words, merges);
        std::ofstream out(at / "merges.txt");
        out << "#version: 0.2\n";
        for (const auto& [left, right] : merges) out << left << " " << right << "\n";
    } else if (cut.kind == "words") {
        if (age == 2)
            return parts(R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true})", R"({"type": "BertPreTokenizer"})",
                         R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": )" + in_json(cut.words, {}) + "}",
                         R"({"type": "WordPiece", "prefix": "##", "cleanup": true})");
        std::ofstream out(at / "vocab.txt");
        for (const std::string& word : cut.words) out << word << "\n";
    } else {
        std::string list, file;
        int unknown = 0;
        for (std::size_t id = 0; id < cut.words.size(); ++id) {
            const std::string& word = cut.words[id];
            if (word == "<unk>") unknown = static_cast<int>(id);
            list += (list.empty() ? "[\"" : ", [\"") + word + "\", -" + std::to_string(id) + "]";
            file += proto_piece(word, -static_cast<float>(id), word == "<unk>" ? 2 : word.starts_with("<") || word.starts_with("[") ? 3 : 1);
        }
        if (age == 2)
            return parts("null", R"({"type": "Metaspace", "replacement": ")" + kBar + R"(", "prepend_scheme": "always", "split": true})",
                         R"({"type": "Unigram", "unk_id": )" + std::to_string(unknown) + ", \"vocab\": [" + list + "]}", R"({"type": "Metaspace", "replacement": ")" + kBar + R"(", "prepend_scheme": "always"})");
        std::ofstream(at / cut.file, std::ios::binary) << file;
        if (cut.file != "source.spm") return;
        // Each of Marian's two files has its own order and its own pieces: vocab.json has the numbers.
        std::ofstream(at / "source.spm", std::ios::binary) << proto_piece(kBar + "sat", -3) << proto_piece(kBar + "cat", -2) << proto_piece(kBar + "the", -1) << proto_piece("<unk>", 0, 2);
        std::ofstream(at / "target.spm", std::ios::binary) << proto_piece("<unk>", 0, 2) << proto_piece(kBar + "mat", -1);
        std::ofstream(at / "vocab.json") << in_json(cut.words, {});
    }
}

TEST(PublishedShapes, TokenizersOfEveryAgeGiveTheSameNumbers) {
    const std::vector<std::string> tail = {"the", kGe + "cat", kGe + "sat"};
    const auto with = [&](std::vector<std::string> words) { return words.insert(words.end(), tail.begin(), tail.end()), words; };
    const auto letters = [&](std::string name) { return Cut{"letters", with({"<|endoftext|>"}), {1, 2, 3}, std::move(name)}; };
    const Cut roberta{"letters", with({"<s>", "<pad>", "</s>", "<unk>", "<mask>"}), {0, 5, 6, 7, 2}, "RobertaTokenizer", "<s>", "</s>"};
    const auto words = [](std::string name) {
        return Cut{"words", {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat"}, {2, 5, 6, 7, 3}, std::move(name), "[CLS]", "[SEP]"};
    };
    const Cut llama{"pieces", {"<unk>", "<s>", "</s>", kBar + "the", kBar + "cat", kBar + "sat"}, {1, 3, 4, 5}, "LlamaTokenizer", "<s>"};
    const Cut gemma{"pieces", {"<pad>", "<eos>", "<bos>", "<unk>", kBar + "the", kBar + "cat", kBar + "sat"}, {2, 4, 5, 6}, "GemmaTokenizer", "<bos>"};
    const auto two_texts = [](std::string name, std::string file) {
        return Cut{"pieces", {"<pad>", "</s>", "<unk>", kBar + "the", kBar + "cat", kBar + "sat", kBar + "mat"}, {3, 4, 5, 1}, std::move(name), "", "</s>", std::move(file), true};
    };
    const Cut albert{"pieces", {"<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", kBar + "the", kBar + "cat", kBar + "sat"}, {2, 5, 6, 7, 3}, "AlbertTokenizer", "[CLS]", "[SEP]", "spiece.model"};
    const Cut mpnet{"words", {"<s>", "<pad>", "</s>", "[UNK]", "<mask>", "the", "cat", "sat"}, {0, 5, 6, 7, 2}, "MPNetTokenizer", "<s>", "</s>"};
    const Cut t5 = two_texts("T5Tokenizer", "spiece.model"), marian = two_texts("MarianTokenizer", "source.spm");
    const std::pair<const char*, Cut> rows[] = {
        {"gpt2", letters("GPT2Tokenizer")}, {"pythia", letters("GPTNeoXTokenizer")}, {"phi", letters("CodeGenTokenizer")}, {"qwen2", letters("Qwen2Tokenizer")},
        {"qwen3", letters("Qwen2Tokenizer")}, {"olmo2", letters("GPTNeoXTokenizer")}, {"smollm2", letters("GPT2Tokenizer")}, {"smollm3", letters("GPT2Tokenizer")},
        {"gpt-neo", letters("GPT2Tokenizer")}, {"gptj", letters("GPT2Tokenizer")}, {"phi3", llama},
        {"electra", words("ElectraTokenizer")}, {"albert", albert}, {"mpnet", mpnet},
        {"roberta", roberta}, {"bert", words("BertTokenizer")}, {"minilm", words("BertTokenizer")}, {"distilbert", words("DistilBertTokenizer")},
        {"llama", llama}, {"mistral", llama}, {"gemma", gemma}, {"gemma2", gemma}, {"gemma3", gemma},
        {"t5", t5}, {"flan-t5", t5}, {"t5-uneven", t5}, {"marian", marian}, {"marian-uneven", marian},
    };
    int shapes = 0;
    for (const auto& [name, cut] : rows) {
        // The same ids by the words of the family's own folder.
        const JsonValue own = *parse_json(*read_file(kCheckpoints / name / "vocab.json", std::size_t{1} << 20));
        const auto word_of = [&](int id) {
            for (const JsonMember& word : own.members)
                if (word.value.integer == id) return word.key;
            return std::string();
        };
        std::string text;
        for (const int id : cut.ids) text += (text.empty() ? "" : " ") + word_of(id);
        const auto document = [&](const std::string& read, const std::string& written, const std::filesystem::path& model, const std::string& more) {
            const std::string texts = cut.reads_another ? R"("source": ")" + read + R"(", "text": ")" + written : R"("text": ")" + read;
            return document_from_json("{" + texts + R"(", "model": ")" + model.string() + "\"" + more + "}", "", {.folders = true});
        };
        const auto plain = document(text, word_of(6), kCheckpoints / name, R"(, "tokenizer": "words")");
        ASSERT_TRUE(plain) << plain.error().text();
        const attn::Run right = run_valid(*plain);
        for (const int age : {0, 1, 2}) {
            SCOPED_TRACE(std::string(name) + ", files of age " + std::to_string(age));
            Changed folder(name);
            std::filesystem::remove(folder.path() / "vocab.json");
            write_tokenizer(folder.path(), cut, age);
            const auto doc = document("the cat sat", "mat", folder.path(), "");
            ASSERT_TRUE(doc) << doc.error().text();
            const attn::Run run = run_valid(*doc);
            const auto& read = cut.reads_another ? run.trace.source_tokens : run.trace.tokens;
            ASSERT_EQ(read.size(), cut.ids.size()) << testing::PrintToString(read);
            if (cut.reads_another) {
                ASSERT_EQ(run.trace.tokens.size(), 2U) << testing::PrintToString(run.trace.tokens);
            }
            EXPECT_EQ(Matrix(run.trace[run.trace.size() - 1].value), Matrix(right.trace[right.trace.size() - 1].value));
            ++shapes;
        }
    }
    EXPECT_EQ(shapes, 84);
}

/// What ALBERT's class does to a text before the SentencePiece model sees it, where no tokenizer.json says so.
TEST(PublishedShapes, AlbertsOlderFilesFoldAccentsAndCapitals) {
    const Cut albert{"pieces", {"<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]", kBar + "the", kBar + "cat", kBar + "sat", kBar + "\""}, {}, "AlbertTokenizer", "[CLS]", "[SEP]", "spiece.model"};
    Changed folder("albert");
    std::filesystem::remove(folder.path() / "vocab.json");
    write_tokenizer(folder.path(), albert, 1);
    const auto numbers = [&](const std::string& text) {
        const auto doc = document_from_json(R"({"text": ")" + text + R"(", "model": ")" + folder.path().string() + "\"}", "", {.folders = true});
        EXPECT_TRUE(doc) << doc.error().text();
        return Matrix(run_valid(*doc).trace.steps.back().value);
    };
    const Matrix plain = numbers("the cat sat");
    EXPECT_EQ(numbers("The C\u00c1T sat"), plain);
    EXPECT_EQ(numbers("the `` cat"), numbers("the \\\" cat"));
    EXPECT_EQ(numbers("the '' cat"), numbers("the \\\" cat"));
    std::ofstream(folder.path() / "tokenizer_config.json") << R"({"tokenizer_class": "AlbertTokenizer", "do_lower_case": false})";
    EXPECT_EQ(numbers("the c\u00e1t sat"), plain);
    EXPECT_NE(numbers("The cat sat"), plain);
    std::ofstream(folder.path() / "tokenizer_config.json") << R"({"tokenizer_class": "AlbertTokenizer", "keep_accents": true})";
    EXPECT_NE(numbers("the c\u00e1t sat"), plain);
    EXPECT_EQ(numbers("The CAT sat"), plain);
}

}  // namespace
}  // namespace attn::test
