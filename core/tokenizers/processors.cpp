#include "core/tokenizers/processors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/io/nesting.h"
#include "core/io/safe_text.h"

namespace attn::tokenizing {

namespace {

int id_in(const Vocabulary& vocabulary, const JsonPart& part) {
    const auto id = part.as_whole(0, kLargestId);
    if (!vocabulary.has(static_cast<int>(id))) part.wrong(fmt::format("no token has the id {}", id));
    return static_cast<int>(id);
}

/// ["[SEP]", 102]
int id_of_pair(const JsonPart& part, std::string_view key, const Vocabulary& vocabulary) {
    const auto items = part.list(key);
    if (items.size() == 2) return id_in(vocabulary, items[1]);
    part.wrong(key, "a token and its id are expected");
    return 0;
}

/// [CLS] a [SEP] b [SEP], b with its own segment [Devlin et al. 2018, 3].
Around read_bert_around(const JsonPart& part, const Vocabulary& vocabulary) {
    const int cls = id_of_pair(part, "cls", vocabulary), sep = id_of_pair(part, "sep", vocabulary);
    return {{cls}, {sep}, Beside{{}, {sep}, 1}};
}

/// <s> a </s></s> b </s>, all in one segment.
Around read_roberta_around(const JsonPart& part, const Vocabulary& vocabulary) {
    const int cls = id_of_pair(part, "cls", vocabulary), sep = id_of_pair(part, "sep", vocabulary);
    return {{cls}, {sep}, Beside{{sep}, {sep}, 0}};
}

Around read_nothing_around(const JsonPart&, const Vocabulary&) { return {}; }

/// The ids that a special token of a template stands for.
std::vector<int> ids_of_special(const JsonPart& part, const std::string& name, const Vocabulary& vocabulary) {
    std::vector<int> out;
    for (const JsonPart& id : part.part("special_tokens").part(name).list("ids")) out.push_back(id_in(vocabulary, id));
    return out;
}

/// A template's rule for pairs: the first text as it is alone, then the second one with the tokens around it, all in
/// one segment. nullopt for any other rule.
std::optional<Beside> read_pair(const JsonPart& part, const Around& single, const Vocabulary& vocabulary) {
    if (!part.has("pair")) return Beside{};
    std::vector<int> before, after;
    Beside second;
    std::optional<int> segment;
    int texts = 0;
    bool follows = true;
    for (const JsonPart& item : part.list("pair")) {
        const JsonPart one = item.part(item.has("Sequence") ? "Sequence" : "SpecialToken");
        const std::string id = one.text("id");
        const int own = one.has("type_id") ? static_cast<int>(one.whole("type_id", 0, kLargestId)) : 0;
        if (item.has("Sequence")) {
            follows = follows && id == (texts == 0 ? "A" : "B");
            ++texts;
        } else {
            const auto ids = ids_of_special(part, id, vocabulary);
            std::vector<int>& side = texts == 0 ? before : texts == 1 ? after : second.after;
            side.insert(side.end(), ids.begin(), ids.end());
        }
        // The first text's closing tokens are as when it is alone; whatever follows them belongs to the second.
        const bool of_first = texts == 0 || (texts == 1 && after.size() <= single.after.size());
        if (of_first) {
            follows = follows && own == 0;
        } else {
            follows = follows && own == segment.value_or(own);
            segment = own;
        }
    }
    follows = follows && texts == 2 && before == single.before && after.size() >= single.after.size() &&
              std::equal(single.after.begin(), single.after.end(), after.begin());
    if (!follows) return std::nullopt;
    second.before.assign(after.begin() + static_cast<std::ptrdiff_t>(single.after.size()), after.end());
    second.segment = segment.value_or(0);
    return second;
}

Around read_template(const JsonPart& part, const Vocabulary& vocabulary) {
    Around out;
    bool text = false;
    for (const JsonPart& item : part.list("single")) {
        if (item.has("Sequence")) {
            const std::string id = item.part("Sequence").text("id");
            if (id != "A" || text) item.wrong(fmt::format("one text, \"A\", is expected once, not {}", in_quotes(id)));
            text = true;
            continue;
        }
        const auto ids = ids_of_special(part, item.part("SpecialToken").text("id"), vocabulary);
        std::vector<int>& side = text ? out.after : out.before;
        side.insert(side.end(), ids.begin(), ids.end());
    }
    if (!text) part.wrong("single", "the text itself is not in it: {\"Sequence\": {\"id\": \"A\"}} is missing");
    out.beside = read_pair(part, out, vocabulary);
    return out;
}

/// Each processor wraps the result of the previous ones; only one of them may have a rule for pairs.
Around read_processors(const JsonPart& part, const Vocabulary& vocabulary) {
    Around out;
    int speaking = 0;
    for (const JsonPart& item : part.list("processors")) {
        const Around one = read_processor(item, vocabulary);
        const bool says = !one.before.empty() || !one.after.empty() || one.beside != Beside{};
        if (says) out.beside = ++speaking == 1 ? one.beside : std::nullopt;
        out.before.insert(out.before.begin(), one.before.begin(), one.before.end());
        out.after.insert(out.after.end(), one.after.begin(), one.after.end());
    }
    return out;
}

}  // namespace

const std::vector<ProcessorRow>& processor_rows() {
    static const std::vector<ProcessorRow> rows = {
        {"TemplateProcessing", read_template},   {"BertProcessing", read_bert_around},
        {"RobertaProcessing", read_roberta_around}, {"ByteLevel", read_nothing_around},
        {"Sequence", read_processors},
    };
    return rows;
}

Around read_processor(const JsonPart& part, const Vocabulary& vocabulary) {
    const Nested level(part.fault().depth);
    if (level.too_deep()) part.wrong("post-processors are nested too deep");
    const ProcessorRow* row = part.fault().error ? nullptr : row_of(processor_rows(), part, "post-processor");
    return row ? row->read(part, vocabulary) : Around{};
}

}  // namespace attn::tokenizing
