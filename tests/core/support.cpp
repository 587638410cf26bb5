#include "tests/core/support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/ops/ops.h"
#include "core/text/tokenizer.h"

namespace attn {

void showValue(const Document& document, std::ostream& out) { out << document_to_json(document); }

}  // namespace attn

namespace attn::test {
namespace {

constexpr std::string_view kText = "the cat 早上 the";

constexpr std::string_view kSource = "a dog 晚安";

/// 1 and 0, with the first row wholly masked.
Matrix pattern_of(int n, int m) {
    Matrix pattern = (seeded_matrix(5, n, m).array() > -0.3f).cast<float>();
    if (n > 0) pattern.row(0).setZero();
    return pattern;
}

void seed_biases(Document& doc) {
    const int heads = doc.config.heads, shared = doc.config.key_heads();
    const int width = 8, narrow = width / heads * shared;
    for (const Given bias : {Given::b_Q, Given::b_K, Given::b_V, Given::b_O}) {
        const bool keys = bias == Given::b_K || bias == Given::b_V;
        doc.given[static_cast<std::size_t>(bias)] =
            seeded_matrix(7 + static_cast<std::uint64_t>(bias), 1, keys ? narrow : width);
    }
}

/// A document with these choices on the usual text, and with what they need in addition (a pattern, padding).
Document table_document(const Form& form) {
    Document doc;
    doc.text = kText;
    doc.source = kSource;
    doc.config.form = form.id;
    if (has(form.reads, Reads::Weights)) doc.weights = "random";
    return doc;
}

void finish(Document& doc) {
    const Form& form = *find_form(doc.config.form);
    if (has(form.reads, Reads::Projections) && doc.config.heads % 2 == 0) seed_biases(doc);
    if (doc.config.mask == "padding") doc.padding = 2;
    if (doc.config.position == "relative_bias") doc.config.bias_buckets = 6, doc.config.bias_distance = 5;  // few to explain
    if (doc.config.mask != "drawn") return;
    const Sizes s = sizes_of(doc);
    const bool two = has(form.reads, Reads::Source) && !has(form.reads, Reads::Order);
    doc.mask_pattern = pattern_of(s.n, two ? s.m : s.n);
}

/// Adds the document if it is valid: the engine itself says which combinations are not.
void keep(std::vector<Document>& out, Document doc) {
    finish(doc);
    if (problems(doc).empty()) out.push_back(std::move(doc));
}

/// Every score × mask × position of a form.
void add_products(std::vector<Document>& out, const Form& form) {
    for (const Score& score : scores())
        for (const Mask& mask : masks())
            for (const Position& position : positions()) {
                Document doc = table_document(form);
                if (has(form.reads, Reads::Score)) doc.config.score = score.id;
                doc.config.mask = mask.id;
                doc.config.position = position.id;
                if (has(form.reads, Reads::Heads)) doc.config.heads = 2;
                keep(out, doc);
            }
}

/// Every choice of every other field of the table, one at a time, and some together.
void add_choices(std::vector<Document>& out, const Form& form) {
    for (const Field& field : document_fields()) {
        if (field.kind != FieldKind::Choice || field.key == "variant") continue;
        for (const std::string_view id : field.choices())
            for (const int heads : {1, 4}) {
                Document doc = table_document(form);
                if (heads > 1 && !has(form.reads, Reads::Heads)) continue;
                doc.config.heads = heads;
                EXPECT_TRUE(set_field(doc, field.key, id).ok());
                keep(out, doc);
            }
    }
    for (const Scope& scope : scopes())
        for (const Selection& selection : selections())
            for (const std::string_view gate : {"none", "sigmoid"})
                for (const std::string_view mask : {"none", "causal", "drawn"}) {
                    Document doc = table_document(form);
                    doc.config.scope = scope.id;
                    doc.config.selection = selection.id;
                    doc.config.gate = gate;
                    doc.config.mask = mask;
                    doc.config.penalty = gate == "none" ? 0.0f : 0.5f;
                    if (selection.draws) doc.config.draws = 7;
                    if (has(form.reads, Reads::Heads)) doc.config.heads = 2;
                    keep(out, doc);
                }
}

void add_heads(std::vector<Document>& out, const Form& form) {
    if (!has(form.reads, Reads::Heads)) return;
    for (const int heads : {1, 2, 4, 8})
        for (const int shared : {0, 1, 2})
            for (const bool off : {false, true}) {
                Document doc = table_document(form);
                doc.config.heads = heads;
                doc.config.kv_heads = shared;
                if (off) doc.config.heads_off = {heads - 1};
                keep(out, doc);
            }
}

/// Every block, in two layers; every way of choosing a word; tiles that do and do not divide the text.
void add_blocks(std::vector<Document>& out, const Form& form) {
    if (!has(form.reads, Reads::Blocks)) return;
    for (const std::string_view block : {"post_norm", "pre_norm"})
        for (const std::string_view norm : {"layer_norm", "rms_norm"})
            for (const std::string_view activation : {"relu", "gelu", "gelu_tanh", "swiglu"}) {
                Document doc = table_document(form);
                doc.config.block = block;
                doc.config.norm = norm;
                doc.config.activation = activation;
                doc.config.layers = doc.config.heads = 2;
                doc.config.kv_heads = 1;
                doc.config.ffn_width = 3;
                keep(out, doc);
            }
}

void add_decoding(std::vector<Document>& out, const Form& form) {
    if (!has(form.reads, Reads::Generate)) return;
    for (const int generate : {1, 3})
        for (const int top_k : {0, 2})
            for (const float top_p : {1.0f, 0.6f})
                for (const float temperature : {0.0f, 1.0f}) {
                    Document doc = table_document(form);
                    doc.config.generate = generate;
                    doc.config.choose = "sample";
                    doc.config.choose_top_k = top_k;
                    doc.config.choose_top_p = top_p;
                    doc.config.choose_temperature = temperature;
                    keep(out, doc);
                }
}

void add_tiles(std::vector<Document>& out, const Form& form) {
    if (!has(form.reads, Reads::Tile)) return;
    for (const int tile : {1, 3, 100})
        for (const std::string_view mask : {"none", "causal", "drawn"}) {
            Document doc = table_document(form);
            doc.config.tile = tile;
            doc.config.mask = mask;
            doc.config.heads = 2;
            keep(out, doc);
        }
}

}  // namespace

double largest(const Matrix& m) {
    double most = 0;
    for (Eigen::Index i = 0; i < m.size(); ++i)
        if (std::isfinite(m.data()[i])) most = std::max(most, std::abs(static_cast<double>(m.data()[i])));
    return most;
}

bool same_number(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

testing::AssertionResult close(const Matrix& actual, const Matrix& expected, double relative) {
    if (actual.rows() != expected.rows() || actual.cols() != expected.cols())
        return testing::AssertionFailure() << "shape " << actual.rows() << "x" << actual.cols() << ", expected "
                                           << expected.rows() << "x" << expected.cols();
    const double allowed = relative * largest(expected);
    for (Eigen::Index r = 0; r < actual.rows(); ++r)
        for (Eigen::Index c = 0; c < actual.cols(); ++c) {
            const float a = actual(r, c), e = expected(r, c);
            if (same_number(a, e)) continue;
            if (!(std::abs(static_cast<double>(a) - static_cast<double>(e)) <= allowed))
                return testing::AssertionFailure()
                       << "[" << r << ", " << c << "] is " << a << ", expected " << e << " within " << allowed;
        }
    return testing::AssertionSuccess();
}

bool same_bits(const Matrix& a, const Matrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        if (std::isnan(a.data()[i]) && std::isnan(b.data()[i])) continue;
        if (std::memcmp(a.data() + i, b.data() + i, sizeof(float)) != 0) return false;
    }
    return true;
}

Matrix seeded_matrix(std::uint64_t seed, int rows, int cols, float spread) {
    Random random(seed);
    Matrix m(rows, cols);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = spread * random.normal();
    return m;
}

std::vector<Document> table_documents() {
    std::vector<Document> out;
    for (const Form& form : forms()) {
        add_products(out, form);
        add_choices(out, form);
        add_heads(out, form);
        add_blocks(out, form);
        add_decoding(out, form);
        add_tiles(out, form);
    }
    return out;
}

std::string name_of(const Document& d) {
    std::string name;
    for (const Field& field : document_fields())
        if (field.kind == FieldKind::Choice && !field.is_default(d)) name += std::string(field.chosen(d)) + " ";
    return d.config.form + ": " + name + "h" + std::to_string(d.config.heads) + "/" +
           std::to_string(d.config.key_heads());
}

void for_each_table_document(const std::function<void(const Document&, const Run&)>& check) {
    const std::vector<Document> documents = table_documents();
    ASSERT_GE(documents.size(), forms().size() * scores().size() * masks().size());
    const std::string_view test = testing::UnitTest::GetInstance()->current_test_info()->name();
    const auto share = static_cast<std::size_t>(table_share());
    for (std::size_t i = test.size() % share; i < documents.size(); i += share) {
        const Document& doc = documents[i];
        SCOPED_TRACE(name_of(doc));
        check(doc, run_valid(doc));
        if (testing::Test::HasFailure()) return;  // one document is enough to read
    }
}

Run run_valid(const Document& document) {
    Result<Run> result = run(document);
    if (result) return std::move(*result);
    ADD_FAILURE() << result.error().text();
    return {};
}

Document document_of(std::string_view json) {
    Result<Document> doc = document_from_json(json, "test.json");
    if (doc) return *doc;
    ADD_FAILURE() << doc.error().text() << "\nin " << json.substr(0, 500);
    return {};
}

Error refusal_of(std::string_view json) {
    const Result<Document> doc = document_from_json(json, "test.json");
    if (!doc) return doc.error();
    ADD_FAILURE() << "was accepted: " << json.substr(0, 500);
    return {};
}

Trace trace_of(const Matrix& scores) {
    Trace t;
    input(t, scores, {Role::Scores}, {Axis::Kind::Units, 0}, {Axis::Kind::Units, 0}, {Source::Given});
    return t;
}

Document numbers_document(const Matrix& x, std::string_view form) {
    Document doc;
    doc.text.clear();
    doc.config.form = form;
    doc.given[static_cast<std::size_t>(Given::X)] = x;
    return doc;
}

}  // namespace attn::test
