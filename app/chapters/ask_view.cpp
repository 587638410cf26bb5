// Tasks and questions of a page: what to do, the answer, and the chain of computations behind it.

#include <algorithm>

#include "app/chapters/view.h"
#include "app/chapters/course_page.h"
#include "app/content/number_text.h"
#include "app/state/edits.h"

namespace app {
namespace {

void give(const Frame& f, Answer answer, bool check = false) { push_course(f, GiveAnswer{std::move(answer), check}); }

/// A card's label: a tick or another mark, and its text.
void label_in(CourseColumn& column, Str words, bool done) {
    const Frame& f = column.f;
    const Rect row = column.take(f.px(26));
    if (row.y < column.view.y - 1 || row.bottom() > column.view.bottom() + 1) return;
    const float side = f.px(18);
    const Point at{row.x + side / 2, row.center().y};
    if (done) {
        f.painter().circle(at, side / 2, Hue::Good);
        f.painter().icon(Icon::Check, at, side * 0.62f, Hue::Paper);
    } else {
        f.painter().ring(at, side / 2 - f.px(1), Ink(Hue::Accent, 0.8f), f.px(1.8f));
    }
    f.painter().text_fit({row.x + side + f.px(8), row.y, row.w - side - f.px(8), row.h}, f.say(words),
                         {Type::SmallStrong}, done ? Hue::Good : Hue::Accent);
}

bool button_in(CourseColumn& column, std::string_view id, std::string_view words, ButtonKind kind, bool enabled = true) {
    const Frame& f = column.f;
    const float high = f.theme.button_height, w = std::min(button_width(f.ui, words), column.width);
    const bool fits = column.fits(high);
    const Rect row = column.take(high);
    return fits && button(f.ui, id, {row.x, row.y, w, high}, words, kind, enabled);
}

Prose plain(std::string text, bool strong = false) {
    return {
        {{ProseBlock::Kind::Paragraph, {{strong ? ProseSpan::Kind::Strong : ProseSpan::Kind::Plain, std::move(text)}}}},
        {}};
}

// Design pixels.
constexpr float kOptionPad = 10, kOptionMark = 18, kOptionGap = 6;
/// Up to this many options are placed one below the other, like sentences.
constexpr std::size_t kFewOptions = 4;

/// Options per line: words are in the order of their sentence, several per line, so that all are visible at once;
/// sentences have a line each.
int options_on_a_line(const Frame& f, float width) {
    const auto& options = f.derived.part<CoursePage>().question.options;
    if (options.size() <= kFewOptions) return 1;
    float widest = 0;
    for (const std::string& one : options) widest = std::max(widest, f.painter().width(one, Type::Body));
    const float each = widest + f.px(3 * kOptionPad + kOptionMark + kOptionGap) + 1;
    constexpr int kMost = 4;
    return std::clamp(static_cast<int>((width + f.px(kOptionGap)) / each), 1, kMost);
}

/// One option; after the answer it shows whether it was right.
void option_in(const Frame& f, const ProsePicture& picture, Rect box, int option) {
    const CoursePage& course = f.derived.part<CoursePage>();
    const CourseView& now = f.view().course;
    const std::string id = "course.option." + std::to_string(option + 1);
    const bool order = course.question.input == AnswerInput::Order;
    const auto place = std::find(now.answer.chosen.begin(), now.answer.chosen.end(), option);
    const bool chosen = place != now.answer.chosen.end();
    const auto& right_options = course.marked.right_options;
    const bool right =
        now.checked && !order && std::find(right_options.begin(), right_options.end(), option) != right_options.end();
    const float pad = f.px(kOptionPad), mark = f.px(kOptionMark);
    const Touch touch = touch_area(f.ui, id, box);
    f.ui.record(id, box);
    const Ink fill = right                           ? Ink(Hue::Good, 0.14f)
                     : chosen                        ? Ink(Hue::AccentSoft)
                     : touch.hovered && !now.checked ? Ink(Hue::Back)
                                                     : Ink(Hue::Paper);
    f.painter().fill(box, fill, f.theme.button_radius);
    f.painter().stroke(box,
                       right    ? Ink(Hue::Good)
                       : chosen ? Ink(Hue::Accent)
                                : Ink(Hue::Rule),
                       f.theme.button_radius, f.px(chosen || right ? 1.6f : 1.0f));
    const Point at{box.x + pad + mark / 2, box.center().y};
    if (order && chosen) {
        f.painter().circle(at, mark / 2, Hue::Accent);
        f.painter().text_in({at.x - mark / 2, at.y - mark / 2, mark, mark},
                            std::to_string(place - now.answer.chosen.begin() + 1), {Type::Small, Align::Center},
                            Hue::Paper);
    } else if (right) {
        f.painter().icon(Icon::Check, at, mark * 0.8f, Hue::Good);
    } else if (now.checked && chosen && !order) {
        f.painter().icon(Icon::Close, at, mark * 0.8f, Hue::Warning);
    } else {
        f.painter().ring(at, mark / 2 - f.px(2), chosen ? Ink(Hue::Accent) : Ink(Hue::Faint),
                         f.px(chosen ? 4.5f : 1.5f));
    }
    draw_prose(f, picture, {box.x + 2 * pad + mark, box.y + f.px(6)}, box, id);
    if (touch.focused) focus_ring(f.ui, box, f.theme.button_radius);
    if (!touch.clicked || now.checked) return;
    Answer answer = now.answer;
    if (!order) {
        answer.chosen = {option};
    } else if (chosen) {
        answer.chosen.erase(answer.chosen.begin() + (place - now.answer.chosen.begin()));
    } else {
        answer.chosen.push_back(option);
    }
    give(f, std::move(answer));
}

void options_in(CourseColumn& column) {
    const Frame& f = column.f;
    const auto& options = f.derived.part<CoursePage>().question.options;
    const int on_line = options_on_a_line(f, column.width);
    const float gap = f.px(kOptionGap), each = (column.width - gap * static_cast<float>(on_line - 1)) / static_cast<float>(on_line);
    const float text_w = each - f.px(3 * kOptionPad + kOptionMark);
    for (std::size_t first = 0; first < options.size(); first += static_cast<std::size_t>(on_line)) {
        const std::size_t end = std::min(options.size(), first + static_cast<std::size_t>(on_line));
        std::vector<Prose> words;
        for (std::size_t i = first; i < end; ++i) words.push_back(plain(options[i]));
        std::vector<ProsePicture> pictures;
        float high = 0;
        for (const Prose& one : words) {
            pictures.push_back(lay_out_prose(f, one, text_w, Type::Body));
            high = std::max(high, pictures.back().height + f.px(12));
        }
        const bool fits = column.fits(high);
        const Rect line = column.take(high);
        column.gap(kOptionGap);
        for (std::size_t i = first; fits && i < end; ++i)
            option_in(f, pictures[i - first], {line.x + (each + gap) * static_cast<float>(i - first), line.y, each, high}, static_cast<int>(i));
    }
}

/// A line of words or numbers, the first one left-aligned, the others ending at `right_of(k)`.
template <class RightOf>
void table_line(CourseColumn& column, const std::vector<std::string>& texts, RightOf right_of, Type type, Hue hue,
                bool second_is_new = false) {
    const Frame& f = column.f;
    const float line = f.theme.line_height(Type::Number) + f.px(2);
    const bool fits = column.fits(line);
    const Rect at = column.take(line);
    if (!fits) return;
    f.painter().text_fit({at.x, at.y, right_of(0), line}, texts[0], {Type::Small}, Hue::Soft);
    for (std::size_t k = 1; k < texts.size(); ++k)
        f.painter().text_in({at.x, at.y, right_of(k), line}, texts[k], {type, Align::Right},
                            second_is_new && k == 2 ? Hue::Score : hue);
}

/// The numbers of a row before and after a change: as rows if there is room, else one line per label.
void rows_in(CourseColumn& column) {
    const Frame& f = column.f;
    const PageQuestion& question = f.derived.part<CoursePage>().question;
    const std::string heads[] = {std::string(f.say(Str::ask_before)), std::string(f.say(Str::ask_after))};
    const std::vector<double>* numbers[] = {&question.before, &question.after};
    const auto number = [&](int k, std::size_t i) {
        return i < numbers[k]->size() ? number_text(static_cast<float>((*numbers[k])[i])) : std::string();
    };
    const std::size_t count = question.labels.size();
    float first = 0, each = f.painter().width("-0.00", Type::Number), label_w = 0;
    for (const std::string& head : heads) first = std::max(first, f.painter().width(head, Type::Small) + f.px(10));
    for (const std::string& label : question.labels) label_w = std::max(label_w, f.painter().width(label, Type::Small));
    const float pitch = (column.width - first) / static_cast<float>(std::max<std::size_t>(count, 1));
    if (pitch >= std::max(each, label_w) + f.px(6)) {
        const auto right_of = [&](std::size_t k) { return first + pitch * static_cast<float>(k); };
        std::vector<std::string> labels{""};
        labels.insert(labels.end(), question.labels.begin(), question.labels.end());
        table_line(column, labels, right_of, Type::Small, Hue::Soft);
        for (int k = 0; k < 2; ++k) {
            std::vector<std::string> texts{heads[k]};
            for (std::size_t i = 0; i < count; ++i) texts.push_back(number(k, i));
            table_line(column, texts, right_of, Type::Number, k == 0 ? Hue::Ink : Hue::Score);
        }
    } else {
        each = std::max(each, first) + f.px(14);
        const float left = std::min(label_w + f.px(8), column.width - 2 * each);
        const auto right_of = [&](std::size_t k) { return left + each * static_cast<float>(k); };
        table_line(column, {"", heads[0], heads[1]}, right_of, Type::Small, Hue::Soft);
        for (std::size_t i = 0; i < count; ++i)
            table_line(column, {question.labels[i], number(0, i), number(1, i)}, right_of, Type::Number, Hue::Ink, true);
    }
    column.gap(10);
}

void number_in(CourseColumn& column) {
    const Frame& f = column.f;
    const float high = f.theme.field_height;
    const bool fits = column.fits(high);
    const Rect row = column.take(high);
    column.gap(8);
    if (!fits) return;
    std::string& text = f.scratch.course.number;
    if (f.view().course.checked) {
        f.painter().text_in(
            row, f.view().course.answer.number ? number_text(static_cast<float>(*f.view().course.answer.number), 3) : "",
            {Type::Number}, Hue::Ink);
        return;
    }
    FieldLook look;
    look.placeholder = f.say(Str::ask_number_field);
    look.type = Type::Number;
    const auto field = text_field(f.ui, "course.number", {row.x, row.y, std::min(row.w, f.px(180)), high}, text, look);
    Answer answer;
    if (const auto number = number_typed(text)) answer.number = static_cast<double>(*number);
    if (field.changed) give(f, answer);
    if (field.entered && answer.given()) give(f, answer, true);
}

/// What was measured and its value, on one line, or on two if they are long.
void measured_in(CourseColumn& column, const MeasuredLine& measured) {
    const Frame& f = column.f;
    const float line = f.px(23), between = f.px(12);
    const float what = f.painter().width(measured.what, Type::Small),
                value = f.painter().width(measured.value, Type::NumberSmall);
    const auto draw = [&](std::string_view text, Type type, Align align, Hue hue) {
        const bool fits = column.fits(line);
        const Rect row = column.take(line);
        if (fits) f.painter().text_fit(row, text, {type, align}, hue);
        return row;
    };
    column.gap(6);
    const bool together = what + between + value <= column.width;
    const bool fits = column.fits(line);
    const Rect row = draw(measured.what, Type::Small, Align::Left, Hue::Soft);
    if (!together) return void(draw(measured.value, Type::NumberSmall, Align::Right, Hue::Ink));
    if (fits)
        f.painter().text_fit({row.right() - value, row.y, value, line}, measured.value, {Type::NumberSmall}, Hue::Ink);
}

void chains_in(CourseColumn& column) {
    const Frame& f = column.f;
    const float line = f.px(23);
    for (const MeasuredLine& measured : f.derived.part<CoursePage>().marked.lines) measured_in(column, measured);
    for (const AnswerChain& chain : f.derived.part<CoursePage>().chains) {
        column.gap(10);
        const bool title_fits = column.fits(line);
        const Rect title = column.take(line);
        if (title_fits) f.painter().text_fit(title, chain.title, {Type::SmallStrong}, Hue::Soft);
        for (const ChainRow& one : chain.rows) {
            const bool fits = column.fits(line);
            const Rect row = column.take(line);
            if (!fits) continue;
            const float half = row.w * 0.55f;
            if (one.here) f.painter().fill(row.inset(-f.px(4), 0), Ink(Hue::AccentSoft), f.px(5));
            f.painter().text_fit({row.x, row.y, half - f.px(8), line}, one.how, {Type::Small}, Hue::Soft);
            f.painter().text_fit({row.x + half, row.y, row.w - half, line},
                                 one.infinite ? "−∞" : number_text(one.value, 4), {Type::NumberSmall, Align::Right},
                                 one.hue);
        }
    }
}

void outcome_in(CourseColumn& column) {
    const Frame& f = column.f;
    const CoursePage& course = f.derived.part<CoursePage>();
    const std::string verdict = course.marked.right ? std::string(f.say(Str::ask_right))
                                : course.marked.right_answer.empty()
                                    ? std::string(f.say(Str::ask_wrong_plain))
                                    : f.say(Str::ask_wrong, {course.marked.right_answer});
    column.gap(4);
    prose_in(column, plain(verdict, true), Type::Body, "course.verdict");
    chains_in(column);
    if (!course.because.empty()) {
        column.gap(8);
        prose_in(column, course.because, course_type(f), "course.because");
    }
    column.gap(12);
    if (button_in(column, "course.again", f.say(Str::ask_again), ButtonKind::Soft)) {
        f.scratch.course.number.clear();
        push_course(f, TryAgain{});
    }
}

bool complete(const PageQuestion& question, const Answer& answer) {
    if (question.input == AnswerInput::Number) return answer.number.has_value();
    if (question.input == AnswerInput::Order) return answer.chosen.size() == question.options.size();
    return question.input == AnswerInput::Act || !answer.chosen.empty();
}

}  // namespace

void task_in(CourseColumn& column) {
    const Frame& f = column.f;
    const CoursePage& course = f.derived.part<CoursePage>();
    const PageDone* done = f.state.progress.find(course.chapter->id, course.page->id);
    const bool ticked = course.task_done || (done && done->task);
    column.gap(22);
    label_in(column, ticked ? Str::chapter_done : Str::chapter_do, ticked);
    column.gap(4);
    prose_in(column, course.task, course_type(f), "course.task");
    if (ticked) return;
    column.gap(10);
    if (button_in(column, "course.how", f.say(Str::chapter_show_me), ButtonKind::Plain)) push_course(f, ShowHow{});
}

void question_in(CourseColumn& column) {
    const Frame& f = column.f;
    const CoursePage& course = f.derived.part<CoursePage>();
    const CourseView& now = f.view().course;
    column.gap(course.say.empty() ? 2 : 22);
    const PageDone* done = f.state.progress.find(course.chapter->id, course.page->id);
    const bool right = done && done->right;
    // A closing question has its own heading.
    if (!course.page->closing || right) {
        label_in(column, Str::chapter_question, right);
        column.gap(4);
    }
    if (!course.question.possible)
        return prose_in(column, plain(std::string(f.say(Str::ask_not_now))), Type::Body, "course.not_now");
    prose_in(column, course.question_text, course_type(f), "course.question");
    column.gap(12);
    if (!course.question.before.empty()) rows_in(column);
    options_in(column);
    if (course.question.input == AnswerInput::Number) number_in(column);
    if (now.checked) return outcome_in(column);
    column.gap(6);
    if (button_in(column, "course.check", f.say(Str::ask_check), ButtonKind::Filled, complete(course.question, now.answer)))
        give(f, now.answer, true);
    if (course.question.input == AnswerInput::Act) {
        column.gap(6);
        if (button_in(column, "course.how", f.say(Str::chapter_show_me), ButtonKind::Plain)) push_course(f, ShowHow{});
    }
}

}  // namespace app
