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

StepId from_disk(Trace& t, const StepValue& value, Tag tag, Axis rows, Axis cols) {
    return input(t, t.shapes ? StepValue(FrozenMatrix::of_shape(value.rows(), value.cols())) : value, tag, rows, cols, {Source::File});
}

int layer_in_names(const GivenAttention& given, int number) { return given.layers > 1 || number > 0 ? number : kNoLayer; }

/// The residual stream behind one layer.
void record_stream(Trace& t, const GivenAttention& given, Part part, int layer) {
    for (const GivenStream& stream : given.streams) {
        if (stream.part != part) continue;
        if (layer < 0)
            from_disk(t, stream.input, {Role::Inputs, kNoHead, kNoLayer, kNoTime, part}, {stream.tokens}, {});
        else if (layer < static_cast<int>(stream.layers.size()))
            from_disk(t, stream.layers[static_cast<std::size_t>(layer)], {Role::Residual, kNoHead, layer, kNoTime, part}, {stream.tokens}, {});
    }
}

/// The streams of layers that the file has no attention of come last.
void record_other_streams(Trace& t, const GivenAttention& given) {
    for (const GivenStream& stream : given.streams) {
        if (!find(t, {Role::Inputs, kNoHead, kNoLayer, kNoTime, stream.part})) record_stream(t, given, stream.part, -1);
        for (int layer = 0; layer < static_cast<int>(stream.layers.size()); ++layer)
            if (!find(t, {Role::Residual, kNoHead, layer, kNoTime, stream.part})) record_stream(t, given, stream.part, layer);
    }
}

/// The weights as they are in the file. Nothing is computed, so there are no scores, queries, keys, values or output.
void run_from_file(Trace& t, const Inputs& in, const AttentionConfig&) {
    const GivenAttention& given = *in.attention;
    for (const AttentionStack& stack : given.stacks) {
        record_stream(t, given, stack.part, -1);
        for (int layer = 0; layer < stack.layers; ++layer) {
            const int number = stack.numbers[static_cast<std::size_t>(layer)];
            for (int head = 0; head < stack.heads; ++head) {
                const Tag tag{Role::Weights, stack.heads > 1 ? head : kNoHead, layer_in_names(given, number), kNoTime, stack.part};
                const StepId id = from_disk(t, stack.map(layer, head), tag, {stack.queries}, {stack.keys});
                // The rows of a map that is read later are noted when it is read.
                if (!t.shapes && !t[id].value.recipe()) note_faulty_rows(t, id, given.tolerance);
            }
            record_stream(t, given, stack.part, number);
        }
    }
    record_other_streams(t, given);
}

/// Which keys each query sees, once for all heads, and for all layers of the stack that have the same mask.
StepId pattern_of(Trace& t, const AttentionStack& stack, const ComparedLayer& layer, Tag tag) {
    if (layer.pattern.size() == 0) return kNoStep;
    bool shared = true;
    for (const ComparedLayer& other : stack.compared) shared = shared && other.pattern_of == 0;
    tag = tag.as(Role::MaskPattern).of_head(kNoHead);
    if (shared) tag.layer = kNoLayer;
    if (const StepId there = find_given(t, tag); there != kNoStep) return there;
    return from_disk(t, layer.pattern, tag, {stack.queries}, {stack.keys});
}

void compare_layer(Trace& t, const AttentionStack& stack, const ComparedLayer& layer, Tag of_layer) {
    const auto numbered = [](std::size_t i, std::size_t count) { return count > 1 ? static_cast<int>(i) : kNoHead; };
    std::vector<StepId> keys;
    for (std::size_t i = 0; i < layer.keys.size(); ++i)
        keys.push_back(from_disk(t, layer.keys[i], of_layer.as(Role::Keys).of_head(numbered(i, layer.keys.size())), {stack.keys}, {}));
    const StepId pattern = pattern_of(t, stack, layer, of_layer);
    const double work = 1.0 * stack.heads * stack.rows * stack.cols * static_cast<double>(layer.queries.front().cols());
    begin_heads(t, stack.heads, work);
    for (std::size_t i = 0; i < layer.queries.size(); ++i) {
        const Tag tag = of_layer.of_head(numbered(i, layer.queries.size()));
        const StepId queries = from_disk(t, layer.queries[i], tag.as(Role::Queries), {stack.queries}, {});
        const StepId turned = transpose(t, keys[static_cast<std::size_t>(layer.keys_of[i])], tag.as(Role::KeysTransposed));
        StepId scores = matmul(t, queries, turned, tag.as(Role::Scores));
        scores = scale(t, scores, layer.scale, tag.as(Role::Scaled));
        if (pattern != kNoStep) scores = mask(t, scores, pattern, tag.as(Role::Masked));
        softmax(t, scores, 1, tag.as(Role::Weights));
    }
    compute_heads(t);
}

/// softmax(Q Kᵀ · scale) of each head, where the file has queries and keys. Values and outputs are not in it.
void run_from_queries(Trace& t, const Inputs& in, const AttentionConfig&) {
    const GivenAttention& given = *in.attention;
    for (const AttentionStack& stack : given.stacks) {
        record_stream(t, given, stack.part, -1);
        for (int layer = 0; layer < stack.layers; ++layer) {
            const int number = stack.numbers[static_cast<std::size_t>(layer)];
            compare_layer(t, stack, stack.compared[static_cast<std::size_t>(layer)],
                          {Role::Queries, kNoHead, layer_in_names(given, number), kNoTime, stack.part});
            record_stream(t, given, stack.part, number);
        }
    }
    record_other_streams(t, given);
}

std::string subscripts(const AttentionConfig& config) { return std::string(config.layers > 1 ? "^{(l)}" : "") + (config.heads > 1 ? "_{h}" : ""); }

std::string from_file_formula(const AttentionConfig& config, Convention) { return "\\part{softmax}{{\\s A}" + subscripts(config) + "}"; }

std::string from_queries_formula(const AttentionConfig& config, Convention shown) {
    const std::string sub = subscripts(config), q = "{\\q Q" + sub + "}", k = "{\\k K" + sub + "}";
    const std::string product = shown == Convention::Columns ? k + "^T\\," + q : q + "\\," + k + "^T";
    return "{\\s A" + sub + "} = \\part{softmax}{\\word{softmax}(\\part{mask}{\\part{scale}{c\\,\\part{scores}{" + product + "}} + {\\m M}})}";
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

/// Weights of queries and keys that another program computed.
constexpr Form from_queries = {
    .id = "from_queries",
    .formula = from_queries_formula,
    .where = from_file_where,
    .reads = Reads::Nothing,
    .run = run_from_queries,
};

}  // namespace attn::form
