#include "tests/app/anim_stage_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/frame/caption_paint.h"
#include "app/frame/view.h"
#include "core/document/fields.h"
#include "core/ops/ops.h"

namespace staged {

using namespace app;
using attn::Cell;
using attn::Document;
using attn::StepId;

float width_of(std::string_view text, Type) { return 7.5f * static_cast<float>(text.size()); }

namespace {

std::string words(int n) {
    constexpr std::array<std::string_view, 5> kWords = {"the", "tired", "cat", "sat", "down"};
    std::string text;
    for (int i = 0; i < n; ++i) text.append(kWords[static_cast<std::size_t>(i) % kWords.size()]).append(" ");
    return text;
}

}  // namespace

Document document_of(int n, std::string_view mask) {
    Document doc;
    doc.text = words(n);
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.mask = mask;
    doc.config.position = "sinusoidal";
    doc.given[static_cast<std::size_t>(attn::Given::b_Q)] = attn::Matrix::Constant(1, 8, 0.25f);
    return doc;
}

const Fields kWays[6] = {
    {{"score", "additive"}, {"scope", "local_p"}},
    {{"score", "concat"}, {"selection", "sparsemax"}},
    {{"score", "gat"}, {"gate", "sigmoid"}, {"penalty", "0.5"}},
    {{"score", "cosine"}, {"selection", "top_k"}, {"top_k", "2"}, {"mask", "causal"}},
    {{"position", "rope"}, {"selection", "hard"}, {"draws", "20"}},
    {{"position", "relative"}, {"heads", "2"}},
};

Document way_of(const Fields& fields, int n) {
    Document doc;
    doc.text = words(n);
    doc.weights = "random";
    for (const auto& [field, value] : fields) EXPECT_TRUE(attn::set_field(doc, field, value)) << field;
    return doc;
}

namespace {

/// Operations that need a whole model, on a few numbers of their own.
attn::Trace loose_operations(int n) {
    attn::Trace t;
    for (int i = 0; i < n; ++i) t.tokens.push_back("w" + std::to_string(i));
    const attn::Axis tokens{attn::Axis::Kind::Tokens}, units{attn::Axis::Kind::Units};
    const auto numbers = [&](int rows, int cols, attn::Role role, attn::Axis row_axis, attn::Axis col_axis) {
        attn::Matrix value = attn::Matrix::NullaryExpr(rows, cols, [](Eigen::Index r, Eigen::Index c) {
            return 0.1f * static_cast<float>((r * 7 + c * 3) % 11) - 0.4f;
        });
        return attn::input(t, std::move(value), {role}, row_axis, col_axis, {attn::Source::Given});
    };
    using attn::Role;
    const StepId x = numbers(n, 4, Role::Embeddings, tokens, units);
    const StepId gain = numbers(1, 4, Role::NormGain, units, units), bias = numbers(1, 4, Role::NormBias, units, units);
    const StepId square = numbers(4, 4, Role::RecurrentWeight, units, units);
    attn::layer_norm(t, x, gain, bias, {Role::Normed});
    attn::rms_norm(t, x, gain, {Role::Normed, attn::kNoHead, 1});
    attn::recur(t, x, square, false, {Role::States});
    attn::recur(t, x, square, true, {Role::BackwardStates});
    const StepId scores = numbers(n, n, Role::Scores, tokens, tokens);
    const StepId most = attn::row_max(t, scores, attn::kNoStep, {Role::RunningMax});
    const StepId later = attn::row_max(t, scores, most, {Role::RunningMax, attn::kNoHead, attn::kNoLayer, 1});
    const StepId shifted = attn::exp_shift(t, scores, later, {Role::Shifted});
    const StepId sum = attn::row_sum(t, shifted, {Role::TileSum});
    attn::divide(t, shifted, sum, {Role::RunningOutput});
    attn::top_p(t, scores, 0.6f, {Role::LogitsTopK});
    const StepId row = attn::slice_rows(t, x, n - 1, 1, {Role::KeyRow});
    attn::stack(t, {x, row}, {Role::CachedKeys});
    const StepId weights = attn::softmax(t, scores, 2, {Role::Weights});
    const attn::Tag back = attn::Tag{Role::Scores}.of_pass(1), norm = attn::Tag{Role::Embeddings}.of_pass(1);
    attn::softmax_gradient(t, weights, scores, 2, back);
    attn::norm_gradient(t, x, gain, x, true, attn::kNormEpsilon, norm);
    attn::activate(t, x, attn::Activation::GeluSlope, norm.of_pass(2));
    return t;
}

}  // namespace

Staged::Staged(const Document& document)
    : Staged(*attn::run(document), document.config.heads > 1 ? 0 : attn::kNoHead) {}

Staged::Staged(attn::Run run, int head) : computed_(compute_all(std::move(run))) {
    labels_ = labels_of(trace(), Language::English);
    chinese_ = labels_of(trace(), Language::Chinese);
    timeline_ = make_timeline(trace(), head);
}

Staged Staged::in_columns() const {
    Staged other = *this;
    other.convention_ = attn::Convention::Columns;
    return other;
}

Staged Staged::in_space() const {
    Staged other = *this;
    other.cube_ = true;
    return other;
}

StageInput Staged::input(const Stop& stop, double progress, Rect area, const StageStyle& style, Language language) const {
    const auto index = static_cast<int>(&stop - timeline_.stops.data());
    return {trace(),
            computed_->ranges,
            language == Language::English ? labels_ : chinese_,
            {index, stop.step, progress},
            {},
            area,
            style,
            language,
            false,
            convention_,
            width_of,
            cube_};
}

Scene Staged::at(const Stop& stop, double progress, std::optional<Cell> focus, Rect area) const {
    const auto index = static_cast<int>(&stop - timeline_.stops.data());
    Scene scene;
    lay_out(StageInput{trace(),
                       computed_->ranges,
                       labels_,
                       {index, stop.step, progress},
                       focus,
                       area,
                       {},
                       Language::English,
                       false,
                       convention_,
                       width_of,
                       cube_},
            scene);
    return scene;
}

std::string where(const Staged& staged, const Stop& stop, int n) {
    const attn::Step& step = staged.trace()[stop.step];
    return std::string(attn::op_id(step.op)) + " " + attn::step_name(step.tag) + ", n = " + std::to_string(n) +
           (staged.columns() ? ", columns" : "") + (staged.cube() ? ", in space" : "");
}

std::vector<Staged> all_staged(int n) {
    std::vector<Staged> all;
    all.emplace_back(document_of(n));
    if (n <= 64) {  // otherwise each of their pairs would have a quarter of a million rows
        for (const Fields& fields : kWays) all.emplace_back(way_of(fields, n));
        attn::Run loose;
        loose.trace = loose_operations(n);
        all.emplace_back(std::move(loose), attn::kNoHead);
    }
    const std::size_t rows = all.size();
    all.reserve(2 * rows + 4);
    for (std::size_t i = 0; i < rows; ++i) all.push_back(all[i].in_columns());
    // Only matrix products are drawn in space; of large ones a part is shown.
    constexpr int kWhole = 24;
    if (n > kWhole) return all;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, rows, rows + 1}) all.push_back(all[i].in_space());
    return all;
}

const MatrixSprite* shown(const Scene& scene, StepId step) {
    const auto found = std::find_if(scene.matrices.rbegin(), scene.matrices.rend(),
                                    [step](const MatrixSprite& m) { return m.step == step && m.alpha >= 1; });
    return found == scene.matrices.rend() ? nullptr : &*found;
}

namespace {

constexpr float kDigitOfEm = 0.6f;     // of the typeface for numbers
constexpr float kLetterOfEm = 0.56f;   // usual letters

}  // namespace

float width_in(const Theme& theme, std::string_view text, Type type) {
    const bool number = type == Type::Number || type == Type::NumberSmall || type == Type::NumberStrong;
    float ems = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) ems += number ? kDigitOfEm : kLetterOfEm;
        if (byte >= 0xc0) ems += byte == 0xe2 ? kDigitOfEm : 1.0f;
    }
    return ems * theme.em(type);
}

StageStyle at_the_desk(const Theme& theme, Type figures) {
    StageStyle style = StageStyle{}.scaled(theme.scale);
    style.label = theme.em(Type::Body);
    style.gap = theme.cell_gap;
    style.cell_max = theme.cell_size + theme.cell_gap;
    style.chip_w = width_in(theme, "−0.00", Type::Number) + theme.px(14);
    style.chip_h = theme.em(Type::Number) * 2.05f;
    style.line = style.chip_h + theme.px(9);
    style.aside = style.chip_w * 2 + theme.px(36) + width_in(theme, "−00.000", Type::Number);
    style.figure = theme.em(figures);
    style.digit = width_in(theme, "0", figures);
    return style;
}

Rect picture(Size window, const Theme& theme) {
    Panels panels;
    panels.yields = true;
    const Rect stage = place_rect(Place::Stage, {0, 0, window.w, window.h}, theme, panels);
    Rect area = Rect{stage.x, stage.y, stage.w, stage.h - theme.px(kSubtitle)}.inset(theme.px(20), theme.px(10));
    area.w -= theme.px(12);
    return area;
}

}  // namespace staged
