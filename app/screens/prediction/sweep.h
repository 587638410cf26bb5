#pragma once
// The page of interventions: the logit with each part of the model replaced in turn (a sweep), and the map of it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/frame/signed_map.h"
#include "app/screens/prediction/prediction.h"
#include "app/state/latest.h"
#include "app/state/memo.h"
#include "core/document/document.h"

namespace app {

/// What determines the runs of a sweep; the words that are examined do not.
struct SweepRequest {
    attn::Document document;
    int row = 0;  ///< of the logits
    attn::PutBy by = attn::PutBy::Zero;
    std::string text;       ///< patched from
    bool residual = false;  ///< at each depth and token; otherwise each head, attention and feed-forward layer, or each head's pattern
    bool operator==(const SweepRequest&) const = default;
};

/// Why there is nothing to compute.
enum class SweepRefusal : std::uint8_t { None, NoBlocks, SameText, OtherLength, SameLogit, Error };

/// The logits of the listed words at one row, in one run for each place. A part of it can be made first, and the rest
/// later.
struct Sweep {
    std::optional<SweepRequest> of = {};
    std::vector<int> words = {};               ///< ids
    std::vector<float> here = {}, there = {};  ///< without a replacement; of the other text
    std::vector<attn::Intervention> places = {};
    std::vector<std::vector<float>> logits = {};  ///< of the first so many places
    std::vector<std::string> other_tokens = {};   ///< of the other text
    int tokens = 0;                               ///< number of tokens of the text that it is compared with
    SweepRefusal refused = SweepRefusal::None;
    std::string error = {};  ///< SweepRefusal::Error

    bool finished() const { return refused != SweepRefusal::None || (!here.empty() && logits.size() == places.size()); }
    bool covers(int word) const;
    /// Of the target, or the difference of the two.
    double logit_in(const std::vector<float>& logits_of_words, int target, const std::optional<int>& against) const;
};

/// Computes what is missing. `run` is a run of the document without the replacements.
Sweep go_on_sweeping(const attn::Run& run, Sweep sweep, const std::stop_token& stop, const std::function<void(const Sweep&)>& so_far = {});

/// Whether two interventions replace the same numbers.
bool same_place(const attn::Intervention& a, const attn::Intervention& b);

/// As it is drawn: layers by heads, attention and feed-forward layer; or tokens by depths.
struct SweepMap {
    struct Row {
        attn::Part part = attn::Part::Main;
        int index = 0;  ///< layer or token
        bool operator==(const Row&) const = default;
    };
    struct Cell {
        std::size_t row = 0;
        int column = 0;
        double value = 0;  ///< the change, or with another text the share of the difference recovered; NaN: not computed yet
        attn::Intervention put;
    };
    bool residual = false;
    std::vector<Row> rows;
    int heads = 0;                     ///< columns of heads; those of `beside` follow
    std::vector<attn::Site> beside;    ///< Attention, FeedForward
    int depths = 0;                    ///< columns of the residual stream
    std::vector<Cell> cells;
    std::vector<std::size_t> largest_first;  ///< of those that are computed
    double largest = 0;                      ///< magnitude
    double here = 0, there = 0;

    int columns() const { return residual ? depths : heads + static_cast<int>(beside.size()); }
};
SweepMap lay_out_sweep(const Sweep& sweep, int target, const std::optional<int>& against);

struct SweepData {
    std::uint64_t generation = 0;  ///< of the run; 0: nothing was requested yet
    bool computing = false;
    std::size_t done = 0, runs = 0;
    SweepRefusal refused = SweepRefusal::None;
    std::string error;
    int tokens = 0, other_tokens = 0;
    std::vector<std::string> of_other_text;  ///< its tokens, where another text is patched in
    attn::PutBy by = attn::PutBy::Zero;
    std::string text;
    SweepMap map;
    SignedMap drawn;                   ///< the same with its titles
    std::optional<std::size_t> shown;  ///< the cell that is chosen
};

/// What the titles of a map are made of.
struct SweepWords {
    const attn::Trace* trace;
    const AxisLabels* labels;
    Language language;
    attn::CountFrom count;
};
/// `replaced`: what the document already replaces.
SignedMap lay_out_drawn(const SweepData& data, const SweepWords& words, const std::vector<attn::Intervention>& replaced);

/// Makes sweeps on a thread while the page is shown, and keeps the last ones: undoing a change or going back to another
/// replacement computes nothing again.
class SweepMaker {
public:
    /// Precondition: the other data of the screen is up to date, as far as it is ready.
    void follow(const AppState& state, Derived& derived);
    /// The page is not shown: nothing more is computed. What there is stays.
    void rest(Derived& derived);
    LateJob& job() { return job_; }
    /// How often a thread was started.
    int made() const { return made_; }

private:
    struct MapKey {
        int news = 0, target = 0;
        std::optional<int> against;
        bool operator==(const MapKey&) const = default;
    };
    struct RequestKey {
        std::uint64_t generation = 0;
        int row = 0;
        std::string by, from, places;
        bool operator==(const RequestKey&) const = default;
    };
    void turn_to(SweepRequest request);
    void halt();

    Sweep now_;
    RequestKey key_;
    std::vector<Sweep> past_;  ///< the latest one last
    bool running_ = false;
    int made_ = 0;
    int news_ = 0;  ///< changes whenever `now_` does
    Memo<MapKey, SweepMap> map_;
    struct DrawnKey {
        int maps = 0;
        std::uint64_t generation = 0;
        Language language = Language::English;
        attn::CountFrom count = attn::CountFrom::One;
        bool operator==(const DrawnKey&) const = default;
    };
    Memo<DrawnKey, SignedMap> drawn_;
    LatestOnly<Sweep> job_;
};

}  // namespace app
