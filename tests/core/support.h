#pragma once
// What the engine's tests share: documents built from the catalogues, random documents, comparisons.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/io/json.h"
#include "core/trace/trace.h"
#include "tests/support/table_share.h"

namespace attn {

/// For messages of GoogleTest and rapidcheck.
void showValue(const Document& document, std::ostream& out);

}  // namespace attn

namespace attn::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Largest finite magnitude; 0 if there is none.
double largest(const Matrix& m);
/// Same shape, and every number within `relative` of the expected tensor's largest magnitude. Infinities and NaN must
/// be the same.
testing::AssertionResult close(const Matrix& actual, const Matrix& expected, double relative);
/// The same bits, NaN included.
bool same_bits(const Matrix& a, const Matrix& b);
bool same_number(float a, float b);  ///< equal, or both NaN

/// Numbers of the normal distribution, the same in every run.
Matrix seeded_matrix(std::uint64_t seed, int rows, int cols, float spread = 1);

/// One document for every row of every table with every other: forms × scores × masks × positions × tokenizers × heads,
/// as far as the form reads them. A row that is added to a table is included by itself.
std::vector<Document> table_documents();
/// "multi_head scaled_dot causal none auto h2".
std::string name_of(const Document& document);
using test_support::table_share;
/// Runs `check` for each of table_documents(), or for this test's share of them (table_share.h; each test takes another
/// share); a failure names its document.
void for_each_table_document(const std::function<void(const Document&, const Run&)>& check);

/// Valid documents with up to 6 tokens: every table row, given matrices and parameters of fitting shapes, heads
/// switched off, padding; no edits.
rc::Gen<Document> any_document();
/// One typed-over number of one step of `run`.
rc::Gen<Edit> any_edit(const Run& run);

/// Runs a document, which must be valid.
Run run_valid(const Document& document);
/// Reads a document from JSON, which must be valid.
Document document_of(std::string_view json);
/// The error of JSON that must be refused ("" if it is not), as it is printed, without the file's name.
Error refusal_of(std::string_view json);

/// A trace that holds `scores` alone, for operations to be added.
Trace trace_of(const Matrix& scores);

/// A document with given numbers and no sentence.
Document numbers_document(const Matrix& x, std::string_view form);

}  // namespace attn::test
