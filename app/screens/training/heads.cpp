// Where each head attends, on an example, at the snapshot under the playhead; its question, and its measurement.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/frame/hint.h"
#include "app/frame/matrix_view.h"
#include "app/screens/training/data.h"
#include "app/screens/training/parts.h"
#include "app/screens/training/training.h"
#include "app/ui/rich_text.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

namespace train = attn::train;

/// Keys of these pictures among the heatmaps: far from those of runs and of the heads screen.
constexpr attn::StepId kFirstTrainKey = -(1 << 28);
constexpr int kCachedPictures = 4096, kHeadsAPicture = 256, kBesideKeys = 128;
constexpr std::string_view kHeadOff = "_head_off", kSpreadEven = "_by_chance";

std::string title_of_head(const Frame& f, const attn::Tag& tag, bool decodes) {
    std::string out;
    const auto add = [&out](std::string_view words) { out.append(out.empty() ? "" : " · ").append(words); };
    if (tag.part == attn::Part::Cross)
        add(f.say(Str::place_cross));
    else if (decodes)
        add(f.say(tag.part == attn::Part::Encoder ? Str::place_encoder : Str::place_decoder));
    if (tag.layer != attn::kNoLayer) add(f.say(Str::place_block, {f.number(tag.layer)}));
    if (tag.head != attn::kNoHead) add(std::string(f.say(Str::head)) + " " + f.number(tag.head));
    if (out.empty()) add(f.say(Str::head));
    return out;
}

/// The head's question and its measurement.
std::string says_of_head(const Frame& f, const TrainingHead& head, const UnseenPoint* measured) {
    const std::string& question = in_language(f, head.question);
    std::string figures;
    const std::string step = attn::step_name(head.tag);
    for (const train::TaskFigure& figure : measured ? measured->measure->figures : std::vector<train::TaskFigure>{}) {
        if (figure.head != step) continue;
        const std::string share = percent_text(figure.value);
        const std::string_view id = figure.id;
        const std::string words = id.ends_with(kHeadOff)    ? f.say(Str::train_head_off, {share})
                                  : id.ends_with(kSpreadEven) ? f.say(Str::train_head_even, {share})
                                  : !question.empty()      ? f.say(Str::train_head_right, {share})
                                                        : f.say(Str::train_head_does, {in_language(f, figure.name), share});
        figures += (figures.empty() ? "" : f.view().language == Language::Chinese ? "，" : ", ") + words;
    }
    if (question.empty()) return figures;
    return figures.empty() ? question : question + (f.view().language == Language::Chinese ? "" : " ") + figures;
}

/// The figures of the whole model, in a sentence; empty: none yet.
std::string measured_text(const Frame& f, const UnseenPoint* point) {
    if (!point) return {};
    const train::TaskMeasure& m = *point->measure;
    std::string out = f.say(Str::train_measured, {steps_text(point->step), percent_text(m.right), percent_text(m.off)});
    if (!m.role_name.english.empty())
        out += f.say(Str::train_role, {in_language(f, m.role_name), percent_text(m.role)});
    return out;
}

/// The texts: one of the task's examples, or the user's own sentence.
float draw_example(const Frame& f, Rect area) {
    const TrainingLook& look = f.view().part<TrainingLook>();
    const train::Task& task = task_of(look);
    const float row = f.theme.control_height;
    std::vector<SelectOption> options;
    for (const train::TaskExample& one : task.examples) options.push_back({in_language(f, one.shows)});
    int chosen = std::clamp(look.example, 0, static_cast<int>(options.size()) - 1);
    const bool own = task.examples[static_cast<std::size_t>(chosen)].source.empty();
    if (select(f.ui, "train_example", {area.x, area.y, area.w, row}, options, chosen, Align::Left))
        f.change_view([chosen](ViewState& v) {
            v.part<TrainingLook>().example = chosen;
            v.part<TrainingLook>().text.clear();
        });
    float y = area.y + row + f.px(4);
    const TrainingPicture* picture = f.derived.part<TrainingData>().picture.get();
    if (!own) {
        if (!picture) return y;
        f.painter().text_fit({area.x, y, area.w, row}, attn::visible_text(picture->document.source) + "  →  " + attn::visible_text(picture->document.text),
                             {Type::Body}, Hue::Ink);
        return y + row;
    }
    TypedText& s = f.scratch.train;
    if (!s.active) s.text = look.text;
    FieldLook field;
    field.placeholder = task.examples[static_cast<std::size_t>(chosen)].text;
    const gui::FieldResult typed = text_field(f.ui, "train_text", {area.x, y, area.w, f.theme.field_height}, s.text, field);
    s.active = typed.active;
    if (typed.changed) f.change_view([text = s.text](ViewState& v) { v.part<TrainingLook>().text = text; });
    y += f.theme.field_height + f.px(4);
    if (!picture || (picture->unknown.empty() && !picture->refused)) return y;
    std::string words;
    for (const std::string& word : picture->unknown) words += (words.empty() ? "" : ", ") + attn::visible_text(word);
    const std::string why = picture->unknown.empty() ? std::string(f.say(Str::train_too_long)) : f.say(Str::train_unknown, {words});
    return y + draw_lines(f.painter(), {area.x, y, area.w, 0}, why, {Type::Small}, Hue::Warning, 2) + f.px(4);
}

/// The number of columns that makes the maps largest.
int columns_of_heads(std::size_t count, Rect area, float above) {
    int best = 1;
    float largest = 0;
    for (int columns = 1; columns <= static_cast<int>(count); ++columns) {
        const int rows = (static_cast<int>(count) + columns - 1) / columns;
        const float side = std::min(area.w / static_cast<float>(columns), area.h / static_cast<float>(rows) - above);
        if (side <= largest + 0.5f) continue;
        largest = side;
        best = columns;
    }
    return best;
}

/// One of two trainings, or the only one.
struct ShownRun {
    const TrainingPicture* picture = nullptr;
    const UnseenPoint* measured = nullptr;
    bool beside = false;
};

void draw_train_head(const Frame& f, Rect area, const ShownRun& run, std::size_t index, bool decodes, int lines) {
    const TrainingPicture& picture = *run.picture;
    const TrainingHead& head = picture.heads[index];
    const float line = f.theme.line_height(Type::Small);
    f.painter().text_fit({area.x, area.y, area.w, line}, title_of_head(f, head.tag, decodes), {Type::SmallStrong}, Hue::Ink);
    const float said = lines > 0 ? static_cast<float>(lines) * line : 0;
    if (lines > 0)
        draw_lines(f.painter(), {area.x, area.y + line, area.w, said}, says_of_head(f, head, run.measured), {Type::Small}, Hue::Soft, lines);
    MatrixLook look;
    look.value = head.weights.get();
    look.owner = head.weights;
    look.key = kFirstTrainKey - static_cast<int>(picture.serial % kCachedPictures) * kHeadsAPicture - static_cast<int>(index) - (run.beside ? kBesideKeys : 0);
    look.scale = {Hue::Score, 0, 1, false};
    const attn::Trace& trace = picture.run->run.trace;
    if (head.step != attn::kNoStep) {
        const attn::Matrix* masked = masked_behind(trace, trace[head.step]);
        if (masked && masked->rows() == head.weights->rows() && masked->cols() == head.weights->cols()) look.masked_in = masked;
    }
    look.rows = names_from(head.rows);
    look.cols = names_from(head.cols);
    look.row_hue = Hue::Query;
    look.col_hue = Hue::Key;
    const Rect map{area.x, area.y + line + said + f.px(4), area.w, area.h - line - said - f.px(4)};
    const std::string id = fmt::format("{}{}", run.beside ? "train_beside_head_" : "train_head_", index + 1);
    if (map.h < line * 2) return;
    const auto spot = draw_matrix(f, id, map, look);
    f.ui.record(id, map);
    if (spot)
        hint(f, id, map, f.say(Str::train_weight, {head.rows[static_cast<std::size_t>(spot->row)], head.cols[static_cast<std::size_t>(spot->col)],
                                                   percent_text(static_cast<double>((*head.weights)(spot->row, spot->col)))}));
}

/// One position of the text in the strip of answers.
struct AnswerColumn {
    const train::PlaceAnswer* answer = nullptr;
    float x = 0, w = 0;
};

/// As many positions as fit, from the first one with an expected or written token; `cut`: more follow.
std::vector<AnswerColumn> answer_columns(const Frame& f, const std::vector<train::PlaceAnswer>& answers, float room, bool& cut) {
    const Painter& p = f.painter();
    const float air = f.px(12), more = p.width("…", Type::Body);
    const auto width = [&](const train::PlaceAnswer& one) {
        const auto of = [&](const std::string& word) { return p.width(attn::visible_text(word), Type::BodyStrong); };
        return std::max({of(one.token), of(one.target), of(one.said), f.px(14)}) + air;
    };
    float all = 0;
    for (const train::PlaceAnswer& one : answers) all += width(one);
    auto from = answers.begin();
    if (all > room) from = std::find_if(answers.begin(), answers.end(), [](const train::PlaceAnswer& one) { return !one.target.empty(); });
    if (from == answers.end()) from = answers.begin();
    std::vector<AnswerColumn> out;
    float x = 0;
    cut = false;
    for (; from != answers.end(); ++from) {
        const float wide = width(*from);
        cut = x + wide > room - (std::next(from) == answers.end() ? 0 : more);
        if (cut) break;
        out.push_back({&*from, x, wide});
        x += wide;
    }
    return out;
}

/// What the model writes: its text, the question at each position, and its answer there; right and wrong ones are
/// marked. Returns the height.
float draw_answers(const Frame& f, Rect area, const ShownRun& run) {
    const std::vector<train::PlaceAnswer>& answers = run.picture->answers;
    if (answers.empty()) return 0;
    Painter& p = f.painter();
    const float line = f.theme.line_height(Type::Body), mark = f.px(16);
    float names = 0;
    const Str kNames[] = {Str::train_text_row, Str::train_target_row, Str::train_said_row};
    for (const Str name : kNames) names = std::max(names, p.width(f.say(name), Type::Small) + f.px(10));
    bool cut = false;
    const std::vector<AnswerColumn> columns = answer_columns(f, answers, area.w - names, cut);
    if (columns.empty()) return 0;
    const bool any = std::any_of(answers.begin(), answers.end(), [](const train::PlaceAnswer& one) { return !one.target.empty(); });
    float y = area.y;
    for (const Str name : kNames) {
        if (name == Str::train_target_row && !any) continue;
        p.text_in({area.x, y, names, line}, f.say(name), {Type::Small}, Hue::Soft);
        for (const AnswerColumn& column : columns) {
            const train::PlaceAnswer& one = *column.answer;
            const bool says = name == Str::train_said_row;
            const std::string word = attn::visible_text(says ? one.said : name == Str::train_target_row ? one.target : one.token);
            const Hue hue = !says ? (name == Str::train_target_row ? Hue::Ink : Hue::Soft) : one.target.empty() ? Hue::Output : one.right() ? Hue::Good : Hue::Warning;
            p.text_in({area.x + names + column.x, y, column.w, line}, word, {says ? Type::BodyStrong : Type::Body, Align::Center}, hue);
        }
        if (cut) p.text_in({area.right() - p.width("…", Type::Body), y, p.width("…", Type::Body), line}, "…", {Type::Body}, Hue::Soft);
        y += line;
    }
    int right = 0, targets = 0;
    for (const train::PlaceAnswer& one : answers) {
        targets += one.target.empty() ? 0 : 1;
        right += one.right() ? 1 : 0;
    }
    for (const AnswerColumn& column : columns) {
        const train::PlaceAnswer& one = *column.answer;
        const Rect whole{area.x + names + column.x, area.y, column.w, y + mark - area.y};
        const std::string id = fmt::format("{}{}", run.beside ? "train_beside_answer_" : "train_answer_", one.place + 1);
        f.ui.record(id, whole);
        const std::string share = percent_text(one.share), said = attn::visible_text(one.said), wanted = attn::visible_text(one.target);
        hint(f, id, whole, one.target.empty() ? f.say(Str::train_said_says, {said, share}) : f.say(one.right() ? Str::train_right_says : Str::train_wrong_says, {said, share, wanted}));
        if (!one.target.empty())
            p.icon(one.right() ? Icon::Check : Icon::Close, {whole.center().x, y + mark / 2}, f.theme.icon_size * 0.62f, one.right() ? Hue::Good : Hue::Warning);
    }
    if (any) y += mark;
    if (any)
        y += draw_lines(p, {area.x, y + f.px(2), area.w, 0}, f.say(Str::train_right_of, {std::to_string(right), std::to_string(targets)}), {Type::Small}, Hue::Soft, 1);
    return y + f.px(8) - area.y;
}

/// The heads of one run, and their measurement.
void draw_shown_run(const Frame& f, Rect area, const ShownRun& run) {
    float y = area.y;
    const float line = f.theme.line_height(Type::Small), gap = f.px(18);
    if (area.h > line * 13) y += draw_answers(f, {area.x, y + f.px(4), area.w, 0}, run);
    if (const std::string says = measured_text(f, run.measured); !says.empty() && area.bottom() - y > line * 12)
        y += draw_lines(f.painter(), {area.x, y + f.px(4), area.w, 0}, says, {Type::Small}, Hue::Ink, area.w < f.theme.em(Type::Small) * 26 ? 5 : 3) + f.px(12);
    const Rect body{area.x, y, area.w, area.bottom() - y};
    const auto& heads = run.picture->heads;
    const bool decodes = std::any_of(heads.begin(), heads.end(), [](const TrainingHead& h) { return h.tag.part == attn::Part::Encoder; });
    const std::size_t count = heads.size();
    const int columns = columns_of_heads(count, body, line * 4);
    const int rows = (static_cast<int>(count) + columns - 1) / columns;
    const float w = (body.w + gap) / static_cast<float>(columns), h = (body.h + gap * 0.6f) / static_cast<float>(rows);
    const int lines = w < f.theme.em(Type::Small) * 13 ? 0 : h > line * 11 ? 3 : h > line * 8 ? 2 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto across = static_cast<float>(static_cast<int>(i) % columns), down = static_cast<float>(static_cast<int>(i) / columns);
        draw_train_head(f, {body.x + w * across, body.y + h * down, w - gap, h - gap * 0.6f}, run, i, decodes, lines);
    }
}

/// Whose heads these are, in the style of its curve, and for the variation a button to take it to the stage.
void draw_run_title(const Frame& f, Rect row, bool beside) {
    draw_line_sample(f, {row.x, row.y, f.px(26), row.h}, beside);
    float right = row.right();
    if (beside) {
        const float side = row.h;
        right -= side;
        if (icon_button(f.ui, "train_take_beside", {right, row.y, side, side}, Icon::StepForward, ButtonKind::Plain, !f.state.keeping))
            f.push(TrainingAction{TakeSnapshot{true}});
    }
    const float x = row.x + f.px(34);
    // A name truncated to dots would be useless; the sample of its line then identifies it.
    if (right - x < f.theme.em(Type::BodyStrong) * 2) return;
    f.painter().text_fit({x, row.y, right - x, row.h}, name_of_run(f, beside), {Type::BodyStrong}, beside ? Ink(kBesideHue) : Ink(Hue::Accent));
}

}  // namespace

void draw_train_heads(const Frame& f, Rect area) {
    float y = draw_example(f, area);
    const TrainingPicture* picture = f.derived.part<TrainingData>().picture.get();
    if (!picture || picture->heads.empty()) {
        if (!f.derived.part<TrainingData>().news)
            draw_lines(f.painter(), {area.x, y + f.px(6), area.w, 0}, f.say(Str::train_preparing), {Type::Small}, Hue::Soft, 2);
        return;
    }
    const TrainingData& data = f.derived.part<TrainingData>();
    if (!picture->beside) return draw_shown_run(f, {area.x, y, area.w, area.bottom() - y}, {picture, data.measured(), false});
    const float title = f.theme.control_height, gap = f.px(24), half = (area.w - gap) / 2;
    for (const bool beside : {false, true}) {
        const float x = beside ? area.x + half + gap : area.x;
        draw_run_title(f, {x, y, half, title}, beside);
        draw_shown_run(f, {x, y + title, half, area.bottom() - y - title},
                       {beside ? picture->beside.get() : picture, beside ? data.beside_measured() : data.measured(), beside});
    }
}

}  // namespace app
