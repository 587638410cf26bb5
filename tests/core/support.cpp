#include "tests/core/support.h"

#include <cmath>
#include <cstring>
#include <ostream>

#include "core/attention.h"
#include "core/document_fields.h"
#include "core/ops.h"
#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/random.h"
#include "core/text/tokenizer.h"

namespace attn {

void showValue(const Document& document, std::ostream& out) { out << document_to_json(document); }

}  // namespace attn

namespace attn::test {
namespace {

constexpr std::string_view kText = "the cat 早上 the";

/// 1 and 0, with the first row wholly masked.
Matrix pattern_of(int n) {
    Matrix pattern = (seeded_matrix(5, n, n).array() > -0.3f).cast<float>();
    if (n > 0) pattern.row(0).setZero();
    return pattern;
}

Document table_document(const Variant& variant, const Score& score, const Mask& mask, const Position& position,
                        const Tokenizer& tokenizer, int heads) {
    Document doc;
    doc.text = kText;
    doc.tokenizer = tokenizer.id;
    doc.config.variant = variant.id;
    doc.config.score = score.id;
    doc.config.mask = mask.id;
    doc.config.position = position.id;
    doc.config.heads = heads;
    if (has(variant.uses, Uses::Projections)) {
        doc.weights = "random";
        if (heads % 2 == 0)
            for (const Given bias : {Given::b_Q, Given::b_K, Given::b_V, Given::b_O})
                doc.given[static_cast<std::size_t>(bias)] = seeded_matrix(7 + static_cast<std::uint64_t>(bias), 1, 8);
    }
    if (mask.id == "drawn") doc.mask_pattern = pattern_of(static_cast<int>(tokens_of(doc).size()));
    return doc;
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
    for (const Variant& variant : variants())
        for (const Score& score : scores())
            for (const Mask& mask : masks())
                for (const Position& position : positions())
                    for (const Tokenizer& tokenizer : tokenizers())
                        for (const int heads : {1, 2, 4, 8})
                            if (heads == 1 || has(variant.uses, Uses::Heads))
                                out.push_back(table_document(variant, score, mask, position, tokenizer, heads));
    return out;
}

std::string name_of(const Document& d) {
    return d.config.variant + " " + d.config.score + " " + d.config.mask + " " + d.config.position + " " + d.tokenizer +
           " h" + std::to_string(d.config.heads);
}

void for_each_table_document(const std::function<void(const Document&, const Run&)>& check) {
    const std::vector<Document> documents = table_documents();
    ASSERT_GE(documents.size(), variants().size() * scores().size() * masks().size());
    for (const Document& doc : documents) {
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

Document numbers_document(const Matrix& x, std::string_view variant) {
    Document doc;
    doc.text.clear();
    doc.config.variant = variant;
    doc.given[static_cast<std::size_t>(Given::X)] = x;
    return doc;
}

}  // namespace attn::test
