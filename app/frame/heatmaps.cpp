#include "app/frame/heatmaps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/state/derived.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// After this many frames without use, a texture is deleted.
constexpr std::uint64_t kMostUnusedFrames = 120;

}  // namespace

PictureNumbers::PictureNumbers(const attn::StepValue& value) : value_(&value), rows_(value.rows()), cols_(value.cols()) {
    if (value.at_hand() || size() <= Heatmaps::kWholeAtMost || !attn::is_huge(value.size())) matrix_ = &value.matrix();
}

PictureNumbers PictureNumbers::from_afar(const attn::StepValue& value) {
    if (!is_gone_through(value)) return value;
    PictureNumbers out;
    out.value_ = &value;
    out.rows_ = value.rows();
    out.cols_ = value.cols();
    out.afar_ = true;
    return out;
}

void Heatmaps::begin(const Theme& theme, const Derived& derived, Pooling pooling) {
    ++frame_;
    if (notes_) notes_->clear();
    if (hues_ != theme.hues) {
        hues_ = theme.hues;
        dark_ = theme.dark;
        luts_.clear();
    }
    pooling_ = pooling;
    // Makes the generation numbers of the runs distinct.
    const std::uint64_t kinds = 4;
    runs_[0].follow(derived.computed, derived.generation * kinds);
    runs_[1].follow(derived.unedited.computed, derived.unedited.generation * kinds + 1);
    runs_[2].follow(derived.other.computed, derived.other.generation * kinds + 2);
    generation_ = derived.generations() * kinds + 3;
    pool_.begin_frame();
    pyramids_.begin({runs_[0].generation, runs_[1].generation, runs_[2].generation, generation_});
    std::erase_if(entries_, [&](const auto& entry) { return frame_ - entry.second.used > kMostUnusedFrames; });
}

const gfx::Lut& Heatmaps::lut(Hue hue, bool diverging) {
    const auto [at, fresh] = luts_.try_emplace(HueKey{hue, diverging});
    if (fresh) {
        Theme colors;
        colors.hues = hues_;
        colors.dark = dark_;
        at->second = gfx::make_lut(cell_ramp(colors, hue, diverging));
    }
    return at->second;
}

Color Heatmaps::color(const ColorScale& scale, float value) {
    const float t = gfx::position({scale.low, scale.high}, value);
    const auto entry = static_cast<std::size_t>(std::lround(t * static_cast<float>(gfx::kLutSize - 1))) * 4;
    const gfx::Lut& table = lut(scale.hue, scale.diverging);
    return {table[entry], table[entry + 1], table[entry + 2], 255};
}

unsigned Heatmaps::texture(const attn::Matrix& value, attn::StepId step, int first_row, int rows,
                           const ColorScale& scale, int width, int height, float gap) {
    return texture({value,
                    step,
                    {0, static_cast<double>(first_row), static_cast<double>(value.cols()), static_cast<double>(rows)},
                    scale,
                    width,
                    height,
                    gap,
                    first_row});
}

gfx::HeatmapLook Heatmaps::look_of(const MatrixPicture& picture) {
    gfx::HeatmapLook look;
    look.lut = picture.lut ? *picture.lut : lut(picture.scale.hue, picture.scale.diverging);
    look.range = {picture.scale.low, picture.scale.high};
    look.view = picture.view;
    look.width = picture.width;
    look.height = picture.height;
    look.style = gfx::heatmap_style(dark_ ? gfx::Backdrop::Dark : gfx::Backdrop::Light);
    look.style.pooling = pooling_ == Pooling::Mean ? gfx::Pooling::Mean : gfx::Pooling::Maximum;
    look.style.gap = picture.gap;
    if (picture.pixels) look.style.radius = 0;
    return look;
}

unsigned Heatmaps::texture(const MatrixPicture& picture) {
    const Eigen::Index size = picture.value.size();
    if (picture.width <= 0 || picture.height <= 0 || size == 0) return 0;
    const unsigned made = size > kWholeAtMost && !picture.whole ? large(picture) : small(picture);
    if (notes_ && made != 0 && picture.value.matrix()) note(made, picture);
    return made;
}

/// The value as drawn: masked cells are set to −∞, which the heatmap hatches.
attn::Matrix hatched_where_masked(const MatrixPicture& picture) {
    attn::Matrix out = *picture.value.matrix();
    if (picture.masked_in && picture.masked_in->rows() == out.rows() && picture.masked_in->cols() == out.cols())
        out = (picture.masked_in->array() == -std::numeric_limits<float>::infinity())
                  .select(-std::numeric_limits<float>::infinity(), out);
    return out;
}

unsigned Heatmaps::small(const MatrixPicture& picture) {
    const attn::Matrix& value = *picture.value.matrix();
    Entry& entry = entries_[{picture.key, picture.part, picture.width}];
    entry.used = frame_;
    const auto rows = static_cast<int>(value.rows()), cols = static_cast<int>(value.cols());
    const std::uint64_t generation = picture.of_no_run ? generation_ : generation_of(value);
    if (!entry.heatmap.holds(rows, cols, generation)) {
        const attn::Matrix shown = picture.masked_in ? hatched_where_masked(picture) : attn::Matrix();
        if (!entry.heatmap.upload(picture.masked_in ? shown.data() : value.data(), rows, cols, generation)) return 0;
    }
    if (!entry.heatmap.render(renderer_, look_of(picture))) return 0;
    return entry.heatmap.texture();
}

void Heatmaps::note(unsigned texture, const MatrixPicture& picture) {
    const bool sent_whole = picture.value.size() <= kWholeAtMost || picture.whole;
    const attn::Matrix value = picture.masked_in && sent_whole ? hatched_where_masked(picture) : *picture.value.matrix();
    const auto part = [](double from, double size, Eigen::Index count) {
        const double last = static_cast<double>(count);
        const auto first = static_cast<Eigen::Index>(std::clamp(std::floor(from), 0.0, last));
        return std::pair(first, static_cast<Eigen::Index>(std::clamp(std::ceil(from + size), 0.0, last)));
    };
    const auto [top, bottom] = part(picture.view.y, picture.view.height, value.rows());
    const auto [left, right] = part(picture.view.x, picture.view.width, value.cols());
    (*notes_)[texture] = {look_of(picture),
                          static_cast<int>(value.rows()),
                          static_cast<int>(value.cols()),
                          static_cast<int>(top),
                          static_cast<int>(left),
                          value.block(top, left, std::max(bottom - top, Eigen::Index{0}),
                                      std::max(right - left, Eigen::Index{0}))};
}

const MapNote* Heatmaps::note_of(unsigned texture) const {
    if (!notes_) return nullptr;
    const auto found = notes_->find(texture);
    return found == notes_->end() ? nullptr : &found->second;
}

void Heatmaps::Lender::follow(const std::shared_ptr<const Computed>& computed, std::uint64_t number) {
    generation = number;
    if (run == computed) return;
    run = computed;
    held.clear();
    recipes.clear();
    remade.clear();
    if (!run) return;
    const attn::Trace& trace = run->run.trace;
    for (attn::StepId id = 0; id < trace.size(); ++id)
        if (const attn::Recipe* recipe = trace[id].value.recipe()) {
            remade.push_back(id);
            recipes.insert(recipe);
        } else {
            held.insert(trace[id].value.place());
        }
}

bool Heatmaps::Lender::lends(const PictureNumbers& numbers) const {
    if (!numbers.matrix()) return recipes.contains(numbers.unmade()->recipe());
    const void* const place = numbers.matrix()->data();
    return held.contains(place) || remade_at(place) != attn::kNoStep;
}

attn::StepId Heatmaps::Lender::remade_at(const void* place) const {
    const auto is_there = [&](attn::StepId id) { return run->run.trace[id].value.place() == place; };
    const auto found = std::find_if(remade.begin(), remade.end(), is_there);
    return found == remade.end() ? attn::kNoStep : *found;
}

/// A run's matrices are immutable and live as long as the run; for all others (null) nothing is known.
const Heatmaps::Lender* Heatmaps::lender_of(const PictureNumbers& numbers) const {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const Lender& one) { return one.lends(numbers); });
    return found == runs_.end() ? nullptr : &*found;
}

std::uint64_t Heatmaps::generation_of(const PictureNumbers& numbers) const {
    const Lender* lender = lender_of(numbers);
    return lender ? lender->generation : generation_;
}

/// For a huge matrix, only one kind of pooling is computed at a time.
PyramidKey Heatmaps::pyramid_key(attn::StepId key, std::uint64_t generation, Eigen::Index numbers) const {
    return {key, generation, attn::is_huge(numbers) ? std::optional(pooling_) : std::nullopt};
}

const Pyramid* Heatmaps::survey(const Lender& lender, attn::StepId step, bool afar) {
    const attn::StepValue& value = lender.run->run.trace[step].value;
    PyramidKey key = pyramid_key(step, lender.generation, value.size());
    if (afar) key.only = pooling_, key.afar = true;
    return pyramids_.survey(key, value, [run = lender.run, step](const StepRange& range) {
        run->ranges.give(static_cast<std::size_t>(step), range);
    });
}

const Pyramid* Heatmaps::pyramid_of(const PictureNumbers& numbers, attn::StepId key, std::shared_ptr<const void> owner) {
    const Lender* lender = lender_of(numbers);
    if (!numbers.matrix()) return lender ? survey(*lender, key, numbers.afar()) : nullptr;
    const attn::Matrix& value = *numbers.matrix();
    if (lender && !owner) {
        owner = lender->run;
        // A recomputed value does not belong to the run; the code that recomputed it holds it.
        if (const attn::StepId step = lender->remade_at(value.data()); step != attn::kNoStep)
            owner = lender->run->run.trace[step].value.held();
    }
    return pyramids_.get(pyramid_key(key, lender ? lender->generation : generation_, value.size()), value, std::move(owner));
}

bool Heatmaps::in_sight(const std::shared_ptr<const Computed>& run, attn::StepId step, bool afar) {
    const attn::StepValue& value = run->run.trace[step].value;
    const bool small = afar && is_gone_through(value);
    if (!small && (!value.recipe() || value.work_to_see() <= kSeenAtOnce)) return true;
    if (small || attn::is_huge(value.size()))
        if (const Lender* lender = lender_of(PictureNumbers::from_afar(value)))
            return survey(*lender, step, small) && run->ranges.known(static_cast<std::size_t>(step));
    pyramids_.see(value, [run, step] { run->ranges[static_cast<std::size_t>(step)]; });
    return false;
}

bool Heatmaps::knows_colours(const std::shared_ptr<const Computed>& run, attn::StepId step) {
    return run->ranges.known(static_cast<std::size_t>(step)) || in_sight(run, step);
}

float Heatmaps::bulk(const attn::Matrix& value, attn::StepId key, std::shared_ptr<const void> owner) {
    const Pyramid* pyramid = pyramid_of(value, key, std::move(owner));
    return pyramid ? pyramid->bulk : 0;
}

unsigned Heatmaps::large(const MatrixPicture& picture) {
    const PictureNumbers& numbers = picture.value;
    const attn::Matrix* const value = numbers.matrix();
    const Pyramid* pyramid = pyramid_of(numbers, picture.key, picture.owner);
    if (!pyramid && !value) return 0;
    constexpr int kMostLevels = 16;
    std::array<gfx::LevelData, kMostLevels> levels;
    const auto level = [](const attn::Matrix& m) {
        return gfx::LevelData{m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols())};
    };
    std::size_t count = 0;
    levels[count++] = {value ? value->data() : nullptr, static_cast<int>(numbers.rows()), static_cast<int>(numbers.cols())};
    int finest = value ? 0 : 1;
    if (pyramid)
        for (const PyramidLevel& one : pyramid->levels) {
            if (count == levels.size()) break;
            const attn::Matrix& cells = one.of(pooling_);
            if (cells.size() == 0) ++finest;
            levels[count] = level(cells);
            if (cells.size() == 0) levels[count].rows = (levels[count - 1].rows + 1) / 2, levels[count].cols = (levels[count - 1].cols + 1) / 2;
            ++count;
        }
    const gfx::HeatmapLook look = look_of(picture);
    // Without a pyramid, cells can only be drawn if they are about as large as pixels; any smaller, they would be
    // sampled wrongly.
    const double cells = std::max(look.view.width / look.width, look.view.height / look.height);
    if (!pyramid && cells > 2) return 0;
    // Closer than the pyramid's resolution, the numbers themselves are needed.
    if (!value && !numbers.afar() && cells < 2) pyramids_.see(*numbers.unmade(), [] {});
    Entry& entry = entries_[{picture.key, picture.part, picture.width}];
    entry.used = frame_;
    const std::uint64_t name = generation_of(numbers) << 34 |
                               static_cast<std::uint64_t>(static_cast<std::uint32_t>(picture.key)) << 1 |
                               static_cast<std::uint64_t>(pooling_);
    if (!entry.tiled.render(renderer_, pool_, {name, {levels.data(), count}, finest}, look)) return 0;
    return entry.tiled.texture();
}

}  // namespace app
