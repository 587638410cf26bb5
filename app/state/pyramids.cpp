#include "app/state/pyramids.h"

#include <algorithm>

#include "core/remake/remake.h"

namespace app {
namespace {

/// Rows that are computed together: an even number, and enough to make packing a large factor of a product worthwhile.
constexpr Eigen::Index kSurveyedAtOnce = 512;

}  // namespace

Pyramids::Pyramids() = default;
Pyramids::~Pyramids() = default;

void Pyramids::begin(const Generations& live) {
    const bool changed = live_ != live;
    if (changed) worker_.drop();
    const auto lock = worker_.lock();
    ++frame_;
    news_ = false;
    if (!changed) return;
    live_ = live;
    requested_.clear();
    // Unfinished pyramids are requested again if they are still on the screen.
    std::erase_if(entries_, [&](const auto& one) {
        return !one.second.pyramid || std::find(live.begin(), live.end(), one.first.generation) == live.end();
    });
}

const Pyramid* Pyramids::find_or_add(PyramidKey key, bool& fresh) {
    const auto lock = worker_.lock();
    const auto [at, added] = entries_.try_emplace(key);
    at->second.used = frame_;
    fresh = added;
    return at->second.pyramid.get();
}

Worker::Keep Pyramids::keep(PyramidKey key, std::optional<Pyramid> made) {
    if (!made) return {};
    return [this, key, pyramid = std::make_shared<const Pyramid>(std::move(*made))] {
        const auto at = entries_.find(key);
        if (at == entries_.end()) return;
        at->second.pyramid = pyramid;
        news_ = true;
        fit();
    };
}

void Pyramids::go_through(PyramidKey key, const attn::StepValue& value, std::function<void(const StepRange&)> also) {
    worker_.add([this, key, value, also = std::move(also)](const std::stop_token& stop) -> Worker::Keep {
        done_ = 0;
        PyramidBuilder builder(value.rows(), value.cols(), key.only);
        RangeGathering range(value.rows(), value.cols());
        for (Eigen::Index first = 0; first < value.rows(); first += kSurveyedAtOnce) {
            const attn::PinScope pins;
            const attn::Matrix rows = value.some_rows(first, std::min(kSurveyedAtOnce, value.rows() - first));
            range.add(rows);
            if (!builder.add(rows, stop, &done_)) return {};
        }
        also(range.range());
        auto made = builder.finish(stop, &done_);
        if (made && key.afar) made->keep_last();
        return keep(key, std::move(made));
    });
}

const Pyramid* Pyramids::get(PyramidKey key, const attn::Matrix& value, std::shared_ptr<const void> owner) {
    bool fresh = false;
    if (const Pyramid* there = find_or_add(key, fresh); !fresh) return there;
    const attn::Matrix* numbers = &value;
    if (!owner) {
        auto copy = std::make_shared<const attn::Matrix>(value);
        numbers = copy.get();
        owner = std::move(copy);
    }
    worker_.add([this, key, numbers, held = std::move(owner)](const std::stop_token& stop) -> Worker::Keep {
        done_ = 0;
        PyramidBuilder builder(numbers->rows(), numbers->cols(), key.only);
        if (!builder.add(*numbers, stop, &done_)) return {};
        return keep(key, builder.finish(stop, &done_));
    });
    return nullptr;
}

void Pyramids::see(const attn::StepValue& value, std::function<void()> also) {
    if (!requested_.insert(value.recipe()).second) return;
    worker_.add([this, value, also = std::move(also)](const std::stop_token&) -> Worker::Keep {
        value.matrix();
        also();
        return [this] { news_ = true; };
    });
}

const Pyramid* Pyramids::peek(PyramidKey key) const {
    const auto lock = worker_.lock();
    const auto at = entries_.find(key);
    return at == entries_.end() ? nullptr : at->second.pyramid.get();
}

float Pyramids::progress() const { return busy() ? done_.load() : 1; }
bool Pyramids::busy() const { return worker_.busy(); }

bool Pyramids::ready() const {
    const auto lock = worker_.lock();
    return news_;
}

void Pyramids::wait() { worker_.wait(); }
void Pyramids::on_ready(Wake wake) { worker_.on_ready(std::move(wake)); }

std::size_t Pyramids::sum() const {
    std::size_t sum = 0;
    for (const auto& [key, one] : entries_)
        if (one.pyramid) sum += one.pyramid->bytes();
    return sum;
}

std::size_t Pyramids::bytes() const {
    const auto lock = worker_.lock();
    return sum();
}

/// Evicts until the pyramids fit the budget.
void Pyramids::fit() {
    while (sum() > kBudget) {
        auto oldest = entries_.end();
        for (auto at = entries_.begin(); at != entries_.end(); ++at)
            if (at->second.pyramid && at->second.used + 1 < frame_ &&
                (oldest == entries_.end() || at->second.used < oldest->second.used))
                oldest = at;
        if (oldest == entries_.end()) return;
        entries_.erase(oldest);
    }
}

}  // namespace app
