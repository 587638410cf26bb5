#pragma once
// The page of W_OV and W_QK: what the shown head does by its weights alone, and what it does with one token of the text.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/state/latest.h"
#include "app/state/memo.h"
#include "app/state/state.h"
#include "core/analysis/circuits.h"

namespace app {

struct Derived;

/// Listed for each token; as many as the tallest window has room for.
inline constexpr int kCircuitWords = 12;

/// A head by its weights; the spectra come first, because the copying score reads the whole vocabulary.
struct HeadFacts {
    std::optional<attn::HeadCircuits> made;  ///< with this head alone; none: it has no such matrices
    bool copying = false;                    ///< its copying score is computed
    double share = 0;                        ///< of the work, 0 … 1
};
/// What the head does with a token.
struct TokenFacts {
    std::optional<attn::WordRow> moved = {}, sought = {};  ///< none: not computed yet, or the model has no words to name
    bool finished = false;
    double share = 0;
};
HeadFacts make_head_facts(const attn::Run& run, const attn::Tag& head, const std::stop_token& stop, const std::function<void(const HeadFacts&)>& so_far);
TokenFacts make_token_facts(const attn::Run& run, const attn::Tag& head, int id, const std::stop_token& stop, const std::function<void(const TokenFacts&)>& so_far);

struct CircuitData {
    std::vector<int> ids;  ///< of the text's tokens; −1: the model has no vector for it
    int token = -1;        ///< the chosen one, an index into `ids`; −1: there is none
    HeadFacts head;
    TokenFacts of_token;
    bool computing = false;

    const attn::HeadCircuit* circuit() const { return head.made ? &head.made->heads.front() : nullptr; }
};

/// Makes it on threads while the page is shown. Another text needs nothing of a head again.
class CircuitMaker {
public:
    /// `weights`: the document without its text. `head`: of its weights.
    void follow(const attn::Document& weights, const attn::Tag& head, const std::vector<int>& picked, const attn::Document& document, const Derived& derived);
    /// What is known so far, always the same object: results of other pages come and go without it.
    std::shared_ptr<const CircuitData> data() const { return data_; }
    /// The page is not shown: what is being computed is given up.
    void rest();
    LateJob& head_job() { return head_.job(); }
    LateJob& token_job() { return token_.job(); }
    int made() const { return head_.made() + token_.made(); }

private:
    struct HeadKey {
        attn::Document weights;
        attn::Tag head;
        bool operator==(const HeadKey&) const = default;
    };
    struct TokenKey {
        HeadKey head;
        int id = 0;
        bool operator==(const TokenKey&) const = default;
    };
    LateMemo<HeadKey, HeadFacts> head_;
    LateMemo<TokenKey, TokenFacts> token_;
    Memo<std::uint64_t, std::vector<int>> ids_;
    std::shared_ptr<CircuitData> data_ = std::make_shared<CircuitData>();
};

}  // namespace app
