#pragma once
// A state, what is derived from it, and actions: the program without its picture.

#include <string>
#include <string_view>
#include <vector>

#include "app/state/derived.h"
#include "app/state/state.h"

namespace app_test {

/// Random weights, so that Q, K and V differ.
inline attn::Document document_of(std::string_view text, int heads = 1, std::string_view mask = "none") {
    attn::Document doc;
    doc.text = text;
    doc.weights = "random";
    doc.config.heads = heads;
    doc.config.mask = mask;
    return doc;
}

/// A document with enough tokens to be computed on a thread; `seed` distinguishes several.
inline attn::Document large_document(std::uint64_t seed = 1) {
    attn::Document doc = document_of("");
    for (int i = 0; i < 400; ++i) doc.text += "cat ";
    doc.weight_seed = seed;
    return doc;
}

/// Applies actions as in a frame: refresh, update, refresh.
class Bench {
public:
    explicit Bench(attn::Document document = document_of("the tired cat sat down")) {
        state = app::first_state(app::Language::English);
        state.document = std::move(document);
        deriver.finish(state, derived);
    }
    void act(const app::Action& action) {
        app::update(state, action, derived);
        deriver.refresh(state, derived);
    }
    void edit(const attn::Document& document, std::string gesture = {}) {
        act(app::becomes(document, std::move(gesture)));
    }
    void pass(double seconds) { act(app::Advance{seconds}); }
    app::ViewState& view() { return state.view; }
    int last_stop() const { return static_cast<int>(derived.timeline.stops.size()) - 1; }
    app::CellRef cell(attn::Role role, int head, int row, int col) const { return {{role, head}, row, col}; }

    app::AppState state;
    app::Derived derived;
    app::Deriver deriver;
};

}  // namespace app_test
