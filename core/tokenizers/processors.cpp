#include "core/tokenizers/processors.h"

#include <fmt/format.h>

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

Around read_bert_around(const JsonPart& part, const Vocabulary& vocabulary) {
    return {{id_of_pair(part, "cls", vocabulary)}, {id_of_pair(part, "sep", vocabulary)}};
}

Around read_nothing_around(const JsonPart&, const Vocabulary&) { return {}; }

/// The ids that a special token of a template stands for.
std::vector<int> ids_of_special(const JsonPart& part, const std::string& name, const Vocabulary& vocabulary) {
    std::vector<int> out;
    for (const JsonPart& id : part.part("special_tokens").part(name).list("ids")) out.push_back(id_in(vocabulary, id));
    return out;
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
    return out;
}

/// Each puts its own around what the ones before have made.
Around read_processors(const JsonPart& part, const Vocabulary& vocabulary) {
    Around out;
    for (const JsonPart& item : part.list("processors")) {
        const Around one = read_processor(item, vocabulary);
        out.before.insert(out.before.begin(), one.before.begin(), one.before.end());
        out.after.insert(out.after.end(), one.after.begin(), one.after.end());
    }
    return out;
}

}  // namespace

const std::vector<ProcessorRow>& processor_rows() {
    static const std::vector<ProcessorRow> rows = {
        {"TemplateProcessing", read_template},   {"BertProcessing", read_bert_around},
        {"RobertaProcessing", read_bert_around}, {"ByteLevel", read_nothing_around},
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
