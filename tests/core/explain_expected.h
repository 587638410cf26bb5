#pragma once
// The expected value of every field of an explanation, from numbers that our kernels did not compute: the reference's float64
// values of the steps that are read and computed, the document's settings, and definitions written out here.

#include <limits>
#include <vector>

#include "core/ops/explain.h"
#include "tests/core/reference.h"
#include "tests/core/support.h"

namespace attn::test {

constexpr double kHidden = -std::numeric_limits<double>::infinity();
constexpr double kClose = 1e-5;

/// The expected value of each field; fields that an operation does not use must be as in an empty explanation.
struct Fields {
    double factor = 1, temperature = 1, maximum = 0, sum = 0, threshold = 0, mean = 0, variance = 0, gain = 1, bias = 0,
           angle = 0, position = 0;
    int draws = 0;
};

/// A term as the reference has it.
struct Expected {
    std::vector<double> values;
    Fields fields;
};

/// A document of the reference, its run, and the reference's numbers of each step.
struct Case {
    Document doc;
    Trace trace;
    std::vector<Numbers> numbers;
    const JsonValue* all_masked = nullptr;  ///< null: no row is wholly masked

    const Numbers& of(StepId id) const { return numbers[static_cast<std::size_t>(id)]; }
    double at(Cell cell) const { return of(cell.step)(cell.row, cell.col); }
    bool is_masked(StepId id, int row) const {
        const JsonValue* rows = all_masked ? all_masked->find(step_name(trace[id].tag)) : nullptr;
        if (!rows) return false;
        for (const JsonValue& one : rows->items)
            if (one.integer == row) return true;
        return false;
    }
};

Case case_of(const JsonValue& one);
Expected expected_of(const Case& c, const Explanation& found);

}  // namespace attn::test
