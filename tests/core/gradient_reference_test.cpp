// The reverse pass against PyTorch's autograd in float64: tests/data/gradients.py makes the documents and the numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "core/attention/forms/attention.h"
#include "core/gradient/gradient.h"
#include "core/io/json.h"
#include "core/io/matrix_json.h"
#include "places.h"
#include "tests/core/cross_entropy.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kOfPyTorch = 1e-5;  // of the tensor's largest magnitude

JsonValue gradient_cases() {
    std::ifstream file(ATTN_SOURCE_DIR "/tests/data/gradients.json", std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    auto parsed = parse_json(bytes.str());
    EXPECT_TRUE(parsed.ok());
    return parsed ? *parsed->find("cases") : JsonValue{};
}

TEST(Gradient, AgreesWithPyTorch) {
    const JsonValue cases = gradient_cases();
    std::set<std::string, std::less<>> compared_forms;
    int compared = 0;
    for (const JsonValue& one : cases.items) {
        attn::Run run = run_valid(document_of(one.find("document")->string));
        compared_forms.insert(std::string(document_of(one.find("document")->string).config.form));
        Trace& t = run.trace;
        const StepId step = find_step(t, one.find("step")->string);
        ASSERT_NE(step, kNoStep);
        Objective objective;
        if (const JsonValue* targets = one.find("targets")) {
            std::vector<int> words;
            for (const JsonValue& target : targets->items) words.push_back(static_cast<int>(target.integer));
            const CrossEntropy loss = cross_entropy(t, step, words);
            EXPECT_NEAR(static_cast<double>(t[loss.loss].value(0, 0)), one.find("loss")->number, 1e-5);
            objective = loss.objective;
        } else {
            objective = objective_of(t, step, *matrix_from_json(*one.find("objective"), "objective"));
        }
        const Gradients gradients = record_gradients(t, {{objective}});
        for (const JsonMember& member : one.find("gradients")->members) {
            const StepId of = find_step(t, member.key);
            ASSERT_NE(of, kNoStep) << member.key;
            const StepId gradient = gradients.of[static_cast<std::size_t>(of)];
            ASSERT_NE(gradient, kNoStep) << member.key;
            const Matrix expected = *matrix_from_json(member.value, member.key);
            ASSERT_EQ(expected.rows(), t[gradient].value.rows()) << member.key;
            const Matrix& computed = t[gradient].value;
            // A key's bias shifts a whole row of scores: its gradient is 0 up to rounding.
            EXPECT_LE(largest(computed - expected), kOfPyTorch * std::max(largest(expected), 0.1)) << member.key;
            ++compared;
        }
    }
    EXPECT_GT(compared, 200);
    for (const Form& form : forms()) {
        if (form.id == "from_file") continue;  // it has no numbers of its own
        EXPECT_EQ(compared_forms.count(form.id), 1u) << form.id;
    }
}

}  // namespace
}  // namespace attn::test
