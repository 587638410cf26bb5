#pragma once
// Heatmap textures and cell colours of the matrices on the screen, cached and rebuilt when a matrix or its look
// changes. A small matrix is one texture; of a large one, only the visible part is on the GPU, in tiles, at the level
// of its pyramid that matches the resolution of the picture.

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

/// The numbers of a picture: a matrix, or a step's value. A huge value that was evicted may have none: it is then drawn
/// from its pyramid, and recomputed as a whole only where single cells are visible.
class PictureNumbers {
public:
    PictureNumbers(const attn::Matrix& matrix) : matrix_(&matrix), rows_(matrix.rows()), cols_(matrix.cols()) {}
    PictureNumbers(const attn::StepValue& value);
    /// For a small picture among many: a large evicted value is never recomputed as a whole for it.
    static PictureNumbers from_afar(const attn::StepValue& value);

    Eigen::Index rows() const { return rows_; }
    Eigen::Index cols() const { return cols_; }
    Eigen::Index size() const { return rows_ * cols_; }
    /// Null if it is not available now.
    const attn::Matrix* matrix() const { return matrix_; }
    /// Without a matrix: the value that it would be recomputed from.
    const attn::StepValue* unmade() const { return matrix_ ? nullptr : value_; }
    bool afar() const { return afar_; }

private:
    PictureNumbers() = default;

    const attn::Matrix* matrix_ = nullptr;
    const attn::StepValue* value_ = nullptr;
    Eigen::Index rows_ = 0, cols_ = 0;
    bool afar_ = false;
};

/// What a picture of a matrix shows: its part, in cells of the value as stored, and its size in pixels.
struct MatrixPicture {
    PictureNumbers value;
    attn::StepId key;  ///< identifies the matrix: a step's id, or matrix_key()
    gfx::ViewRect view;
    ColorScale scale;
    int width = 0, height = 0;
    float gap = 0;
    int part = 0;  ///< distinguishes pictures of one matrix that are side by side
    /// Keeps the value alive and unchanged. Without an owner, the value must belong to a run, or it is copied if a
    /// thread needs it.
    std::shared_ptr<const void> owner{};
    const gfx::Lut* lut = nullptr;  ///< overrides the colours of the scale
    bool whole = false;             ///< sent as one texture, however large it is
    /// The scores: where they are −∞, the picture is hatched (only in matrices sent whole). Always the same for one
    /// key.
    const attn::Matrix* masked_in = nullptr;
    bool pixels = false;            ///< the cells are pixels of an image: their corners are not rounded
    bool of_no_run = false;         ///< the numbers belong to no step, so none is looked up
};

/// The content of a texture as numbers, for tests that check what is drawn without comparing pixels.
struct MapNote {
    gfx::HeatmapLook look;  ///< `view` counts from cell (0, 0) of the matrix
    int rows = 0, cols = 0;
    int first_row = 0, first_col = 0;  ///< of `cells` in the matrix
    attn::Matrix cells;                ///< the cells that are at least partly visible
};

class Heatmaps {
public:
    /// A matrix of at most this many cells is sent whole and drawn from its cells.
    static constexpr Eigen::Index kWholeAtMost = kDrawnWhole;

    explicit Heatmaps(gfx::HeatmapRenderer renderer) : renderer_(std::move(renderer)) {}

    /// Begins a frame: updates the colours to the theme, and drops textures that the previous frame did not use.
    void begin(const Theme& theme, const Derived& derived, Pooling pooling);

    Color color(const ColorScale& scale, float value);
    /// The texture of a whole matrix at this size; 0 if there is none, for a large matrix possibly not yet.
    unsigned texture(const attn::Matrix& value, attn::StepId step, const ColorScale& scale, int width, int height,
                     float gap) {
        return texture(value, step, 0, static_cast<int>(value.rows()), scale, width, height, gap);
    }
    /// The same for `rows` rows from `first_row` on.
    unsigned texture(const attn::Matrix& value, attn::StepId step, int first_row, int rows, const ColorScale& scale,
                     int width, int height, float gap);
    /// The same for any part.
    unsigned texture(const MatrixPicture& picture);

    /// The range of colours at which most of a large matrix of shares is visible (Pyramid::bulk); 0: not known.
    float bulk(const attn::Matrix& value, attn::StepId key, std::shared_ptr<const void> owner = {});

    /// Whether the value of this step can be drawn in this frame. If it was evicted and is expensive to recompute, this
    /// starts recomputing it in the background. `afar`: drawn as by PictureNumbers::from_afar().
    bool in_sight(const std::shared_ptr<const struct Computed>& run, attn::StepId step, bool afar = false);
    /// Whether its colour range is known; if not, it is determined in the background, as for its picture.
    bool knows_colours(const std::shared_ptr<const struct Computed>& run, attn::StepId step);

    /// Whether another frame would show more: tiles that were too many for this one, or a pyramid that has become
    /// ready.
    bool pending() const { return pool_.waiting() || pyramids_.ready(); }
    /// Whether pyramids are being built, and their progress from 0 to 1.
    bool busy() const { return pyramids_.busy(); }
    float progress() const { return pyramids_.progress(); }
    void wait() { pyramids_.wait(); }
    void on_ready(Wake wake) { pyramids_.on_ready(std::move(wake)); }
    /// From now on, records what each texture shows: a copy of all visible cells, in every frame.
    void keep_notes() { notes_.emplace(); }
    /// Null if there is no such texture, or nothing is recorded. Valid until the next frame.
    const MapNote* note_of(unsigned texture) const;
    const gfx::TilePool& pool() const { return pool_; }
    const Pyramids& pyramids() const { return pyramids_; }

private:
    using HueKey = std::pair<Hue, bool>;
    const gfx::Lut& lut(Hue hue, bool diverging);
    gfx::HeatmapLook look_of(const MatrixPicture& picture);
    unsigned small(const MatrixPicture& picture);
    unsigned large(const MatrixPicture& picture);
    /// A run whose matrices are shown.
    struct Lender {
        std::shared_ptr<const struct Computed> run;
        std::uint64_t generation = 0;
        std::unordered_set<const void*> held;  ///< addresses of the numbers of its steps
        std::unordered_set<const attn::Recipe*> recipes;
        std::vector<attn::StepId> remade;      ///< steps whose numbers have a new address each time they are recomputed
        /// Takes over another run; its steps are searched only once.
        void follow(const std::shared_ptr<const struct Computed>& computed, std::uint64_t number);
        /// The step of `remade` whose numbers are at this address now; kNoStep if none.
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
    std::array<Lender, 3> runs_;  ///< whose matrices stay alive while these are held
    std::map<HueKey, gfx::Lut> luts_;
    std::map<std::tuple<attn::StepId, int, int>, Entry>
        entries_;  ///< by matrix, first row and width: one matrix may be drawn twice
    bool dark_ = false;
    Pooling pooling_ = Pooling::Mean;
    std::array<Color, kHueCount> hues_{};
    std::optional<std::map<unsigned, MapNote>> notes_;
    std::uint64_t generation_ = 0;  ///< of matrices that belong to no run
    std::uint64_t frame_ = 0;
};

}  // namespace app
