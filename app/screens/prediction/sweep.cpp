#include "app/screens/prediction/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/analysis/patching.h"
#include "core/attention/form.h"
#include "core/document/intervene.h"

namespace app {
namespace {

constexpr std::size_t kRememberedSweeps = 8;
/// Partial results are shown this often.
constexpr std::chrono::milliseconds kBetweenNews{100};

bool reads(const attn::Document& document, attn::Reads use) { return attn::has(attn::find_form(document.config.form)->reads, use); }

/// The tokens that another text takes the places of.
std::vector<std::string> patched_tokens(const attn::Document& document) {
    return reads(document, attn::Reads::Source) ? attn::source_tokens_of(document) : attn::tokens_of(document);
}

/// Whether the run has a step there: not every form has feed-forward layers.
bool exists(const attn::Document& document, const attn::Trace& trace, const attn::Intervention& put) {
    const std::vector<attn::Tag> tags = attn::tags_of(document, put);
    return std::ranges::any_of(trace.steps, [&](const attn::Step& step) {
        attn::Tag tag = step.tag;
        tag.time = attn::kNoTime;
        return std::ranges::find(tags, tag) != tags.end();
    });
}

std::vector<attn::Intervention> places_in(const attn::Run& run, const SweepRequest& of) {
    if (of.residual) return attn::places_of(of.document, run, attn::Site::Residual, of.by, of.text);
    if (attn::rule_of(of.by)) return attn::places_of(of.document, run, attn::Site::Pattern, of.by);  // only heads have a pattern
    std::vector<attn::Intervention> out = attn::places_of(of.document, run, attn::Site::Head, of.by, of.text);
    for (const attn::Site site : {attn::Site::Attention, attn::Site::FeedForward})
        for (attn::Intervention& put : attn::places_of(of.document, run, site, of.by, of.text))
            if (exists(of.document, run.trace, put)) out.push_back(std::move(put));
    // In the order of the rows, so that the map fills from the top.
    std::ranges::stable_sort(out, {}, [](const attn::Intervention& put) { return std::pair(put.part != attn::Part::Encoder, put.layer); });
    return out;
}

std::vector<float> logits_at(const attn::Run& run, int row, const std::vector<int>& words) {
    const attn::RowVector all = run.trace[attn::logits_step(run.trace)].value.one_row(row);
    std::vector<float> out;
    for (const int word : words) out.push_back(all(word));
    return out;
}

bool refuse(Sweep& sweep, SweepRefusal why, std::string error = {}) {
    sweep.refused = why;
    sweep.error = std::move(error);
    return false;
}

/// What precedes the runs; false: there is nothing to run.
bool prepare(const attn::Run& run, Sweep& sweep) {
    const SweepRequest& of = *sweep.of;
    if (!reads(of.document, attn::Reads::Blocks)) return refuse(sweep, SweepRefusal::NoBlocks);
    if (of.by == attn::PutBy::Text) {
        const std::vector<std::string> tokens = patched_tokens(of.document);
        sweep.other_tokens = patched_tokens(attn::patched_from(of.document, of.text));
        sweep.tokens = static_cast<int>(tokens.size());
        if (tokens == sweep.other_tokens) return refuse(sweep, SweepRefusal::SameText);
        if (tokens.size() != sweep.other_tokens.size()) return refuse(sweep, SweepRefusal::OtherLength);
    }
    sweep.places = places_in(run, of);
    if (sweep.places.empty()) return refuse(sweep, SweepRefusal::NoBlocks);
    if (const auto wrong = attn::problems(attn::with_intervention(of.document, sweep.places.front())); !wrong.empty())
        return refuse(sweep, SweepRefusal::Error, wrong.front().message);
    sweep.here = logits_at(run, of.row, sweep.words);
    return true;
}

}  // namespace

attn::PutBy SweepLook::put_by() const {
    const auto* const at = std::ranges::find(attn::kPutBy, by);
    return at == attn::kPutBy.end() ? attn::PutBy::Zero : static_cast<attn::PutBy>(at - attn::kPutBy.begin());
}

bool Sweep::covers(int word) const { return std::ranges::find(words, word) != words.end(); }

double Sweep::logit_in(const std::vector<float>& logits_of_words, int target, const std::optional<int>& against) const {
    const auto at = [&](int word) { return static_cast<double>(logits_of_words[static_cast<std::size_t>(std::ranges::find(words, word) - words.begin())]); };
    return at(target) - (against ? at(*against) : 0);
}

bool same_place(const attn::Intervention& a, const attn::Intervention& b) {
    return a.at == b.at && a.part == b.part && a.layer == b.layer && a.tokens == b.tokens && (!attn::is_of_a_head(a.at) || a.head == b.head);
}

Sweep go_on_sweeping(const attn::Run& run, Sweep sweep, const std::stop_token& stop, const std::function<void(const Sweep&)>& so_far) {
    if (sweep.here.empty() && !prepare(run, sweep)) return sweep;
    const SweepRequest& of = *sweep.of;
    attn::OtherRuns others;
    if (of.by == attn::PutBy::Text) {
        auto other = attn::run(attn::patched_from(of.document, of.text), stop);
        if (!other) {
            if (!stop.stop_requested()) refuse(sweep, SweepRefusal::Error, other.error().message);
            return sweep;
        }
        sweep.there = logits_at(*other, of.row, sweep.words);
        others[of.text] = std::make_shared<const attn::Run>(std::move(*other));
    }
    if (so_far) so_far(sweep);
    auto reported = std::chrono::steady_clock::now();
    while (sweep.logits.size() < sweep.places.size() && !stop.stop_requested()) {
        const auto replaced = attn::run(attn::with_intervention(of.document, sweep.places[sweep.logits.size()]), stop, {}, others);
        if (!replaced) {
            if (!stop.stop_requested()) refuse(sweep, SweepRefusal::Error, replaced.error().message);
            break;
        }
        sweep.logits.push_back(logits_at(*replaced, of.row, sweep.words));
        const auto now = std::chrono::steady_clock::now();
        if (!so_far || now - reported < kBetweenNews) continue;
        so_far(sweep);
        reported = now;
    }
    return sweep;
}

namespace {

/// The column of a place that is no head.
int column_beside(SweepMap& map, attn::Site site) {
    const auto at = std::ranges::find(map.beside, site);
    if (at != map.beside.end()) return static_cast<int>(at - map.beside.begin());
    map.beside.push_back(site);
    return static_cast<int>(map.beside.size()) - 1;
}

}  // namespace

SweepMap lay_out_sweep(const Sweep& sweep, int target, const std::optional<int>& against) {
    SweepMap out;
    if (!sweep.of || sweep.here.empty()) return out;
    out.residual = sweep.of->residual;
    out.here = sweep.logit_in(sweep.here, target, against);
    const bool shares = !sweep.there.empty();
    if (shares) out.there = sweep.logit_in(sweep.there, target, against);
    for (const attn::Intervention& put : sweep.places) {
        if (attn::is_of_a_head(put.at)) out.heads = std::max(out.heads, put.head + 1);
        if (put.at == attn::Site::Residual) out.depths = std::max(out.depths, put.layer + 1);
    }
    for (std::size_t i = 0; i < sweep.places.size(); ++i) {
        const attn::Intervention& put = sweep.places[i];
        const SweepMap::Row row{put.part, out.residual ? put.tokens.front() : put.layer};
        const auto known = std::ranges::find(out.rows, row);
        SweepMap::Cell cell{.row = static_cast<std::size_t>(known - out.rows.begin()), .value = std::numeric_limits<double>::quiet_NaN(), .put = put};
        if (known == out.rows.end()) out.rows.push_back(row);
        cell.column = out.residual ? put.layer : attn::is_of_a_head(put.at) ? put.head : out.heads + column_beside(out, put.at);
        if (i < sweep.logits.size()) {
            const double logit = sweep.logit_in(sweep.logits[i], target, against);
            cell.value = shares ? attn::recovered(logit, out.here, out.there) : logit - out.here;
        }
        if (std::isfinite(cell.value)) {
            out.largest = std::max(out.largest, std::abs(cell.value));
            out.largest_first.push_back(out.cells.size());
        }
        out.cells.push_back(std::move(cell));
    }
    std::ranges::stable_sort(out.largest_first, std::ranges::greater{}, [&](std::size_t i) { return std::abs(out.cells[i].value); });
    return out;
}

namespace {

SweepRequest request_of(const AppState& state, const PredictionData& data) {
    const SweepLook& look = state.view.part<PredictionLook>().sweep;
    SweepRequest out{.document = attn::for_prediction(state.document), .row = data.row, .by = look.put_by(), .text = {}, .residual = look.residual()};
    out.document.gradient.reset();
    if (out.by == attn::PutBy::Text) out.text = look.from;
    return out;
}

/// The chosen place; else the chosen head, if the map has it, or the place that matters most.
std::optional<std::size_t> shown_cell(const SweepMap& map, const std::optional<attn::Intervention>& place, const std::optional<HeadPlace>& head) {
    const auto find = [&](auto is) -> std::optional<std::size_t> {
        const auto at = std::ranges::find_if(map.cells, is);
        return at == map.cells.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - map.cells.begin()));
    };
    std::optional<std::size_t> out;
    if (place) out = find([&](const SweepMap::Cell& cell) { return same_place(cell.put, *place); });
    if (!out && head)
        out = find([&](const SweepMap::Cell& cell) {
            return attn::is_of_a_head(cell.put.at) && cell.put.part == head->at.part && cell.put.layer == head->at.layer && cell.put.head == head->head;
        });
    if (out || map.largest_first.empty()) return out;
    // A head, where there are any: it is what the other screens show.
    const auto largest = std::ranges::find_if(map.largest_first, [&](std::size_t i) { return map.residual || attn::is_of_a_head(map.cells[i].put.at); });
    return largest == map.largest_first.end() ? map.largest_first.front() : *largest;
}

}  // namespace

void SweepMaker::halt() {
    if (!running_) return;
    job_.drop();
    running_ = false;
}

void SweepMaker::rest(Derived& derived) {
    halt();
    if (std::as_const(derived).part<SweepData>().computing) derived.part<SweepData>().computing = false;
}

void SweepMaker::turn_to(SweepRequest request) {
    halt();
    if (now_.of && !now_.logits.empty()) {
        if (past_.size() == kRememberedSweeps) past_.erase(past_.begin());
        past_.push_back(std::move(now_));
    }
    now_ = {};
    const auto there = std::ranges::find_if(past_, [&](const Sweep& one) { return *one.of == request; });
    if (there != past_.end()) {
        now_ = std::move(*there);
        past_.erase(there);
    }
    now_.of = std::move(request);
    ++news_;
}

void SweepMaker::follow(const AppState& state, Derived& derived) {
    const PredictionData& data = std::as_const(derived).part<PredictionData>();
    SweepData& out = derived.part<SweepData>();
    if (auto made = job_.take()) {
        now_ = std::move(*made);
        ++news_;
    }
    if (derived.computing || data.computing || data.generation != derived.generation || data.row < 0) {
        halt();
        out.computing = false;
        return;
    }
    const SweepLook& look = state.view.part<PredictionLook>().sweep;
    // The document is copied and compared only where something changed.
    if (RequestKey key{derived.generation, data.row, look.by, look.from, look.places}; !now_.of || key != key_) {
        key_ = std::move(key);
        SweepRequest request = request_of(state, data);
        if (!now_.of || !(*now_.of == request)) turn_to(std::move(request));
    }
    const std::optional<int> against = data.against ? std::optional(data.against->id) : std::nullopt;
    if (!now_.covers(data.target.id) || (against && !now_.covers(*against))) {
        // The logit of this word was not recorded, so the runs are repeated.
        halt();
        Sweep fresh{.of = std::move(now_.of), .words = std::move(now_.words)};
        const auto add = [&](int word) {
            if (!fresh.covers(word)) fresh.words.push_back(word);
        };
        for (const PredictedToken& one : data.words) add(one.word.id);
        add(data.target.id);
        if (against) add(*against);
        now_ = std::move(fresh);
        ++news_;
    }
    if (now_.finished() || look.stopped)
        halt();
    else if (!running_) {
        running_ = true;
        ++made_;
        job_.ask_by_parts([run = derived.computed, begun = now_](const std::stop_token& stop, const auto& so_far) { return go_on_sweeping(run->run, begun, stop, so_far); });
    }
    map_.follow(out.map, {news_, data.target.id, against}, [&](SweepMap& made) { made = lay_out_sweep(now_, data.target.id, against); });
    out.generation = derived.generation;
    out.computing = running_;
    out.done = now_.logits.size();
    out.runs = now_.places.size();
    out.refused = now_.refused;
    if (out.refused == SweepRefusal::None && !now_.there.empty() && out.map.here == out.map.there) out.refused = SweepRefusal::SameLogit;
    out.error = now_.error;
    out.tokens = now_.tokens;
    out.other_tokens = static_cast<int>(now_.other_tokens.size());
    out.of_other_text = now_.other_tokens;
    out.by = now_.of->by;
    out.text = now_.of->text;
    const attn::CountFrom count = counts_from(state.view, state.document);
    drawn_.follow(out.drawn, {map_.made(), derived.generation, state.view.language, count}, [&](SignedMap& made) {
        made = lay_out_drawn(out, {&derived.run->trace, &derived.labels, state.view.language, count}, state.document.interventions);
    });
    out.shown = out.refused == SweepRefusal::None ? shown_cell(out.map, look.place, derived.shown_head) : std::nullopt;
    derived.shown_head.reset();
    if (!out.shown) return;
    const attn::Intervention& put = out.map.cells[*out.shown].put;
    if (attn::is_of_a_head(put.at)) derived.shown_head = HeadPlace{{attn::Role::Weights, attn::kNoHead, put.layer, attn::kNoTime, put.part}, put.head};
}

}  // namespace app
