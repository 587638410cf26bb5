// Random documents for the property tests; see support.h.
#include "core/attention/forms/attention.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/fields.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// A number from low to high - 1, uniform at every size: inRange alone prefers low numbers in the small documents that
/// come first, and would rarely draw the last rows of the tables.
int pick_int(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high)); }

template <class Row>
std::string pick_id(std::span<const Row> table) {
    return std::string(table[static_cast<std::size_t>(pick_int(0, static_cast<int>(table.size())))].id);
}

/// Hundredths from -4 to 4: numbers as a user types them.
float pick_number() { return static_cast<float>(pick_int(-400, 401)) / 100.0f; }

Matrix pick_matrix(int rows, int cols) {
    Matrix m(rows, cols);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = pick_number();
    return m;
}

bool pick_one_in(int many) { return pick_int(0, many) == 0; }

void pick_projections(Document& doc, int d) {
    const auto give = [&](Given which, int rows, int cols) {
        doc.given[static_cast<std::size_t>(which)] = pick_matrix(rows, cols);
    };
    doc.weights = *rc::gen::element<std::string>("identity", "random");
    doc.weight_seed = static_cast<std::uint64_t>(pick_int(0, 1000));
    doc.config.heads = pick_int(1, 5);
    if (pick_one_in(5)) {  // the head width as a setting, with few matrices that imply it
        doc.config.head_width = 2 * pick_int(1, 4);
        if (pick_one_in(2)) give(Given::b_Q, 1, doc.config.heads * doc.config.head_width);
        return;
    }
    const int queries = doc.config.heads * pick_int(1, 4), values = doc.config.heads * pick_int(1, 4);
    give(Given::W_Q, d, queries);
    give(Given::W_V, d, values);
    if (pick_one_in(2)) give(Given::W_K, d, queries);
    if (pick_one_in(2)) give(Given::W_O, values, pick_int(1, 5));
    const int out = doc.matrix(Given::W_O) ? static_cast<int>(doc.matrix(Given::W_O)->cols()) : values;
    if (pick_one_in(3)) give(Given::b_Q, 1, queries);
    if (pick_one_in(3)) give(Given::b_K, 1, queries);
    if (pick_one_in(3)) give(Given::b_V, 1, values);
    if (pick_one_in(3)) give(Given::b_O, 1, out);
}

/// Gives some of the named weights that a run would ask for.
void pick_parameters(Document& doc) {
    const auto plain = run(doc);
    RC_PRE(plain.ok());
    for (const Step& step : plain->trace.steps) {
        if (step.op != Op::Input || !pick_one_in(3)) continue;
        Document with = doc;
        with.parameters.push_back(
            {step.tag, pick_matrix(static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols()))});
        if (problems(with).empty()) doc = std::move(with);
    }
}

/// Blocks, decoding, tiles: a form that does not read them drops them.
void pick_blocks(Document& doc) {
    AttentionConfig& c = doc.config;
    c.layers = pick_int(1, 3);
    c.block = *rc::gen::element<std::string>("post_norm", "pre_norm", "output_norm", "both_norms", "parallel");
    if (c.form == "decoder" && c.block == "parallel") c.block = "pre_norm";
    c.norm = *rc::gen::element<std::string>("layer_norm", "rms_norm");
    c.activation = *rc::gen::element<std::string>("relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu", "geglu_tanh");
    c.ffn_width = pick_int(0, 6);
    c.epsilon = *rc::gen::element(kNormEpsilon, kNormEpsilon, 0.01f, 1.0f);
    c.rope_base = *rc::gen::element(kRopeBase, 100.0f, 500000.0f);
    if (pick_one_in(4)) c.rope_factor = *rc::gen::element(2.0f, 8.0f);
    if (pick_one_in(2)) c.rope_original = pick_int(1, 40);
    if (pick_one_in(5)) c.rope_pair_high = static_cast<float>(pick_int(1, 3)), c.rope_pair_low = static_cast<float>(pick_int(0, 1));
    if (pick_one_in(5)) c.rope_length = *rc::gen::element(0.5f, 1.25f);
    if (pick_one_in(4)) c.unplaced_every = pick_int(1, 3);
    if (pick_one_in(4)) c.unplaced_first = pick_int(0, 3);
    if (pick_one_in(4)) c.bare_layers = pick_int(1, 3);
    if (pick_one_in(4)) c.encoder_layers = pick_int(1, 3);
    if (pick_one_in(4)) c.output_scale = *rc::gen::element(0.5f, 2.0f);
    c.bias_buckets = pick_int(4, 9);
    c.bias_distance = pick_int(1, 5);
    if (pick_one_in(4)) c.score_root = *rc::gen::element(0.5f, 3.0f);
    if (pick_one_in(4)) c.score_cap = *rc::gen::element(0.5f, 5.0f);
    if (pick_one_in(4)) c.logit_cap = *rc::gen::element(0.5f, 5.0f);
    if (pick_one_in(4)) c.embedding_scale = *rc::gen::element(0.5f, 3.0f);
    if (pick_one_in(3)) c.global_every = pick_int(1, 3);
    if (pick_one_in(3)) c.global_first = pick_int(0, 3);
    if (pick_one_in(3)) c.local_rope_base = 50;
    c.score_width = pick_int(0, 5);
    if (pick_one_in(5)) c.head_width = 2 * pick_int(1, 3);
    c.generate = pick_int(1, 4);
    c.choose = *rc::gen::element<std::string>("greedy", "sample");
    c.choose_temperature = *rc::gen::element(0.0f, 0.5f, 1.0f, 1e38f);
    c.choose_top_k = pick_int(0, 3);
    c.choose_top_p = *rc::gen::element(0.0f, 0.5f, 1.0f);
    c.tile = pick_int(1, 4);
    if (has(find_form(c.form)->reads, Reads::Weights)) doc.weights = *rc::gen::element<std::string>("identity", "random");
}

}  // namespace

rc::Gen<Document> any_document() {
    return rc::gen::exec([] {
        Document doc;
        const int n = pick_int(1, 7), d = pick_int(1, 7);
        doc.text.clear();
        for (int i = 0; i < n; ++i) doc.tokens.push_back(*rc::gen::element<std::string>("a", "b", "猫", "e\u0301"));
        doc.given[static_cast<std::size_t>(Given::X)] = pick_matrix(n, d);
        doc.config.form = pick_id(forms());
        if (pick_one_in(2)) doc.config.score = pick_id(scores());
        doc.config.mask = pick_id(masks());
        doc.config.position = pick_id(positions());
        doc.config.temperature = *rc::gen::element(0.0f, 0.25f, 1.0f, 1.0f, 3.0f, 1e38f);
        const Reads reads = find_form(doc.config.form)->reads;
        int m = 0;
        if (has(reads, Reads::Source)) {
            m = pick_int(1, 6);
            doc.source.clear();
            doc.given[static_cast<std::size_t>(Given::X_source)] = pick_matrix(m, d);
        }
        if (doc.config.mask == "drawn" && !pick_one_in(4))
            doc.mask_pattern = (pick_matrix(n, has(reads, Reads::Order) ? n : m).array() > -1.0f).cast<float>();
        doc.config.scope = pick_id(scopes());
        doc.config.selection = pick_id(selections());
        doc.config.window = pick_int(1, 4);
        doc.config.top_k = pick_int(1, 5);
        doc.config.draws = pick_int(1, 20);
        doc.config.draw_seed = static_cast<std::uint64_t>(pick_int(0, 1000));
        doc.config.relative_clip = pick_int(1, 4);
        if (pick_one_in(3)) doc.config.gate = "sigmoid";
        if (pick_one_in(3)) doc.config.penalty = 0.25f;
        if (has(reads, Reads::Projections)) pick_projections(doc, d);
        if (has(reads, Reads::KeyHeads) && pick_one_in(3)) {
            doc.config.kv_heads = 1;
            for (const Given wide : {Given::W_K, Given::b_K, Given::b_V})
                doc.given[static_cast<std::size_t>(wide)].reset();
            doc.given[static_cast<std::size_t>(Given::W_V)] = pick_matrix(d, pick_int(1, 4));
            doc.given[static_cast<std::size_t>(Given::W_O)].reset();
            doc.given[static_cast<std::size_t>(Given::b_O)].reset();
        }
        if (!has(reads, Reads::Projections) && has(reads, Reads::Heads) && pick_one_in(2)) doc.config.heads = d;
        for (int h = 0; h < doc.config.heads; ++h)
            if (pick_one_in(6)) doc.config.heads_off.push_back(h);
        if (!has(reads, Reads::Source) && doc.mask_pattern.size() == 0 &&
            (doc.config.mask == "padding" || pick_one_in(6))) {
            doc.padding = pick_int(0, 3);
            doc.given[static_cast<std::size_t>(Given::X)] = pick_matrix(n + doc.padding, d);
        }
        pick_blocks(doc);
        drop_unread(doc);
        // Incompatible choices return to their defaults, as when a user switches in the program.
        for (const Error& wrong : problems(doc))
            if (const Field* field = find_field(wrong.key)) field->reset(doc);
        RC_PRE(problems(doc).empty());
        if (pick_one_in(3)) pick_parameters(doc);
        return doc;
    });
}

rc::Gen<Edit> any_edit(const Run& run) {
    // Copied, since the generator runs again, for smaller edits, after the run is gone.
    struct Room {
        Tag tag;
        int rows, cols;
    };
    std::vector<Room> rooms;
    for (const Step& step : run.trace.steps)
        rooms.push_back({step.tag, static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols())});
    return rc::gen::exec([rooms] {
        const Room& room = rooms[static_cast<std::size_t>(pick_int(0, static_cast<int>(rooms.size())))];
        const Role role = room.tag.role;
        const bool pattern = role == Role::MaskPattern || role == Role::CausalPattern || role == Role::ScopePattern ||
                             role == Role::PatternTile;
        return Edit{room.tag, pick_int(0, room.rows), pick_int(0, room.cols),
                    pattern ? static_cast<float>(pick_int(0, 2)) : pick_number()};
    });
}

}  // namespace attn::test
