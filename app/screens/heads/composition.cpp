#include "app/screens/heads/composition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace app {
namespace {

/// More pairs are not listed.
constexpr std::size_t kMostPairs = 200;

bool has_pair(const Eigen::MatrixXf& scores, int at, bool reads) {
    return reads ? !scores.row(at).array().isNaN().all() : !scores.col(at).array().isNaN().all();
}

}  // namespace

attn::Composes composes_by(std::string_view id) {
    const auto* const at = std::ranges::find(attn::kComposes, id);
    return at == attn::kComposes.end() ? attn::Composes::Key : static_cast<attn::Composes>(at - attn::kComposes.begin());
}

std::shared_ptr<const attn::Compositions> make_compositions(const attn::Run& run, const std::stop_token& stop) {
    if (attn::no_circuits(run)) return nullptr;
    auto made = std::make_shared<attn::Compositions>(attn::compositions(run, {}, stop));
    return stop.stop_requested() ? nullptr : std::move(made);
}

void lay_out_compositions(attn::Composes by, CompositionData& out) {
    out.by = by;
    out.readers.clear();
    out.writers.clear();
    out.largest.clear();
    out.map.reset();
    if (!out.all) return;
    const Eigen::MatrixXf& scores = (*out.all)[by];
    for (int i = 0; i < static_cast<int>(scores.rows()); ++i) {
        if (has_pair(scores, i, true)) out.readers.push_back(i);
        if (has_pair(scores, i, false)) out.writers.push_back(i);
    }
    out.none = out.readers.empty();
    if (out.none) return;
    auto map = std::make_shared<attn::Matrix>(std::ssize(out.readers), std::ssize(out.writers));
    for (std::size_t r = 0; r < out.readers.size(); ++r)
        for (std::size_t w = 0; w < out.writers.size(); ++w) {
            const float score = scores(out.readers[r], out.writers[w]);
            (*map)(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(w)) = std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
            if (!std::isnan(score)) out.largest.push_back({out.readers[r], out.writers[w], score});
        }
    std::ranges::stable_sort(out.largest, std::ranges::greater{}, &ComposedPair::score);
    out.largest.resize(std::min(out.largest.size(), kMostPairs));
    out.map = std::move(map);
}

}  // namespace app
