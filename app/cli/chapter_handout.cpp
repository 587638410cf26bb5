#include "app/cli/chapter_handout.h"

#include <fmt/format.h>


#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "app/chapters/teacher_notes.h"
#include "app/cli/chapter_html.h"
#include "app/content/xml_text.h"
#include "app/export/png.h"
#include "app/export/svg_text.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

constexpr Size kPicture{1100, 640};

/// Adds the answer to the page's question to `key`. `named` replaces the page's title.
attn::Result<std::string> page_html(Studio& studio, const Chapter& chapter, int page, Language language, std::string& key, const std::string& named = {}) {
    studio.open_page(chapter.id, page);
    studio.change_view([](ViewState& view) {
        view.panels = false;
        view.figure = true;
    });
    const auto picture = studio.picture(kPicture);
    if (!picture) return picture.error();
    const auto png = encode_png(*picture);
    if (!png) return png.error();
    const CoursePage& course = studio.derived().part<CoursePage>();
    if (!course.page) return std::string();
    const std::string title = xml_escaped(named.empty() ? in(course.page->title, language) : named);
    if (course.page->ask && course.question.possible) {
        const TeacherNotes notes = teacher_notes(studio.state(), studio.derived());
        key += html_key_line(named.empty() ? notes.title : named, notes.question, notes.answer);
    }
    std::string out =
        fmt::format("<section id=\"{0}-{1}\">\n<h2>{2}</h2>\n<img alt=\"{2}\" src=\"data:image/png;base64,{3}\">\n{4}",
                    course.page->id, language_id(language), title, svg::base64(*png), html_of(course.say, chapter));
    if (course.page->task) out += html_box(tr(Str::chapter_do, language), course.task, nullptr, chapter);
    if (course.page->ask) out += html_box(tr(Str::chapter_question, language), course.question_text, &course.question, chapter);
    return out + "</section>\n";
}

std::string course(const Chapter& chapter, Language language) {
    std::string out = fmt::format("<section>\n<h2>{}</h2>\n<dl>\n", xml_escaped(tr(Str::chapter_sources, language)));
    for (std::size_t i = 0; i < chapter.sources.size(); ++i) {
        const ChapterSource& source = chapter.sources[i];
        out += fmt::format("<dt>[{}] {}</dt>\n<dd>{}{}</dd>\n", i + 1, xml_escaped(source.text),
                           html_of(in(source.read, language), chapter),
                           !attn::is_web_address(source.url) ? "" : fmt::format("<a href=\"{0}\">{0}</a>", xml_escaped(source.url)));
    }
    return out + "</dl>\n</section>\n";
}

/// Switches to the language, with the normal panels.
void use_language(Studio& studio, Language language) {
    studio.change_view([&](ViewState& view) {
        view.language = language;
        view.panels = true;
        view.figure = false;
    });
}

}  // namespace

attn::Result<std::string> handout(Studio& studio, const Chapter& chapter, const std::vector<Language>& languages, bool answers) {
    std::string articles;
    for (const Language language : languages) {
        use_language(studio, language);
        std::string sections, key;
        for (int page = 0; page < static_cast<int>(chapter.pages.size()); ++page) {
            const auto html = page_html(studio, chapter, page, language, key);
            if (!html) return html.error();
            sections += *html;
        }
        sections += course(chapter, language);
        if (answers) sections += html_key(key, language);
        articles += html_article(in(chapter.title, language), in(chapter.summary, language), language, sections);
    }
    return html_page(in(chapter.title, languages.front()), languages.front(), articles);
}

attn::Result<std::string> quiz_paper(Studio& studio, const CourseWalk& quiz, const std::vector<Language>& languages) {
    std::string articles;
    for (const Language language : languages) {
        use_language(studio, language);
        std::string sections, key;
        int number = 0;
        for (const std::string& name : quiz.pages) {
            const PagePlace place = place_of_page(studio.chapters(), name);
            if (!place.chapter) continue;
            const auto html = page_html(studio, *place.chapter, place.page, language, key, fmt::format("{}. {}", ++number, in(place.chapter->title, language)));
            if (!html) return html.error();
            sections += *html;
        }
        sections += html_key(key, language);
        articles += html_article(in(quiz.title, language), tr(Str::worksheet_who, language), language, sections);
    }
    return html_page(in(quiz.title, languages.front()), languages.front(), articles);
}

}  // namespace app
