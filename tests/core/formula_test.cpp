// Every formula of the catalogue against the reference: its text is read as mathematics over NumPy's numbers and must
// give NumPy's result. None of our kernels is involved.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/attention/forms/attention.h"
#include "tests/core/formula_samples.h"

namespace attn::test {
namespace {

/// Replaces \word{Concat}_i( … ), which is evaluated once for each head, by the heads' values.
std::string with_heads_joined(std::string text, FormulaNames& names, Convention convention, int heads,
                              const std::function<Numbers(std::string_view, int)>& head_value) {
    const std::string call = text.find("\\word{Concat}_h(") != std::string::npos ? "\\word{Concat}_h(" : "\\word{Concat}_i(";
    const std::size_t at = text.find(call);
    if (at == std::string::npos) {
        EXPECT_EQ(heads, 1) << text;
        return text;
    }
    std::size_t end = at + call.size();
    for (int open = 1; open > 0; ++end) {
        if (text.at(end) == '(') ++open;
        if (text.at(end) == ')') --open;
    }
    const std::string inner = text.substr(at + call.size(), end - 1 - at - call.size());
    Numbers joined;
    for (int h = 0; h < heads; ++h) {
        const Numbers own = shown(head_value(inner, h), convention);  // tokens as rows
        Numbers wider(own.rows(), joined.cols() + own.cols());
        if (h > 0) wider.leftCols(joined.cols()) = joined;
        wider.rightCols(own.cols()) = own;
        joined = wider;
    }
    names.values["J"] = shown(joined, convention);
    return text.replace(at, end - at, "J");
}

Letters letters_of_head(const AttentionConfig& c, int head) {
    Letters l;
    l.head = head;
    if (c.heads == 1) return l;
    l.query = "Q_i", l.key = "K_i", l.value = "V_i";
    l.after = fmt::format(".h{}", head + 1);
    // Heads that share keys and values refer to the same step; a single head's names have no head suffix.
    if (c.key_heads() > 1) l.key_after = fmt::format(".h{}", head * c.key_heads() / c.heads + 1);
    return l;
}

/// The part that the formula leaves out and the test adds: the values of distances [Shaw et al. 2018, eq. 3].
Numbers unsaid(const Sample& s, const Letters& l, const Numbers& value) {
    const std::string name = l.before + "relative_context" + l.after;
    if (!s.has(name)) return Numbers::Zero(value.rows(), value.cols());
    Numbers relative = s.at(name);
    if (s.has(l.before + "gate")) relative = s.at(l.before + "gate").col(0).asDiagonal() * relative;
    return relative;
}

TEST(Formula, OfRawVectorsGivesTheOutput) {
    int covered = 0;
    for (const Sample& s : samples({"raw"})) {
        // One letter for queries, keys and values cannot express scores of pairs or rotated ones.
        if (!is_covered(s) || scores_pairs(s.config()) || s.has("rotated_queries")) continue;
        for (const Convention convention : kConventions) {
            Letters l;
            l.query = l.key = l.value = "X";
            const auto equations = equations_of(find_form("raw")->formula(s.config(), convention));
            ASSERT_EQ(equations.size(), 1u);
            EXPECT_EQ(equations[0].first, "Y");
            const Numbers value = shown(formula_value(equations[0].second, names_of(s, convention, l)), convention);
            expect_equal(value + unsaid(s, l, value), s.at("output"), equations[0].second);
            ++covered;
        }
    }
    EXPECT_GE(covered, 16);
}

TEST(Formula, OfHeadsGivesTheOutput) {
    std::set<std::string, std::less<>> scores, positions, scopes, selections, masks, gates;
    for (const Sample& s : samples({"multi_head", "sliced_input", "cross"})) {
        const AttentionConfig& c = s.config();
        if (!is_covered(s)) continue;
        scores.emplace(score_of(c)), positions.insert(c.position), scopes.insert(c.scope);
        selections.insert(c.selection), masks.insert(c.mask), gates.insert(c.gate);
        for (const Convention convention : kConventions) {
            const auto equations = equations_of(find_form(c.form)->formula(c, convention));
            ASSERT_EQ(equations.size(), 1u);
            EXPECT_EQ(equations[0].first, "Y");
            SCOPED_TRACE(equations[0].second + "\n" + std::string(s.doc.config.position));
            // The result of each head, then the joining of heads.
            const auto head = [&](std::string_view text, int h) {
                const Letters l = letters_of_head(c, h);
                const Numbers value = formula_value(text, names_of(s, convention, l));
                const Numbers rows = shown(value, convention), all = rows + unsaid(s, l, rows);
                expect_equal(all, s.at("head_output" + l.after), std::string(text));
                return shown(all, convention);
            };
            FormulaNames names = names_of(s, convention, letters_of_head(c, 0));
            std::string text = with_heads_joined(equations[0].second, names, convention, c.heads, head);
            names.values["W_O"] = s.at("output_weight");
            names.values["W^o"] = s.at("output_weight").transpose();
            if (c.heads == 1) names.parts["mix"] = [&](std::string_view mix) { return head(mix, 0); };
            const std::string made = s.has("output_products") ? "output_products" : "output";
            expect_equal(shown(formula_value(text, names), convention), s.at(made), text);
            if (HasFailure()) return;
        }
    }
    EXPECT_EQ(scores.size(), 8u);
    EXPECT_GE(positions.size(), 6u);
    EXPECT_EQ(scopes.size(), 3u);
    EXPECT_EQ(selections.size(), 4u);
    EXPECT_GE(masks.size(), 5u);
    EXPECT_EQ(gates.size(), 2u);
}

/// Q = X W_Q and the other projections.
TEST(Formula, OfProjectionsGivesThem) {
    for (const Sample& s : samples({"multi_head", "sliced_input", "cross", "linear"})) {
        const AttentionConfig& c = s.config();
        const bool sliced = c.form == "sliced_input" && c.heads > 1;
        const std::string after = sliced ? ".h1" : "";
        for (const Convention convention : kConventions) {
            FormulaNames names = functions_of(convention);
            const Numbers x = sliced ? s.at("input_slice.h1") : s.first({"inputs", "embeddings"});
            names.values["X"] = names.values["X_i"] = shown(x, convention);
            if (c.form == "cross") names.values["S"] = shown(s.first({"source.inputs", "source.embeddings"}), convention);
            int checked = 0;
            for (const auto& [left, right] : equations_of(find_form(c.form)->where(c, convention))) {
                const std::string role = left == "Q" ? "query" : left == "K" ? "key" : left == "V" ? "value" : "";
                if (role.empty()) continue;
                const std::string letter = role == "query" ? "q" : role == "key" ? "k" : "v", plural = role == "query" ? "queries" : role + "s";
                names.values["W_" + left] = s.at(role + "_weight" + after);
                names.values["W^" + letter] = s.at(role + "_weight" + after).transpose();
                expect_equal(shown(formula_value(right, names), convention),
                             s.first({role + "_products" + after, plural + after}), right);
                ++checked;
            }
            EXPECT_EQ(checked, 3);
        }
    }
}

}  // namespace
}  // namespace attn::test
