// The scene, once for each word: bright where the word attends, as in the captioning paper's pictures [Xu et al. 2015].

#include <algorithm>
#include <cmath>

#include "app/draw/scene.h"
#include "app/frame/chart.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

/// How much a region without attention is darkened.
constexpr float kShade = 0.78f;
/// The most words with a picture; of more, the first.
constexpr int kPictures = 12;

Rect region_rect(Rect picture, int region) {
    const float w = picture.w / attn::kSceneCols, h = picture.h / attn::kSceneRows;
    return {picture.x + w * static_cast<float>(region % attn::kSceneCols),
            picture.y + h * static_cast<float>(region / attn::kSceneCols), w, h};
}

void oval(const Frame& f, Rect r, Ink ink) {
    constexpr int kSides = 40;
    std::vector<Point> points;
    for (int i = 0; i < kSides; ++i) {
        const float a = 6.2831853f * static_cast<float>(i) / kSides;
        points.push_back({r.center().x + r.w / 2 * std::cos(a), r.center().y + r.h / 2 * std::sin(a)});
    }
    f.painter().polygon(points, ink);
}

void paint(const Frame& f, Rect picture, const attn::Scene& scene) {
    const auto clip = f.painter().clip(picture);
    for (const attn::SceneThing& thing : scene.things)
        for (const attn::ScenePart& part : thing.parts) {
            const Rect r{picture.x + part.x * picture.w, picture.y + part.y * picture.h, part.w * picture.w,
                         part.h * picture.h};
            const Ink ink(Color{part.color[0], part.color[1], part.color[2], 255});
            if (part.shape == attn::ScenePart::Shape::Box) f.painter().fill(r, ink);
            if (part.shape == attn::ScenePart::Shape::Oval) oval(f, r, ink);
            if (part.shape == attn::ScenePart::Shape::Triangle)
                f.painter().triangle({r.center().x, r.y}, {r.x, r.bottom()}, {r.right(), r.bottom()}, ink);
        }
}

/// A row's shares over the regions: dark where they are small, with the number in each region if there is room.
void shade(const Frame& f, Rect picture, const attn::Matrix& shares, int row, Hue hue) {
    const float most = std::max(1e-6f, shares.row(row).maxCoeff());
    const bool numbers = picture.w / attn::kSceneCols > f.painter().width("0.00", Type::NumberSmall) + f.px(4);
    for (int region = 0; region < attn::kSceneRegions; ++region) {
        const Rect r = region_rect(picture, region);
        const float share = shares(row, region);
        f.painter().fill(r, Ink(Color{17, 24, 39, 255}, kShade * (1 - share / most)));
        f.painter().stroke(r, Ink(Color{255, 255, 255, 255}, 0.25f), 0, f.theme.rule_width);
        if (share == most) f.painter().stroke(r, hue, 0, f.px(2.5f));
        if (!numbers) continue;
        const float em = f.theme.em(Type::NumberSmall);
        const Rect plate{r.x + f.px(2), r.bottom() - em * 1.35f,
                         f.painter().width(number_text(share), Type::NumberSmall) + f.px(6), em * 1.25f};
        f.painter().fill(plate, Ink(Color{17, 24, 39, 255}, 0.72f), f.px(3));
        f.painter().text_in(plate, number_text(share), {Type::NumberSmall, Align::Center},
                            Ink(Color{255, 255, 255, 255}));
    }
}

struct Grid2 {
    int cols = 1, rows = 1;
    float w = 0, h = 0;
};

/// The largest pictures of the scene's shape, `count` of them with a caption each, that fit.
/// `together`: the number of columns is a multiple of this.
Grid2 fit(Rect area, int count, int together, float caption, float gap) {
    Grid2 best;
    for (int cols = together; cols <= count; cols += together) {
        const int rows = (count + cols - 1) / cols;
        const float w = (area.w - gap * static_cast<float>(cols - 1)) / static_cast<float>(cols);
        const float room = (area.h - (gap + caption) * static_cast<float>(rows)) / static_cast<float>(rows);
        const float h = std::min(room, w * 0.72f);
        if (h > best.h) best = {cols, rows, h / 0.72f, h};
    }
    return best;
}

/// `hard`: where the draw fell, else how probable each region is.
void one_word(const Frame& f, Rect picture, int row, bool hard) {
    const SceneExperiment& data = f.derived.part<ExperimentData>().scene;
    const attn::Step& weights = f.trace()[data.weights];
    const bool two = data.drawn != attn::kNoStep;
    paint(f, picture, data.scene);
    shade(f, picture, hard ? f.trace()[data.drawn].value : weights.value, row, hard ? Hue::Output : Hue::Score);
    const bool pinned = f.derived.focus && f.derived.focus->row == row;
    if (pinned) f.painter().stroke(picture.inset(-f.px(3)), Hue::Accent, f.px(4), f.px(2));
    std::string words = f.derived.labels.of(weights.rows, row);
    const float base = picture.bottom() + f.theme.em(Type::BodyStrong) + f.px(5);
    const float x = f.painter().text({picture.x, base}, f.painter().fitted(words, Type::BodyStrong, picture.w * 0.6f),
                                     {Type::BodyStrong}, Hue::Query);
    if (two) {
        // Without its name it is unclear which of the two a picture is: the longer name is shortened first.
        const std::string name(f.say(hard ? Str::id_hard : Str::id_soft)), longer = hard ? name + " · " + std::string(f.say(Str::scene_drawn)) : name;
        const float left = picture.w - x - f.px(8);
        const std::string& which = f.painter().width(longer, Type::Small) <= left ? longer : name;
        if (f.painter().width(which, Type::Small) <= left) f.painter().text({picture.right(), base}, which, {Type::Small, Align::Right}, Hue::Soft);
    } else if (data.gate != attn::kNoStep && picture.w > f.px(150)) {
        f.painter().text({picture.right(), base}, f.say(Str::scene_gate, {number_text(f.trace()[data.gate].value(row, 0))}),
                         {Type::Small, Align::Right}, Hue::Output);
    }
}

void all_words(const Frame& f, Rect area) {
    const SceneExperiment& data = f.derived.part<ExperimentData>().scene;
    // Of hard attention each word has two: what the draw went by, and where it fell.
    const int each = data.drawn != attn::kNoStep ? 2 : 1;
    const int words = std::min(static_cast<int>(f.trace()[data.weights].value.rows()), kPictures / each), pictures = words * each;
    const bool covered = data.coverage != attn::kNoStep;
    const float caption = f.theme.line_height(Type::Body) + f.px(4), gap = f.px(16);
    const Grid2 grid = fit(area, pictures + (covered ? 1 : 0), each, caption, gap);
    for (int i = 0; i < pictures + (covered ? 1 : 0); ++i) {
        const Rect picture{area.x + static_cast<float>(i % grid.cols) * (grid.w + gap),
                           area.y + static_cast<float>(i / grid.cols) * (grid.h + caption + gap), grid.w, grid.h};
        if (i < pictures) {
            const int row = i / each;
            const bool hard = i % each == 1;
            one_word(f, picture, row, hard);
            const Touch touch = touch_area(f.ui, (hard ? "scene_draw" : "scene_word") + std::to_string(row), picture);
            if (touch.clicked) f.push(Pin{CellRef{f.trace()[data.weights].tag, row, 0}});
            if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
            continue;
        }
        paint(f, picture, data.scene);
        shade(f, picture, f.trace()[data.coverage].value, 0, Hue::Output);
        f.painter().text_fit({picture.x, picture.bottom() + f.px(3), picture.w, caption}, f.say(Str::scene_coverage),
                             {Type::Small}, Hue::Soft);
    }
}

}  // namespace

bool experiment_scene_applies(const Frame& f) { return experiment_applies("scene", f.state.document); }

void draw_experiment_scene(const Frame& f, Rect area) {
    const SceneExperiment& data = f.derived.part<ExperimentData>().scene;
    if (data.weights == attn::kNoStep || data.weights >= f.trace().size()) return;
    const Rect body = area.inset(f.px(24), f.px(8));
    std::string says(f.say(Str::scene_says));
    if (data.penalty != attn::kNoStep)
        says += " " + f.say(Str::scene_penalty, {number_text(f.trace()[data.penalty].value(0, 0))});
    const float top = experiment_says(f, body, says);
    all_words(f, {body.x, top, body.w, body.bottom() - top});
}

}  // namespace app
