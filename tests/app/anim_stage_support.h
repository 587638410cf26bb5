#pragma once
// Documents whose steps use every operation, laid out on a stage without fonts or a window.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/layout/stage.h"
#include "app/state/derived.h"
#include "app/ui/theme.h"
#include "core/document/document.h"

namespace staged {

inline constexpr app::Rect kArea{232, 180, 700, 480};

/// As wide as letters usually are; no fonts here.
float width_of(std::string_view text, app::Type type);

/// Positions, biases, two heads, a mask.
attn::Document document_of(int n, std::string_view mask = "causal");

/// A form: fields of a document, by name.
using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
extern const Fields kWays[6];
attn::Document way_of(const Fields& fields, int n);

/// A computed document and the poses of its timeline.
class Staged {
public:
    explicit Staged(const attn::Document& document);
    Staged(attn::Run run, int head);
    const attn::Trace& trace() const { return computed_->run.trace; }
    const app::Timeline& timeline() const { return timeline_; }
    bool columns() const { return convention_ == attn::Convention::Columns; }
    bool cube() const { return cube_; }
    /// The same run, tokens as columns; products of matrices as cubes.
    Staged in_columns() const;
    Staged in_space() const;

    /// The stop at its progress, as a window requests it; names in a language.
    app::StageInput input(const app::Stop& stop, double progress, app::Rect area, const app::StageStyle& style,
                          app::Language language) const;
    app::Scene at(const app::Stop& stop, double progress, std::optional<attn::Cell> focus = {},
                  app::Rect area = kArea) const;

private:
    std::shared_ptr<const app::Computed> computed_;
    app::AxisLabels labels_, chinese_;
    app::Timeline timeline_;
    attn::Convention convention_ = attn::Convention::Rows;
    bool cube_ = false;
};

/// Together they use every operation; each with tokens as rows and as columns, flat and in space.
std::vector<Staged> all_staged(int n);
/// "matmul scores, n = 5, columns".
std::string where(const Staged& staged, const app::Stop& stop, int n);
/// As wide as letters usually are in a theme's type: Latin letters, symbols, Chinese characters.
float width_in(const app::Theme& theme, std::string_view text, app::Type type);
/// The lengths of the stage in normal mode (stage_style), without a window, with numbers in a type.
app::StageStyle at_the_desk(const app::Theme& theme, app::Type figures);
/// The area of the picture in a window.
app::Rect picture(app::Size window, const app::Theme& theme);

/// The matrix that shows a step's value when its motion is over.
const app::MatrixSprite* shown(const app::Scene& scene, attn::StepId step);

}  // namespace staged
