#pragma once
// Documents of the reference with NumPy's numbers of their steps, and what the letters of a formula stand for in each.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formula_value.h"
#include "tests/core/support.h"

namespace attn::test {

/// A document of the reference, and NumPy's numbers by the names of its steps.
struct Sample {
    Document doc;
    const JsonValue* steps = nullptr;

    const AttentionConfig& config() const { return doc.config; }
    bool has(const std::string& name) const { return steps->find(name) != nullptr; }
    Numbers at(const std::string& name) const {
        if (!has(name)) throw std::runtime_error("the reference has no step " + name);
        return numbers_of(*steps->find(name));
    }
    /// The numbers of the first of these steps that exists.
    Numbers first(std::initializer_list<std::string> names) const {
        for (const std::string& name : names)
            if (has(name)) return at(name);
        throw std::runtime_error("the reference has none of " + *names.begin() + " …");
    }
};

std::vector<Sample> samples(std::initializer_list<std::string_view> forms);

/// Tokens as columns if the convention says so: matrices with a token axis are transposed.
Numbers shown(const Numbers& m, Convention convention);

bool scores_pairs(const AttentionConfig& c);

/// The letters of one attention: which queries, keys and values, of which head, and how the names of its steps begin
/// and end ("l1.", ".h2").
struct Letters {
    std::string query = "Q", key = "K", value = "V";
    std::string before, after, key_after;
    int head = 0;
};

FormulaNames functions_of(Convention convention);

/// What the letters of softmax(…) V stand for in one head.
FormulaNames names_of(const Sample& s, Convention convention, const Letters& l);

/// Whether the formula covers the document: it covers neither extreme temperatures nor heads that are switched off.
bool is_covered(const Sample& s);

void expect_equal(const Numbers& found, const Numbers& expected, const std::string& what);

const Convention kConventions[] = {Convention::Rows, Convention::Columns};

}  // namespace attn::test
