#pragma once
// Heatmap textures and cell colours of the matrices on the screen: made when a matrix or its look changes, kept else.
// A small matrix is one texture of its own; of a large one only the part that is looked at is on the graphics
// processor, in tiles, at the level of its pyramid that is as fine as the picture.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "app/draw/scene.h"
#include "app/gfx/heatmap.h"
#include "app/gfx/tiled_heatmap.h"
#include "app/state/pyramids.h"
#include "app/state/worker.h"
#include "app/ui/theme.h"

namespace app {

struct Derived;

/// The numbers of a picture: a matrix, or a step's value. Of a huge one that was let go of there may be none: it is then drawn
/// from its pyramid, and made whole only where single cells are seen.
class PictureNumbers {
public:
    PictureNumbers(const attn::Matrix& matrix) : matrix_(&matrix), rows_(matrix.rows()), cols_(matrix.cols()) {}
    PictureNumbers(const attn::StepValue& value);
    /// For a small picture among many: a large value that was let go of is never made whole for it.
    static PictureNumbers from_afar(const attn::StepValue& value);

    Eigen::Index rows() const { return rows_; }
    Eigen::Index cols() const { return cols_; }
    Eigen::Index size() const { return rows_ * cols_; }
    /// Null: not now.
    const attn::Matrix* matrix() const { return matrix_; }
    /// Where there is no matrix: what it would be made of.
    const attn::StepValue* unmade() const { return matrix_ ? nullptr : value_; }
    bool afar() const { return afar_; }

private:
    PictureNumbers() = default;

    const attn::Matrix* matrix_ = nullptr;
    const attn::StepValue* value_ = nullptr;
    Eigen::Index rows_ = 0, cols_ = 0;
    bool afar_ = false;
};

/// What a picture of a matrix shows: the part of it, in cells of the value as it is stored, and how many pixels it has.
struct MatrixPicture {
    PictureNumbers value;
    attn::StepId key;  ///< tells matrices apart: a step's own, or matrix_key()
    gfx::ViewRect view;
    ColorScale scale;
    int width = 0, height = 0;
    float gap = 0;
    int part = 0;  ///< tells pictures of one matrix apart that stand side by side
    /// Keeps the value alive and unchanged; without one it is a run's, or it is copied where that takes a thread.
    std::shared_ptr<const void> owner{};
    const gfx::Lut* lut = nullptr;  ///< its colours where they are not the scale's
    bool whole = false;             ///< sent as one, however large it is
    /// Scores: where they are −∞ the picture is hatched (of matrices that are sent whole). Always the same of one key.
    const attn::Matrix* masked_in = nullptr;
    bool pixels = false;            ///< cells are those of a picture: no corner of them is round
    bool of_no_run = false;         ///< no step has these numbers: none is looked for
};

/// What a texture shows, as numbers: for tests that look at what is drawn and not at pixels.
struct MapNote {
    gfx::HeatmapLook look;  ///< `view` counts from cell (0, 0) of the matrix
    int rows = 0, cols = 0;
    int first_row = 0, first_col = 0;  ///< of `cells` in the matrix
    attn::Matrix cells;                ///< those that are seen, whole or in part
};

class Heatmaps {
public:
    /// A matrix of at most this many cells is sent whole, and drawn from its cells.
    static constexpr Eigen::Index kWholeAtMost = kDrawnWhole;

    explicit Heatmaps(gfx::HeatmapRenderer renderer) : renderer_(std::move(renderer)) {}

    /// Begins a frame: colours follow the theme, textures of a frame ago that nobody asked for are dropped.
    void begin(const Theme& theme, const Derived& derived, Pooling pooling);

    Color color(const ColorScale& scale, float value);
    /// The texture of a whole matrix at this size, 0 where there is none to be had: of a large one, not yet.
    unsigned texture(const attn::Matrix& value, attn::StepId step, const ColorScale& scale, int width, int height,
                     float gap) {
        return texture(value, step, 0, static_cast<int>(value.rows()), scale, width, height, gap);
    }
    /// The same of `rows` rows from `first_row` on.
    unsigned texture(const attn::Matrix& value, attn::StepId step, int first_row, int rows, const ColorScale& scale,
                     int width, int height, float gap);
    /// The same of any part.
    unsigned texture(const MatrixPicture& picture);

    /// What colours of a large matrix of shares can span so that most of it is seen (Pyramid::bulk); 0: not known.
    float bulk(const attn::Matrix& value, attn::StepId key, std::shared_ptr<const void> owner = {});

    /// Whether the value of this step can be drawn in this frame. One that was let go of and takes long to make again is
    /// made from now on, beside the frames. `afar`: as PictureNumbers::from_afar() draws it.
    bool in_sight(const std::shared_ptr<const struct Computed>& run, attn::StepId step, bool afar = false);
    /// Whether its colours are known; they are found out beside the frames, as its picture would be.
    bool knows_colours(const std::shared_ptr<const struct Computed>& run, attn::StepId step);

    /// Another frame will have more: tiles that were too many for this one, or a pyramid that became ready.
    bool pending() const { return pool_.waiting() || pyramids_.ready(); }
    /// Pyramids are being made; and how far that is, 0 … 1.
    bool busy() const { return pyramids_.busy(); }
    float progress() const { return pyramids_.progress(); }
    void wait() { pyramids_.wait(); }
    void on_ready(Wake wake) { pyramids_.on_ready(std::move(wake)); }
    /// Keeps, from now on, what each texture shows: a copy of all cells that are seen, in every frame.
    void keep_notes() { notes_.emplace(); }
    /// Null: no such texture, or nothing is kept. Until the next frame.
    const MapNote* note_of(unsigned texture) const;
    const gfx::TilePool& pool() const { return pool_; }
    const Pyramids& pyramids() const { return pyramids_; }

private:
    using HueKey = std::pair<Hue, bool>;
    const gfx::Lut& lut(Hue hue, bool diverging);
    gfx::HeatmapLook look_of(const MatrixPicture& picture);
    unsigned small(const MatrixPicture& picture);
    unsigned large(const MatrixPicture& picture);
    /// A run whose matrices are looked at.
    struct Lender {
        std::shared_ptr<const struct Computed> run;
        std::uint64_t generation = 0;
        std::unordered_set<const void*> held;  ///< where the numbers of its steps are
        std::unordered_set<const attn::Recipe*> recipes;
        std::vector<attn::StepId> remade;      ///< steps whose numbers are somewhere else each time that they are made again
        /// Steps are looked through once, when another run comes.
        void follow(const std::shared_ptr<const struct Computed>& computed, std::uint64_t number);
        /// The step of `remade` whose numbers these are now; none: kNoStep.
        attn::StepId remade_at(const void* place) const;
        bool lends(const PictureNumbers& numbers) const;
    };
    const Lender* lender_of(const PictureNumbers& numbers) const;
    std::uint64_t generation_of(const PictureNumbers& numbers) const;
    const Pyramid* pyramid_of(const PictureNumbers& numbers, attn::StepId key, std::shared_ptr<const void> owner);
    PyramidKey pyramid_key(attn::StepId key, std::uint64_t generation, Eigen::Index numbers) const;
    const Pyramid* survey(const Lender& lender, attn::StepId step, bool afar);
    void note(unsigned texture, const MatrixPicture& picture);

    struct Entry {
        gfx::Heatmap heatmap;
        gfx::TiledHeatmap tiled;
        std::uint64_t used = 0;
    };
    gfx::HeatmapRenderer renderer_;
    gfx::TilePool pool_;
    Pyramids pyramids_;
    std::array<Lender, 3> runs_;  ///< whose matrices live as long as they are held
    std::map<HueKey, gfx::Lut> luts_;
    std::map<std::tuple<attn::StepId, int, int>, Entry>
        entries_;  ///< by matrix, first row and width: one matrix may stand twice
    bool dark_ = false;
    Pooling pooling_ = Pooling::Mean;
    std::array<Color, kHueCount> hues_{};
    std::optional<std::map<unsigned, MapNote>> notes_;
    std::uint64_t generation_ = 0;  ///< of matrices that are no run's
    std::uint64_t frame_ = 0;
};

}  // namespace app
