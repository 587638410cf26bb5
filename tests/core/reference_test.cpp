// Every number of every step against float64 NumPy: tests/data/reference.py makes the documents and the numbers.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "core/io/matrix_json.h"
#include "tests/core/reference.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

TEST(Reference, EveryStepOfEveryDocumentAgreesWithFloat64) {
    for (const JsonValue& one : reference_cases()) {
        const std::string json = text_of(*one.find("document"));
        SCOPED_TRACE(json.substr(0, 2000));
        const attn::Run run = run_valid(document_of(json));
        compare_steps(run.trace, *one.find("steps"));
        compare_notes(run.trace, *one.find("all_masked"));
        if (HasFailure()) return;  // one document is enough to read
    }
}

/// How often each choice occurs in the reference: in total, and with each form.
struct Tally {
    std::map<std::string, int> all, with;
};

/// A document's choice for a field, "score scaled_dot".
std::string said(const Field& field, const Document& doc) {
    const std::string_view id = field.key == "score" ? score_of(doc.config) : field.chosen(doc);
    return std::string(field.key) + " " + std::string(id);
}

/// Tokenizers, vectors, scenes and weights only make the inputs, which the reference is given.
bool is_of_attention(const Field& field) {
    static const std::set<std::string_view> kInputs = {"tokenizer", "source_kind", "vectors", "weights"};
    return field.kind == FieldKind::Choice && !kInputs.contains(field.key);
}

Tally tally_of_reference() {
    Tally tally;
    for (const JsonValue& one : reference_cases()) {
        const Document doc = document_of(text_of(*one.find("document")));
        for (const Field& field : document_fields()) {
            if (!is_of_attention(field) || (field.is_read && !field.is_read(doc))) continue;
            ++tally.all[said(field, doc)];
            ++tally.with[doc.config.form + " " + said(field, doc)];
        }
    }
    return tally;
}

/// A row added to a table without an entry in tests/data/reference_attention.py or reference_forms.py fails here: every
/// choice occurs at least three times, and twice with every form that it is compatible with.
TEST(Reference, EveryRowOfEveryTableIsInIt) {
    constexpr int kTimes = 3, kTimesWith = 2;
    Tally tally = tally_of_reference();
    for (const Form& form : forms()) {
        for (const Field& field : document_fields()) {
            if (!is_of_attention(field)) continue;
            for (const std::string_view id : field.choices()) {
                if (field.key == "variant" && id != form.id) continue;
                Document doc;
                doc.config.form = form.id;
                ASSERT_TRUE(set_field(doc, field.key, id).ok());
                if ((field.is_read && !field.is_read(doc)) || !problems(doc).empty()) continue;
                const std::string name = said(field, doc), with = doc.config.form + " " + name;
                EXPECT_GE(tally.all[name], kTimes) << name;
                EXPECT_GE(tally.with[with], kTimesWith) << with;
            }
        }
    }
}

}  // namespace
}  // namespace attn::test
