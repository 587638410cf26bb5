#include "app/cli/chapter_handout.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/chapters/teacher_notes.h"
#include "app/content/xml_text.h"
#include "app/export/png.h"
#include "app/export/svg_text.h"
#include "app/ui/formula_mathml.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

constexpr Size kPicture{1100, 640};

constexpr std::string_view kStyle = R"CSS(
:root { color: #1F2533; font: 16px/1.65 Inter, "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 0 0 .6rem; }
section { margin: 2.6rem 0; break-inside: avoid; } img { width: 100%; border: 1px solid #E7EAF1; border-radius: 10px; }
.number { color: #6D4AE0; font-weight: 600; } .soft, .sources { color: #667085; font-size: .86rem; }
.box { border-left: 3px solid #6D4AE0; padding: .1rem 0 .1rem 1rem; margin: 1rem 0; } .label { color: #6D4AE0; font-weight: 600; font-size: .86rem; }
.missing { color: #A4ACBA; } ol.options { list-style: upper-alpha; } dl dt { font-weight: 600; margin-top: .6rem; } dl dd { margin: 0; }
math[display=block] { margin: .8rem 0; text-align: left; } math { font-family: "STIX Two Math", STIX, "Cambria Math", math; }
.q { color: #3B82F6; } .k { color: #F0625D; } .v { color: #22A06B; } .s { color: #6D4AE0; } .o { color: #3730A3; }
@media print { .key { break-before: page; } body { margin: 0 auto; } section { page-break-inside: avoid; } }
)CSS";

/// The number by which a source is called: its place in the chapter's list.
int number_of_source(const Chapter& chapter, std::string_view id) {
    for (std::size_t i = 0; i < chapter.sources.size(); ++i)
        if (chapter.sources[i].id == id) return static_cast<int>(i) + 1;
    return 0;
}

std::string html_of(const ProseSpan& span, const Prose& prose, const Chapter& chapter) {
    using Kind = ProseSpan::Kind;
    std::string text = xml_escaped(span.text);
    switch (span.kind) {
        case Kind::Plain:
            break;
        case Kind::Strong:
            text = "<strong>" + text + "</strong>";
            break;
        case Kind::Code:
            text = "<code>" + text + "</code>";
            break;
        case Kind::Math:
            text = formula_to_mathml(span.text, false);
            break;
        case Kind::Number:
            text = fmt::format("<span class=\"{}\">{}</span>", span.missing ? "missing" : "number", text);
            break;
        case Kind::Cite:
            text = fmt::format("<sup>[{}{}]</sup>", number_of_source(chapter, span.source),
                               text.empty() ? "" : ", " + text);
            break;
    }
    if (span.link < 0) return text;
    const std::string& target = prose.links[static_cast<std::size_t>(span.link)];
    return attn::is_web_address(target) ? fmt::format("<a href=\"{}\">{}</a>", xml_escaped(target), text) : text;
}

std::string html_of(const Prose& prose, const Chapter& chapter) {
    std::string out;
    bool list = false;
    for (const ProseBlock& block : prose.blocks) {
        const bool item = block.kind == ProseBlock::Kind::Item;
        if (item != list) out += item ? "<ul>\n" : "</ul>\n";
        list = item;
        if (block.kind == ProseBlock::Kind::Formula) {
            out += formula_to_mathml(block.spans[0].text, true) + "\n";
            continue;
        }
        std::string text;
        for (const ProseSpan& span : block.spans) text += html_of(span, prose, chapter);
        out += item ? "<li>" + text + "</li>\n" : "<p>" + text + "</p>\n";
    }
    return list ? out + "</ul>\n" : out;
}

/// A task or a question; of a question its options, too, and never the answer.
std::string box(std::string_view label, const Prose& prose, const Asked* asked, const Chapter& chapter) {
    std::string out =
        fmt::format("<div class=\"box\"><div class=\"label\">{}</div>\n{}", xml_escaped(label), html_of(prose, chapter));
    if (asked && !asked->options.empty()) {
        out += "<ol class=\"options\">\n";
        for (const std::string& option : asked->options) out += "<li>" + xml_escaped(option) + "</li>\n";
        out += "</ol>\n";
    }
    return out + "</div>\n";
}

/// A line of the key: which page's question, and what is marked right, with how it was measured below it.
std::string key_line(const TeacherNotes& notes) {
    std::string lines = xml_escaped(notes.answer);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;) lines.replace(at, 1, "<br>");
    return fmt::format("<dt>{}</dt>\n<dd>{}<br>{}</dd>\n", xml_escaped(notes.title), xml_escaped(notes.question), "<strong>" + lines + "</strong>");
}

/// `key`: the answer to its question is put there.
attn::Result<std::string> page_html(Studio& studio, const Chapter& chapter, int page, Language language, std::string& key) {
    studio.open_page(chapter.id, page);
    studio.change_view([](ViewState& view) {
        view.panels = false;
        view.figure = true;
    });
    const auto picture = studio.picture(kPicture);
    if (!picture) return picture.error();
    const auto png = encode_png(*picture);
    if (!png) return png.error();
    const CoursePage& course = studio.derived().course;
    if (!course.page) return std::string();
    const std::string title = xml_escaped(in(course.page->title, language));
    if (course.page->ask && course.asked.possible) key += key_line(teacher_notes(studio.state(), studio.derived()));
    std::string out =
        fmt::format("<section id=\"{0}-{1}\">\n<h2>{2}</h2>\n<img alt=\"{2}\" src=\"data:image/png;base64,{3}\">\n{4}",
                    course.page->id, language_id(language), title, svg::base64(*png), html_of(course.say, chapter));
    if (course.page->task) out += box(tr(Str::chapter_do, language), course.task, nullptr, chapter);
    if (course.page->ask) out += box(tr(Str::chapter_question, language), course.question, &course.asked, chapter);
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

}  // namespace

attn::Result<std::string> handout(Studio& studio, const Chapter& chapter, const std::vector<Language>& languages, bool answers) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        language_id(languages.front()), xml_escaped(in(chapter.title, languages.front())), kStyle);
    for (const Language language : languages) {
        studio.change_view([&](ViewState& view) {
            view.language = language;
            view.panels = true;
            view.figure = false;
        });
        out += fmt::format("<article lang=\"{}\">\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n", language_id(language),
                           xml_escaped(in(chapter.title, language)), xml_escaped(in(chapter.summary, language)));
        std::string key;
        for (int page = 0; page < static_cast<int>(chapter.pages.size()); ++page) {
            const auto html = page_html(studio, chapter, page, language, key);
            if (!html) return html.error();
            out += *html;
        }
        out += course(chapter, language);
        if (answers)
            out += fmt::format("<section class=\"key\">\n<h2>{}</h2>\n<dl>\n{}</dl>\n</section>\n", xml_escaped(tr(Str::handout_answers, language)), key);
        out += "</article>\n";
    }
    return out + "</body>\n</html>\n";
}

}  // namespace app
