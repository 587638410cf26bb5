#include "app/chapters/teacher_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/chapters/course_page.h"
#include "app/chapters/do.h"
#include "app/screens/experiments/look.h"
#include "app/ui/formula_text.h"
#include "core/io/safe_text.h"

namespace app {

std::string key_of(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context) {
    const Marked marked = mark_question(ask, question, context, right_answer(ask, question, context));
    std::string out = marked.right_answer;
    for (const MeasuredLine& line : marked.lines) out += "\n  " + line.what + " = " + line.value;
    return out;
}

namespace {

std::string line_of(const ProseBlock& block) {
    std::string out = block.kind == ProseBlock::Kind::Item ? "– " : "";
    for (const ProseSpan& span : block.spans) {
        if (span.kind == ProseSpan::Kind::Cite) {
            while (out.ends_with(' ')) out.pop_back();
            continue;
        }
        out += span.kind == ProseSpan::Kind::Math ? formula_to_text(span.text) : span.text;
    }
    return out;
}

}  // namespace

std::vector<std::string> lines_of(const Prose& prose) {
    std::vector<std::string> out;
    for (const ProseBlock& block : prose.blocks) out.push_back(line_of(block));
    return out;
}

namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
    return out;
}

/// The right answer, for the computation on the screen.
std::string answer_of(const AppState& state, const Derived& derived) {
    const CoursePage& course = derived.part<CoursePage>();
    if (course.question.input == AnswerInput::Act) return joined(lines_of(course.because));
    if (state.view.course.checked) return course.marked.right_answer;
    const attn::Document own = own_document(state);
    const ChapterContext context = context_now(state, derived, own);
    return key_of(*course.page->ask, course.question, context);
}

/// The next page of the chapter, or of the current lesson.
PagePlace place_after(const AppState& state, const Derived& derived) {
    const auto& walk = state.view.course.walk;
    if (!walk) return {derived.part<CoursePage>().chapter, state.view.course.page + 1};
    const int next = walk->at + 1;
    return next < walk->size() ? place_of_page(*state.chapters, walk->pages[static_cast<std::size_t>(next)]) : PagePlace{};
}

void next_page(const AppState& state, const Derived& derived, TeacherNotes& out) {
    const Language language = state.view.language;
    const PagePlace place = place_after(state, derived);
    if (!place.chapter) return;
    const auto next = static_cast<std::size_t>(place.page);
    if (next >= place.chapter->pages.size()) {
        if (next == place.chapter->pages.size()) out.next = tr(Str::chapter_read, language);
        return;
    }
    const ChapterPage& page = place.chapter->pages[next];
    out.next = in(page.title, language);
    const attn::Document document = page_document(*place.chapter, page, language);
    const auto run = attn::run(document);
    if (!run) return;
    const ChapterContext context =
        page_context(document, *run, document, language, part_of_page(page.enter, language).values.part<ExperimentsLook>().paths.dials);
    out.next_says = lines_of(fill_prose(in(page.say, language), context));
}

}  // namespace

TeacherNotes teacher_notes(const AppState& state, const Derived& derived) {
    TeacherNotes out;
    const CoursePage& course = derived.part<CoursePage>();
    const Language language = state.view.language;
    if (!course.chapter) return out;
    const auto count = course.chapter->pages.size() + 1;
    out.place =
        in(course.chapter->title, language) + " · " +
        fill_in(tr(Str::notes_page, language), {std::to_string(state.view.course.page + 1), std::to_string(count)});
    if (const auto& walk = state.view.course.walk)
        out.place = in(walk->title, language) + " · " +
                    fill_in(tr(Str::notes_page, language), {std::to_string(std::min(walk->at + 1, walk->size())), std::to_string(walk->size())});
    if (!course.page) {
        out.title = tr(Str::chapter_read, language);
        return out;
    }
    out.title = in(course.page->title, language);
    const auto paragraphs = static_cast<int>(course.say.blocks.size());
    if (state.view.present.on && paragraphs > 0)
        out.shown =
            fill_in(tr(Str::notes_shown, language),
                    {std::to_string(std::clamp(state.view.course.shown, 1, paragraphs)), std::to_string(paragraphs)});
    out.notes = lines_of(course.notes);
    if (course.page->ask && course.question.possible) {
        out.question = joined(lines_of(course.question_text));
        out.answer = answer_of(state, derived);
    }
    next_page(state, derived, out);
    return out;
}

std::string text_of(const TeacherNotes& notes, Language language) {
    if (notes.place.empty()) return fmt::format("{}\n", tr(Str::notes_waiting, language));
    std::string out = fmt::format("{}\n{}\n", notes.place, notes.title);
    if (!notes.shown.empty()) out += notes.shown + "\n";
    out +=
        fmt::format("\n{}\n", notes.notes.empty() ? std::string(tr(Str::notes_none, language)) : joined(notes.notes));
    if (!notes.question.empty()) out += fmt::format("\n{}: {}\n", tr(Str::chapter_question, language), notes.question);
    if (!notes.answer.empty()) out += fmt::format("{}\n", fill_in(tr(Str::notes_answer, language), {notes.answer}));
    if (!notes.next.empty()) out += fmt::format("\n{}: {}\n", tr(Str::chapter_next, language), notes.next);
    if (!notes.next_says.empty()) out += joined(notes.next_says) + "\n";
    return out;
}

void NotesTerminal::follow(const AppState& state, const Derived& derived) {
    // A page that is being opened still has the numbers of the previous one.
    if (state.view.course.arriving || derived.computing) return;
    const Seen now{derived.part<CoursePage>().revision, state.view.course.page, state.view.course.shown, state.view.present.on,
                   state.view.language};
    if (seen_ == now) return;
    seen_ = now;
    const std::string text = attn::visible_text(text_of(teacher_notes(state, derived), state.view.language), true);
    if (text == printed_) return;
    printed_ = text;
    constexpr std::string_view kWipe = "\x1b[2J\x1b[3J\x1b[H", kRule = "────────\n";
    out_ << (wipes_ ? kWipe : kRule) << text << std::flush;
}

}  // namespace app
