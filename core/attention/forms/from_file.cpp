#include "core/attention/forms/shared.h"
#include "core/model/attention_file/given_attention.h"

namespace attn::form {
namespace {

/// Notes each row that is not a valid row of weights, so that its fault can be reported to the user.
void note_faulty_rows(Trace& t, StepId id, double tolerance) {
    const Matrix& value = t[id].value;
    for (int r = 0; r < static_cast<int>(value.rows()); ++r)
        if (check_row(value.data() + Eigen::Index{r} * value.cols(), static_cast<std::size_t>(value.cols()), tolerance).any())
            t.notes.push_back({id, r, RowState::NotWeights});
}

/// The weights as they are in the file. Nothing is computed, so there are no scores, queries, keys, values or output.
void run_from_file(Trace& t, const Inputs& in, const AttentionConfig&) {
    const GivenAttention& given = *in.attention;
    for (const AttentionStack& stack : given.stacks)
        for (int layer = 0; layer < stack.layers; ++layer) {
            const int number = stack.numbers[static_cast<std::size_t>(layer)];
            for (int head = 0; head < stack.heads; ++head) {
                const StepValue& map = stack.map(layer, head);
                const Tag tag{Role::Weights, stack.heads > 1 ? head : kNoHead, given.layers > 1 || number > 0 ? number : kNoLayer, kNoTime, stack.part};
                const StepId id = input(t, t.shapes ? StepValue(FrozenMatrix::of_shape(map.rows(), map.cols())) : map, tag, {stack.queries},
                                        {stack.keys}, {Source::File});
                // The rows of a map that is read later are noted when it is read.
                if (!t.shapes && !t[id].value.recipe()) note_faulty_rows(t, id, given.tolerance);
            }
        }
}

std::string from_file_formula(const AttentionConfig& config, Convention) {
    const std::string letter = "\\part{softmax}{{\\s A}";
    if (config.layers > 1) return letter + (config.heads > 1 ? "^{(l)}_{h}}" : "^{(l)}}");
    return letter + (config.heads > 1 ? "_{h}}" : "}");
}

std::string from_file_where(const AttentionConfig&, Convention) { return ""; }

}  // namespace

/// Weights that another program computed.
constexpr Form from_file = {
    .id = "from_file",
    .formula = from_file_formula,
    .where = from_file_where,
    .reads = Reads::Nothing,
    .run = run_from_file,
};

}  // namespace attn::form
