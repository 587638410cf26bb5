#include "app/screens/heads/circuit.h"

#include <algorithm>
#include <utility>

#include "app/state/derived.h"
#include "core/base/progress.h"

namespace app {
namespace {

/// The last of the picked tokens that has a vector; else the last one of the text that has.
int chosen_token(const std::vector<int>& ids, const std::vector<int>& picked) {
    const auto known = [&](int i) { return i >= 0 && i < std::ssize(ids) && ids[static_cast<std::size_t>(i)] >= 0; };
    for (auto i = std::ssize(picked) - 1; i >= 0; --i)
        if (known(picked[static_cast<std::size_t>(i)])) return picked[static_cast<std::size_t>(i)];
    for (int i = static_cast<int>(ids.size()) - 1; i >= 0; --i)
        if (known(i)) return i;
    return -1;
}

/// Work is counted in words that are read (core/analysis/circuits.h).
double words_of(const attn::Run& run) { return static_cast<double>(run.inputs.word_vectors.rows()); }

std::optional<attn::WordRow> only_row(std::vector<attn::WordRow> rows) {
    if (rows.empty()) return std::nullopt;
    return std::move(rows.front());
}

}  // namespace

HeadFacts make_head_facts(const attn::Run& run, const attn::Tag& head, const std::stop_token& stop, const std::function<void(const HeadFacts&)>& so_far) {
    HeadFacts out;
    // Of cross-attention there are none: it reads one stack and writes to another.
    if (head.part == attn::Part::Cross) return out;
    auto made = attn::head_circuit(run, head);
    if (!made) return out;
    out.made = std::move(*made);
    so_far(out);
    const attn::Progress progress([&](double share) {
        out.share = share;
        so_far(out);
    });
    attn::expect_work(words_of(run));
    const double copying = attn::copying_score(run, head, stop);
    out.made->heads.front().copying = copying;
    out.copying = true;
    return out;
}

TokenFacts make_token_facts(const attn::Run& run, const attn::Tag& head, int id, const std::stop_token& stop, const std::function<void(const TokenFacts&)>& so_far) {
    TokenFacts out;
    const attn::Progress progress([&](double share) {
        out.share = share;
        so_far(out);
    });
    attn::expect_work(2 * words_of(run));
    out.moved = only_row(attn::moved_words(run, head, {id}, kCircuitWords, stop));
    if (stop.stop_requested()) return out;
    out.sought = only_row(attn::sought_words(run, head, {id}, kCircuitWords, stop));
    out.finished = true;
    return out;
}

void CircuitMaker::follow(const attn::Document& weights, const attn::Tag& head, const std::vector<int>& picked, const attn::Document& document, const Derived& derived) {
    CircuitData& out = *data_;
    head_.take(out.head);
    token_.take(out.of_token);
    ids_.follow(out.ids, derived.generation, [&](std::vector<int>& made) { made = attn::word_rows_of(document, *derived.run); });
    out.token = chosen_token(out.ids, picked);
    // While another run is being computed, the present one is not the document's.
    if (derived.computing) return;
    const HeadKey of{weights, head};
    if (!head_.requested_for(of)) {
        out.head = {};
        head_.ask_by_parts(out.head, of, false, [run = derived.computed, head](const std::stop_token& stop, const auto& so_far) { return make_head_facts(run->run, head, stop, so_far); });
    }
    if (out.token < 0) {
        token_.forget();
        out.of_token = {};
    } else if (const TokenKey key{of, out.ids[static_cast<std::size_t>(out.token)]}; !token_.requested_for(key)) {
        out.of_token = {};
        token_.ask_by_parts(out.of_token, key, false, [run = derived.computed, head, id = key.id](const std::stop_token& stop, const auto& so_far) {
            return attn::no_circuits(run->run) || head.part == attn::Part::Cross ? TokenFacts{.finished = true} : make_token_facts(run->run, head, id, stop, so_far);
        });
    }
    out.computing = head_.job().busy() || token_.job().busy();
}

void CircuitMaker::rest() {
    if (head_.job().busy()) head_.forget();
    if (token_.job().busy()) token_.forget();
}

}  // namespace app
