#include "core/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/text/meaning.h"
#include "core/text/tokenizer.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kGivenCount> kGivenIds = {"X",   "W_Q", "W_K", "W_V", "W_O",
                                                                 "b_Q", "b_K", "b_V", "b_O"};
constexpr std::array kProjectionKeys = {Given::W_Q, Given::W_K, Given::W_V, Given::W_O,
                                        Given::b_Q, Given::b_K, Given::b_V, Given::b_O};

bool same(const Matrix& a, const Matrix& b) { return a.rows() == b.rows() && a.cols() == b.cols() && a == b; }

bool same(const std::optional<Matrix>& a, const std::optional<Matrix>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

Matrix vectors_of(const Document& doc, const std::vector<std::string>& tokens, Inputs& in) {
    if (const auto& x = doc.matrix(Given::X)) {
        in.x_sources = {Source::Given};
        return *x;
    }
    if (doc.vectors == "one_hot") {
        in.x_sources = {Source::OneHot};
        return one_hot_vectors(tokens, in.features);
    }
    if (doc.vectors == "random") {
        in.x_sources = {Source::Seeded};
        return random_vectors(tokens, doc.vector_seed, doc.width);
    }
    in.features.assign(meaning_features().begin(), meaning_features().end());
    return meaning_vectors(tokens, in.x_sources);
}

/// What the shapes of a document are checked against, before anything is computed.
struct Shapes {
    int n = 0, d = 0;
};

Shapes shapes_of(const Document& doc, const std::vector<std::string>& tokens) {
    Shapes s{static_cast<int>(tokens.size()), kMeaningWidth};
    if (const auto& x = doc.matrix(Given::X))
        s.d = static_cast<int>(x->cols());
    else if (doc.vectors == "random")
        s.d = doc.width;
    else if (doc.vectors == "one_hot")
        s.d = static_cast<int>(std::set<std::string_view>(tokens.begin(), tokens.end()).size());
    return s;
}

Error problem(std::string key, std::string message) { return {std::move(message), "", std::move(key), 0}; }

template <class Row>
std::string ids(std::span<const Row> table) {
    std::string out;
    for (const Row& row : table) out += (out.empty() ? "" : ", ") + std::string(row.id);
    return out;
}

template <class Row>
void check_id(std::vector<Error>& out, std::string_view key, std::string_view id, std::span<const Row> table) {
    for (const Row& row : table)
        if (row.id == id) return;
    out.push_back(problem(std::string(key), fmt::format("there is no \"{}\"; choose one of {}", id, ids(table))));
}

void check_choices(const Document& doc, std::vector<Error>& out) {
    check_id(out, "tokenizer", doc.tokenizer, tokenizers());
    check_id(out, "variant", doc.config.variant, variants());
    if (!doc.config.score.empty()) check_id(out, "score", doc.config.score, scores());
    check_id(out, "mask", doc.config.mask, masks());
    check_id(out, "position", doc.config.position, positions());
    if (doc.vectors != "meaning" && doc.vectors != "one_hot" && doc.vectors != "random")
        out.push_back(
            problem("vectors", fmt::format("there is no \"{}\"; choose one of meaning, one_hot, random", doc.vectors)));
    if (doc.weights != "identity" && doc.weights != "random")
        out.push_back(
            problem("weights", fmt::format("there is no \"{}\"; choose one of identity, random", doc.weights)));
    if (!std::isfinite(doc.config.temperature) || doc.config.temperature < 0)
        out.push_back(problem("temperature",
                              "a temperature is 0 (only the largest score counts) or more, up to 3.4e38 (all scores "
                              "count the same); 1 is usual"));
    if (doc.config.heads < 1 || doc.config.heads > kMaxHeads)
        out.push_back(
            problem("heads", fmt::format("{} heads are not possible; take 1 to {}", doc.config.heads, kMaxHeads)));
    if (doc.width < 1 || doc.width > kMaxWidth)
        out.push_back(
            problem("width", fmt::format("a width of {} is not possible; take 1 to {}", doc.width, kMaxWidth)));
}

/// A field that the variant does not read may not be set: the picture would not depend on it.
void check_uses(const Document& doc, const Variant& variant, std::vector<Error>& out) {
    const auto unused = [&](std::string_view key, std::string_view what) {
        out.push_back(
            problem(std::string(key), fmt::format("the variant \"{}\" has no {}; remove \"{}\" or choose the variant "
                                                  "\"multi_head\"",
                                                  variant.id, what, key)));
    };
    if (!has(variant.uses, Uses::Heads) && doc.config.heads != 1) unused("heads", "heads");
    if (has(variant.uses, Uses::Projections)) return;
    if (doc.weights != "identity") unused("weights", "projections");
    for (const Given which : kProjectionKeys)
        if (doc.matrix(which)) unused(given_id(which), "projections");
}

void check_shape(std::vector<Error>& out, const Document& doc, Given which, Eigen::Index rows, Eigen::Index cols,
                 std::string_view why) {
    const auto& m = doc.matrix(which);
    if (!m || ((rows < 0 || m->rows() == rows) && (cols < 0 || m->cols() == cols))) return;
    const auto side = [](Eigen::Index count) { return count < 0 ? std::string("any") : std::to_string(count); };
    out.push_back(problem(std::string(given_id(which)), fmt::format("it is {} × {}, but must be {} × {}: {}", m->rows(),
                                                                    m->cols(), side(rows), side(cols), why)));
}

/// The width that a projection gives: of the matrix given, or as wide as X.
Eigen::Index width_of(const Document& doc, Given which, Eigen::Index otherwise) {
    const auto& m = doc.matrix(which);
    return m ? m->cols() : otherwise;
}

void check_projections(const Document& doc, const Shapes& s, std::vector<Error>& out) {
    const Eigen::Index queries =
        width_of(doc, Given::W_Q, doc.matrix(Given::W_K) ? doc.matrix(Given::W_K)->cols() : s.d);
    const Eigen::Index values =
        width_of(doc, Given::W_V, doc.matrix(Given::W_O) ? doc.matrix(Given::W_O)->rows() : s.d);
    check_shape(out, doc, Given::W_Q, s.d, queries, "one row for each column of X");
    check_shape(out, doc, Given::W_K, s.d, queries, "one row for each column of X, and as many columns as W_Q");
    check_shape(out, doc, Given::W_V, s.d, values, "one row for each column of X");
    check_shape(out, doc, Given::W_O, values, -1, "one row for each column of the joined heads");
    check_shape(out, doc, Given::b_Q, 1, queries, "one number for each column of W_Q");
    check_shape(out, doc, Given::b_K, 1, queries, "one number for each column of W_K");
    check_shape(out, doc, Given::b_V, 1, values, "one number for each column of W_V");
    check_shape(out, doc, Given::b_O, 1, width_of(doc, Given::W_O, values), "one number for each column of W_O");
    const auto divides = [&](Eigen::Index width, std::string_view of) {
        if (doc.config.heads >= 1 && width % doc.config.heads != 0)
            out.push_back(
                problem("heads", fmt::format("{} heads do not divide the {} columns of the {} into equal parts",
                                             doc.config.heads, width, of)));
    };
    divides(queries, "queries");
    if (values != queries) divides(values, "values");
}

void check_sizes(const Document& doc, const Shapes& s, std::vector<Error>& out) {
    const Estimate e = estimate(s.n, s.d, doc.config);
    if (e.bytes > kMaxBytes)
        out.push_back(
            problem(doc.tokens.empty() ? "text" : "tokens",
                    fmt::format("{} tokens with {} heads need {:.1f} GB for every step, more than the {:.1f} GB "
                                "allowed; take fewer tokens or heads",
                                s.n, doc.config.heads, e.bytes / 1e9, kMaxBytes / 1e9)));
    const Matrix& pattern = doc.mask_pattern;
    if (pattern.size() != 0 && doc.config.mask != "drawn")
        out.push_back(problem("mask_pattern",
                              "it is read only by the mask \"drawn\"; set mask to \"drawn\" or remove mask_pattern"));
    else if (pattern.size() != 0 && (pattern.rows() != s.n || pattern.cols() != s.n))
        out.push_back(
            problem("mask_pattern", fmt::format("it is {} × {}, but the text has {} tokens: it must be {} × {}",
                                                pattern.rows(), pattern.cols(), s.n, s.n, s.n)));
}

Projection projection_of(const Document& doc, Given weight, Given bias, int rows, int cols) {
    Projection p;
    if (const auto& given = doc.matrix(weight)) {
        p.weight = *given;
        p.source = Source::Given;
    } else if (doc.weights == "random") {
        p.weight = random_weight(doc.weight_seed, given_id(weight), rows, cols);
        p.source = Source::Seeded;
    } else {
        p.weight = identity_weight(rows, cols);
    }
    if (const auto& given = doc.matrix(bias)) p.bias = given->row(0);
    return p;
}

void add_projections(const Document& doc, Inputs& in) {
    const int d = in.d();
    const auto& w_q = doc.matrix(Given::W_Q);
    const auto& w_k = doc.matrix(Given::W_K);
    const auto& w_v = doc.matrix(Given::W_V);
    const auto& w_o = doc.matrix(Given::W_O);
    const auto queries = static_cast<int>(w_q ? w_q->cols() : w_k ? w_k->cols() : d);
    const auto values = static_cast<int>(w_v ? w_v->cols() : w_o ? w_o->rows() : d);
    in.query = projection_of(doc, Given::W_Q, Given::b_Q, d, queries);
    in.key = projection_of(doc, Given::W_K, Given::b_K, d, queries);
    in.value = projection_of(doc, Given::W_V, Given::b_V, d, values);
    in.output = projection_of(doc, Given::W_O, Given::b_O, values, values);
}

int count_unused_edits(const Document& doc, const Trace& trace) {
    return static_cast<int>(std::count_if(doc.edits.begin(), doc.edits.end(), [&](const Edit& edit) {
        const Step* step = find(trace, edit.tag);
        return !step || edit.row >= step->value.rows() || edit.col >= step->value.cols();
    }));
}

}  // namespace

std::string_view given_id(Given which) { return kGivenIds[static_cast<std::size_t>(which)]; }

bool Document::operator==(const Document& o) const {
    return text == o.text && tokenizer == o.tokenizer && tokens == o.tokens && vectors == o.vectors &&
           vector_seed == o.vector_seed && width == o.width && weights == o.weights && weight_seed == o.weight_seed &&
           config == o.config && edits == o.edits && same(mask_pattern, o.mask_pattern) &&
           std::equal(given.begin(), given.end(), o.given.begin(),
                      [](const auto& a, const auto& b) { return same(a, b); });
}

std::vector<std::string> tokens_of(const Document& doc, bool* cut, int* replaced) {
    if (!doc.tokens.empty()) return doc.tokens;
    const Tokenizer* way = find_tokenizer(doc.tokenizer);
    std::vector<std::string> out;
    if (!way) return out;
    const Tokens split = tokenize(doc.text, *way, kMaxTokens);
    for (const Token& token : split.tokens) out.push_back(token.text);
    if (cut) *cut = split.cut;
    if (replaced) *replaced = split.replaced;
    // A matrix without words: its rows are numbered.
    const auto& x = doc.matrix(Given::X);
    if (out.empty() && x)
        for (Eigen::Index i = 0; i < x->rows(); ++i) out.push_back("x" + std::to_string(i + 1));
    return out;
}

std::vector<Error> problems(const Document& doc) {
    std::vector<Error> out;
    check_choices(doc, out);
    if (!out.empty()) return out;  // what follows needs the rows of the tables
    const std::vector<std::string> tokens = tokens_of(doc);
    const Variant& variant = *find_variant(doc.config.variant);
    const Shapes shapes = shapes_of(doc, tokens);
    check_uses(doc, variant, out);
    if (const auto& x = doc.matrix(Given::X); x && x->rows() != shapes.n)
        out.push_back(problem(
            "X", fmt::format("it has {} rows, but the text has {} tokens: one row a token", x->rows(), shapes.n)));
    if (has(variant.uses, Uses::Projections) && shapes.n > 0) check_projections(doc, shapes, out);
    check_sizes(doc, shapes, out);
    return out;
}

void choose_variant(Document& doc, std::string_view id) {
    const Variant* variant = find_variant(id);
    if (!variant) return;
    doc.config.variant = id;
    doc.config.score.clear();
    if (!has(variant->uses, Uses::Heads)) doc.config.heads = 1;
    if (has(variant->uses, Uses::Projections)) return;
    doc.weights = "identity";
    for (const Given which : kProjectionKeys) doc.given[static_cast<std::size_t>(which)].reset();
}

Result<Run> run(const Document& doc) {
    if (auto wrong = problems(doc); !wrong.empty()) return wrong.front();
    Run out;
    out.inputs.tokens = tokens_of(doc, &out.cut, &out.replaced);
    out.inputs.x = vectors_of(doc, out.inputs.tokens, out.inputs);
    if (has(find_variant(doc.config.variant)->uses, Uses::Projections)) add_projections(doc, out.inputs);
    out.inputs.drawn_mask = doc.mask_pattern;
    out.inputs.edits = doc.edits;
    if (out.inputs.n() > 0) out.trace = run_attention(out.inputs, doc.config);
    out.unused_edits = count_unused_edits(doc, out.trace);
    return out;
}

}  // namespace attn
