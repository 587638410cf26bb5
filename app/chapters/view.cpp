// The chapter panel next to the picture: the page's text with live numbers, its task, its question, and its navigation.

#include "app/chapters/view.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "app/draw/scene.h"
#include "app/frame/commands.h"
#include "app/ui/rich_text.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kTop = 26, kDot = 7, kCourseMargin = 26, kCourseFoot = 58;
constexpr int kTitleLines = 3;

/// A source's number: its position in the chapter's list, from 1.
int source_number(const Frame& f, std::string_view id) {
    const auto& sources = f.derived.part<CoursePage>().chapter->sources;
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i].id == id) return static_cast<int>(i) + 1;
    return 0;
}

/// Laid out once for its text, width and type.
const ProsePicture& picture_of(const Frame& f, const Prose& prose, float width, Type type, std::string_view id) {
    CourseScratch& cached = f.scratch.course;
    if (cached.revision != f.derived.part<CoursePage>().revision || cached.scale != f.theme.scale || cached.theme != f.theme.id) {
        cached.pictures.clear();
        cached.revision = f.derived.part<CoursePage>().revision;
        cached.scale = f.theme.scale;
        cached.theme = f.theme.id;
    }
    for (const auto& one : cached.pictures)
        if (one.id == id && one.width == width) return *one.picture;
    auto picture = std::make_shared<ProsePicture>(
        lay_out_prose(f, prose, width, type, [&](std::string_view source) { return source_number(f, source); }));
    cached.pictures.push_back({std::string(id), width, std::move(picture)});
    return *cached.pictures.back().picture;
}

/// The part of the formula that a step belongs to.
std::string part_of_step(const Frame& f, const attn::Tag& tag) {
    const attn::StepId step = attn::find_id(f.trace(), tag);
    const int stop = step == attn::kNoStep ? -1 : stop_of(f.derived.timeline, f.trace(), step);
    if (stop < 0) return {};
    return std::string(part_of(f.derived.timeline.stops[static_cast<std::size_t>(stop)].stage));
}

void light(const Frame& f, const ProsePicture& picture, int link) {
    const CoursePage& course = f.derived.part<CoursePage>();
    std::optional<LitCells> lit;
    std::string part;
    if (link >= 0) {
        const std::string& target = picture.links[static_cast<std::size_t>(link)];
        if (static_cast<std::size_t>(link) < course.lit.size()) lit = course.lit[static_cast<std::size_t>(link)];
        if (target.starts_with("part ")) part = target.substr(5);
        if (lit && lit->token < 0) part = part_of_step(f, lit->tag);
    }
    if (!lit && part.empty()) return;
    const CourseView& now = f.view().course;
    if (now.lit == lit && now.lit_part == part) return;
    f.change_view([lit, part](ViewState& v) {
        v.course.lit = lit;
        v.course.lit_part = part;
    });
}

const CourseWalk* walk(const Frame& f) { return f.view().course.walk ? &*f.view().course.walk : nullptr; }

/// A page by its index in the chapter, or in the current lesson or quiz; no page: the end.
PagePlace page_at(const Frame& f, int i) {
    const CourseWalk* walked = walk(f);
    if (!walked) return {f.derived.part<CoursePage>().chapter, i < static_cast<int>(f.derived.part<CoursePage>().chapter->pages.size()) ? i : -1};
    return i < walked->size() ? place_of_page(*f.state.chapters, walked->pages[static_cast<std::size_t>(i)]) : PagePlace{};
}

/// One dot per page, showing the current page and what is done.
void dots(const Frame& f, Rect row) {
    const CoursePage& course = f.derived.part<CoursePage>();
    const CourseWalk* walked = walk(f);
    const int count = (walked ? walked->size() : static_cast<int>(course.chapter->pages.size())) + 1, here = walked ? walked->at : f.view().course.page;
    const float pitch = std::min(f.px(kDot) * 2.1f, row.w / static_cast<float>(count)),
                radius = std::min(f.px(kDot), pitch * 0.6f) / 2;
    for (int i = 0; i < count; ++i) {
        const Point at{row.x + pitch * (static_cast<float>(i) + 0.5f), row.center().y};
        const Rect hit{at.x - pitch / 2, row.y, pitch, row.h};
        const Touch touch = touch_area(f.ui, "course.page." + std::to_string(i + 1), hit, false);
        if (touch.clicked) push_course(f, walked ? CourseAction(TurnPage{i - here}) : CourseAction(OpenPage{course.chapter->id, i}));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        const PagePlace place = page_at(f, i);
        const ChapterPage* page = place.page >= 0 ? &place.chapter->pages[static_cast<std::size_t>(place.page)] : nullptr;
        const PageDone* done = page ? f.state.progress.find(place.chapter->id, page->id) : nullptr;
        const bool finished = done && done->seen && (!page->task || done->task) && (!page->ask || done->right);
        if (i == here) {
            f.painter().circle(at, radius * 1.5f, Hue::Accent);
        } else if (finished) {
            f.painter().circle(at, radius, Hue::Accent);
        } else {
            f.painter().circle(at, radius, done && done->seen ? Ink(Hue::Accent, 0.35f) : Ink(Hue::Rule));
        }
    }
}

/// Draws the course's central sentence. The parts that the course has reached are underlined, in the colours that they have
/// in every picture. Returns its height.
float course_sentence(const Frame& f, Rect room, int come) {
    constexpr Hue kHues[kSentenceParts] = {Hue::Query, Hue::Key, Hue::Score, Hue::Value, Hue::Output};
    std::string words;
    std::vector<int> part_of;  // for each byte the place at which the course reaches it
    for (std::string_view rest = f.say(Str::course_sentence); !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        words += part.substr(1);
        part_of.resize(words.size(), part[0] - '0');
    }
    Painter& p = f.painter();
    // In the projector theme the page's own text needs the space.
    const Type type = f.theme.projector ? Type::Small : Type::Body;
    const float bar = f.px(14), line = f.theme.em(type) * 1.55f;
    float y = room.y;
    for (const std::string_view one :
         wrap_lines(words, room.w - bar, [&](std::string_view text) { return p.width(text, type); })) {
        float x = room.x + bar;
        for (std::size_t i = 0; i < one.size();) {
            const auto first = static_cast<std::size_t>(one.data() - words.data()) + i;
            std::size_t n = 1;
            while (i + n < one.size() && part_of[first + n] == part_of[first]) ++n;
            const std::string_view text = one.substr(i, n);
            const int part = part_of[first];
            const bool lit = part <= come;
            const Ink ink = lit ? Ink(kHues[part - 1]) : Ink(Hue::Soft);
            const float w = p.width(text, type), base = y + line / 2 + p.middle_to_baseline(type);
            p.text({x, base}, text, {type}, ink);
            if (lit) p.line({x, base + f.px(4)}, {x + w, base + f.px(4)}, ink, f.px(1.4f));
            x += w;
            i += n;
        }
        y += line;
    }
    p.fill({room.x, room.y + f.px(3), f.px(3), y - room.y - f.px(6)}, Hue::Rule, f.px(1.5f));
    f.ui.record("course.sentence", {room.x, room.y, room.w, y - room.y});
    return y - room.y;
}

/// The chapter's name, its list, and a close button.
void head(const Frame& f, Rect row) {
    const float side = f.px(28);
    Rect right{row.right() - side, row.y, side, row.h};
    if (!f.view().present.on) {
        if (icon_button(f.ui, "course.close", {right.x, row.center().y - side / 2, side, side}, Icon::Close))
            push_course(f, CloseChapter{});
        right.x -= side + f.px(2);
        if (icon_button(f.ui, "course.list", {right.x, row.center().y - side / 2, side, side}, Icon::More))
            toggle_sheet(f, Sheet::Chapters);
    }
    std::string title = in(f.derived.part<CoursePage>().chapter->title, f.view().language);
    if (const CourseWalk* walked = walk(f))
        title = f.say(Str::lesson_place, {in(walked->title, f.view().language), std::to_string(std::min(walked->at + 1, walked->size())), std::to_string(walked->size())});
    const float room = (f.view().present.on ? row.right() : right.x) - row.x - f.px(8),
                high = lines_height(f.painter(), room, title, Type::Small);
    draw_lines(f.painter(), {row.x, row.center().y - high / 2, room, high}, title, {Type::Small}, Hue::Soft);
}

/// The next readable chapter; null: this is the last.
const Chapter* chapter_after(const ChapterLibrary& library, const Chapter& chapter) {
    bool passed = false;
    for (const Chapter& one : library.chapters) {
        if (passed && one.readable()) return &one;
        passed = passed || one.id == chapter.id;
    }
    return nullptr;
}

void course_foot(const Frame& f, Rect row) {
    const float high = f.theme.button_height, y = row.center().y - high / 2;
    const CourseWalk* walked = walk(f);
    const int last = static_cast<int>(f.derived.part<CoursePage>().chapter->pages.size());
    const bool at_end = walked ? walked->ended() : f.view().course.page >= last, at_begin = (walked ? walked->at : f.view().course.page) == 0;
    const Chapter* following = at_end && !walked ? chapter_after(*f.state.chapters, *f.derived.part<CoursePage>().chapter) : nullptr;
    const bool again = at_end && walked && walked->counts() && !f.derived.part<CoursePage>().page;
    const std::string_view back = f.say(Str::chapter_back),
                           next = f.say(again ? Str::quiz_again : following ? Str::chapter_following : Str::chapter_next),
                           own = f.say(Str::chapter_own_numbers);
    const float back_w = button_width(f.ui, back), next_w = button_width(f.ui, next), own_w = button_width(f.ui, own);
    if (button(f.ui, "course.back", {row.x, y, back_w, high}, back, ButtonKind::Soft, !at_begin))
        push_course(f, TurnPage{-1});
    if (button(f.ui, "course.next", {row.right() - next_w, y, next_w, high}, next, ButtonKind::Filled,
               !at_end || following || again || (walked && f.derived.part<CoursePage>().page)))
        push_course(f, again ? CourseAction(BeginWalk{quiz_of(*f.state.chapters, walked->quiz + 1)})
                       : following ? CourseAction(OpenPage{following->id, 0}) : CourseAction(TurnPage{1}));
    const float room = row.w - back_w - next_w - f.px(16);
    if (f.derived.part<CoursePage>().changed && own_w <= room &&
        button(f.ui, "course.own", {row.x + back_w + f.px(8) + (room - own_w) / 2, y, own_w, high}, own,
               ButtonKind::Plain))
        push_course(f, OwnNumbers{});
}

void sources_in(CourseColumn& column, bool all) {
    const Frame& f = column.f;
    const Chapter& chapter = *f.derived.part<CoursePage>().chapter;
    std::vector<std::string> cited;
    for (const ProseBlock& block : f.derived.part<CoursePage>().say.blocks)
        for (const ProseSpan& span : block.spans)
            if (span.kind == ProseSpan::Kind::Cite && std::find(cited.begin(), cited.end(), span.source) == cited.end())
                cited.push_back(span.source);
    for (std::size_t i = 0; i < chapter.sources.size(); ++i) {
        const ChapterSource& source = chapter.sources[i];
        const Prose& read = in(source.read, f.view().language);
        if (all ? read.empty() : std::find(cited.begin(), cited.end(), source.id) == cited.end()) continue;
        column.gap(all ? 18 : 4);
        Prose text;
        text.blocks.push_back(
            {ProseBlock::Kind::Paragraph,
             {{ProseSpan::Kind::Plain, (all ? "" : "[" + std::to_string(i + 1) + "] ") + source.text}}});
        if (all) text.blocks.back().spans[0].kind = ProseSpan::Kind::Strong;
        prose_in(column, text, all ? course_type(f) : Type::Small, "course.source." + std::to_string(i));
        if (!all) continue;
        column.gap(2);
        prose_in(column, read, course_type(f), "course.read." + std::to_string(i));
        if (source.url.empty()) continue;
        const Prose address{{{ProseBlock::Kind::Paragraph, {{ProseSpan::Kind::Plain, source.url, 0}}}}, {source.url}};
        prose_in(column, address, Type::Small, "course.url." + std::to_string(i));
    }
}

/// A glossary term, above the rest of the panel.
void term_card(const Frame& f, Rect panel) {
    const ChapterTerm* term = f.derived.part<CoursePage>().term;
    if (!term) return;
    const float pad = f.px(18), width = panel.w - 2 * f.px(14);
    const ProsePicture& says =
        picture_of(f, f.derived.part<CoursePage>().term_says, width - 2 * pad, Type::Body, "term." + term->id);
    const float title = f.theme.line_height(Type::BodyStrong);
    const float high = says.height + title + 2 * pad + f.px(8);
    const Rect card{panel.x + f.px(14), panel.bottom() - f.px(kCourseFoot) - high - f.px(8), width, high};
    f.painter().card(card);
    f.ui.record("course.term", card);
    const Rect line{card.x + pad, card.y + pad, width - 2 * pad, title};
    const float side = f.px(26);
    draw_term_names(f, {line.x, line.y, line.w - side - f.px(8), line.h}, *term);
    if (icon_button(f.ui, "course.term.close", {line.right() - side, line.y, side, side}, Icon::Close))
        push_course(f, FollowLink{"term " + term->id});
    const ProseTouch touch = draw_prose(f, says, {card.x + pad, line.bottom() + f.px(8)}, card, "course.term");
    if (touch.clicked >= 0) push_course(f, FollowLink{says.links[static_cast<std::size_t>(touch.clicked)]});
}

/// The end of a lesson; for a quiz, the number of right answers, and the pages of the others.
void end_of_walk(CourseColumn& column, const CourseWalk& walked) {
    const Frame& f = column.f;
    const Language language = f.view().language;
    Prose says;
    const auto plain = [](std::string text, int link = -1) { return ProseSpan{ProseSpan::Kind::Plain, std::move(text), link}; };
    if (!walked.counts()) {
        says.blocks.push_back({ProseBlock::Kind::Paragraph, {plain(std::string(f.say(Str::lesson_end)))}});
        return prose_in(column, says, course_type(f), "course.end");
    }
    const std::string result = f.say(Str::quiz_result, {std::to_string(walked.right()), std::to_string(walked.size())});
    f.painter().text_fit({column.view.x, column.y, column.width, f.px(54)}, result, {Type::MediumStrong}, Hue::Accent);
    f.ui.record("course.result", {column.view.x, column.y, column.width, f.px(54)});
    column.y += f.px(64);
    if (walked.right() == walked.size()) return;
    says.blocks.push_back({ProseBlock::Kind::Paragraph, {plain(std::string(f.say(Str::quiz_missed)))}});
    for (std::size_t i = 0; i < walked.pages.size(); ++i) {
        if (walked.first[i] == std::optional<bool>(true)) continue;
        const PagePlace place = place_of_page(*f.state.chapters, walked.pages[i]);
        if (!place.chapter) continue;
        says.links.push_back("chapter " + walked.pages[i]);
        says.blocks.push_back({ProseBlock::Kind::Item,
                               {plain(std::to_string(i + 1) + " · "),
                                plain(in(place.chapter->title, language), static_cast<int>(says.links.size()) - 1)}});
    }
    prose_in(column, says, course_type(f), "course.end");
}

void content(const Frame& f, CourseColumn& column) {
    const CoursePage& course = f.derived.part<CoursePage>();
    if (const CourseWalk* walked = walk(f); walked && walked->ended() && !course.page) return end_of_walk(column, *walked);
    if (!course.page) {
        Prose end;
        end.blocks.push_back(
            {ProseBlock::Kind::Paragraph, {{ProseSpan::Kind::Plain, std::string(f.say(Str::chapter_end))}}});
        prose_in(column, end, course_type(f), "course.end");
        sources_in(column, true);
        return;
    }
    const bool room = f.view().present.on;
    const int steps = course_steps(f);
    const int shown = room ? std::clamp(f.view().course.shown, 1, std::max(steps, 1)) : -1;
    if (!course.say.empty()) prose_in(column, course.say, course_type(f), "course.say", shown);
    if (room && shown < steps) return;
    if (course.page->task) task_in(column);
    if (course.page->ask) question_in(column);
    column.gap(18);
    if (!room) sources_in(column, false);
}

/// The rectangle of the lit cells in a matrix on the screen; empty: they are not in it.
Rect lit_place(const Frame& f, const LitCells& lit, const MatrixSprite& sprite) {
    const attn::Axis& rows = f.trace()[sprite.step].rows;
    if (lit.token >= 0 ? rows.kind != attn::Axis::Kind::Tokens : f.trace()[sprite.step].tag != lit.tag) return {};
    const Grid& grid = sprite.grid;
    const bool whole_row = lit.token >= 0 || (lit.row >= 0 && lit.col < 0);
    const int row = (lit.token >= 0 ? lit.token - rows.first : lit.row) - sprite.first_row, col = lit.col;
    if ((lit.token >= 0 || lit.row >= 0) && (row < 0 || row >= grid.rows)) return {};
    if (col >= grid.cols) return {};
    if (whole_row) return grid.row(row);
    return lit.row >= 0 ? grid.at(row, col) : col >= 0 ? grid.col(col) : grid.area();
}

/// Frames what a link or the page lights, in the matrices on the screen.
void light_cells(const Frame& f) {
    const auto& lit = f.view().course.lit;
    if (!lit) return;
    // A step drawn in several parts has one frame around them.
    std::map<attn::StepId, std::pair<Rect, float>> frames;
    for (const MatrixSprite& sprite : f.scratch.scene.matrices) {
        if (sprite.alpha < 0.5f || sprite.step < 0 || sprite.step >= f.trace().size()) continue;
        const Rect place = lit_place(f, *lit, sprite);
        if (place.empty()) continue;
        const auto [at, first] = frames.try_emplace(sprite.step, place, sprite.grid.cell);
        if (!first) at->second = {around(at->second.first, place), std::min(at->second.second, sprite.grid.cell)};
    }
    for (const auto& [step, frame] : frames) {
        const auto& [place, cell] = frame;
        f.ui.record("course.lit", place);
        // Thinner around small cells, so as not to hide them.
        const float air = std::min(f.px(3), cell * 0.2f + 1);
        f.painter().stroke(place.inset(-air), Ink(Hue::Accent, 0.9f), std::min(f.px(7), 2.4f * air),
                           std::min(f.px(2.4f), air));
    }
}

}  // namespace

Type course_type(const Frame&) { return Type::Body; }

int course_steps(const Frame& f) { return static_cast<int>(f.derived.part<CoursePage>().say.blocks.size()); }

void prose_in(CourseColumn& column, const Prose& prose, Type type, std::string_view id, int blocks) {
    const Frame& f = column.f;
    const ProsePicture& picture = picture_of(f, prose, column.width, type, id);
    const ProseTouch touch = draw_prose(f, picture, {column.view.x, column.y}, column.view, id, blocks);
    if (id == "course.say") light(f, picture, touch.hovered);
    if (touch.clicked >= 0) {
        const std::string& target = picture.links[static_cast<std::size_t>(touch.clicked)];
        if (attn::is_web_address(target)) {
            gui::set_clipboard(target);
            f.push(Tell{std::string(f.say(Str::copied_number, {target}))});
        } else {
            push_course(f, FollowLink{target});
        }
    }
    column.y += picture.height;
}

void draw_course(const Frame& f) {
    const CoursePage& course = f.derived.part<CoursePage>();
    if (f.area.empty() || !course.chapter) return;
    if (row_of(f.view().screen).lights) light_cells(f);
    Painter& p = f.painter();
    p.fill(f.area, Hue::Paper);
    p.fill({f.area.right() - f.theme.rule_width, f.area.y, f.theme.rule_width, f.area.h}, Hue::Rule);
    const auto clip = p.clip(f.area);
    f.ui.record("course", f.area);
    const float margin = f.px(f.theme.projector ? kCourseMargin * 0.6f : kCourseMargin), width = f.area.w - 2 * margin - f.px(8);
    const Rect row{f.area.x + margin, f.area.y + f.px(12), f.area.w - 2 * margin, f.px(30)};
    head(f, row);
    dots(f, {row.x, row.bottom() + f.px(2), row.w, f.px(18)});
    const CourseWalk* walked = walk(f);
    // In a quiz, “Question 3” would be a second number, so the heading shows the chapter of the question.
    const bool quiz = walked && walked->counts();
    const std::string_view title = course.page                     ? in(quiz ? course.chapter->title : course.page->title, f.view().language)
                                   : walked && walked->ended() ? std::string_view(in(walked->title, f.view().language))
                                                               : f.say(Str::chapter_read);
    float top = row.bottom() + f.px(kTop);
    if (course.page && course.page->sentence >= 0)
        top += course_sentence(f, {row.x, top, width, 0}, course.page->sentence) + f.px(12);
    if (course.page && course.page->closing && !quiz) {
        p.text_fit({row.x, top, row.w, f.px(22)}, f.say(Str::chapter_closing), {Type::Small}, Hue::Accent);
        top += f.px(20);
    }
    top += draw_lines(p, {row.x, top, row.w, 0}, title, {Type::TitleStrong}, Hue::Ink, kTitleLines) + f.px(10);
    const Rect bottom{row.x, f.area.bottom() - f.px(kCourseFoot), row.w, f.px(kCourseFoot)};
    const Rect view{row.x, top, row.w, std::max(0.0f, bottom.y - top)};
    float& scroll = f.scratch.course.scroll;
    if (f.scratch.course.page != std::pair(course.chapter->id, f.view().course.page)) {
        f.scratch.course.page = {course.chapter->id, f.view().course.page};
        scroll = 0;
        f.scratch.course.number.clear();
    }
    scroll_area(f.ui, "course.scroll", view, f.scratch.course.height, scroll);
    CourseColumn column{f, view, view.y - scroll, width};
    content(f, column);
    f.scratch.course.height = column.y + scroll - view.y;
    // When presenting, scroll to the paragraph that has just been added.
    if (const int shown = f.view().present.on ? f.view().course.shown : 0; shown != f.scratch.course.shown) {
        f.scratch.course.shown = shown;
        if (shown > 1) scroll = std::max(0.0f, f.scratch.course.height - view.h);
        f.change_view([](ViewState&) {});  // visible in the next frame
    }
    p.line({f.area.x, bottom.y}, {f.area.right(), bottom.y}, Hue::Rule, f.theme.rule_width);
    course_foot(f, bottom);
    term_card(f, f.area);
}

}  // namespace app
