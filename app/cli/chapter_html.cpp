#include "app/cli/chapter_html.h"

#include <fmt/format.h>

#include "app/content/xml_text.h"
#include "app/ui/formula_mathml.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

constexpr std::string_view kStyle = R"CSS(
:root { color-scheme: light; --ink: #1F2533; --soft: #667085; --accent: #6D4AE0; --rule: #E7EAF1; --cell: #C9CFDB; --missing: #A4ACBA; --ground: #FFFFFF;
  --q: #3B82F6; --k: #F0625D; --v: #22A06B; --o: #3730A3; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --ink: #E6E9F0; --soft: #A4ACBA; --accent: #B7A2FF; --rule: #39414F; --cell: #4A5362;
  --missing: #6B7484; --ground: #14171E; --q: #7FB0FF; --k: #FF9691; --v: #5CCB9A; --o: #A9A5FF; } }
:root { color: var(--ink); background: var(--ground); font: 16px/1.65 Inter, "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 0 0 .6rem; }
section { margin: 2.6rem 0; break-inside: avoid; } img { width: 100%; border: 1px solid var(--rule); border-radius: 10px; }
.number { color: var(--accent); font-weight: 600; } .soft, .sources { color: var(--soft); font-size: .86rem; }
.box { border-left: 3px solid var(--accent); padding: .1rem 0 .1rem 1rem; margin: 1rem 0; } .label { color: var(--accent); font-weight: 600; font-size: .86rem; }
.missing { color: var(--missing); } ol.options { list-style: upper-alpha; } dl dt { font-weight: 600; margin-top: .6rem; } dl dd { margin: 0; }
table { border-collapse: collapse; } th { font-weight: 500; font-size: .82rem; color: var(--soft); padding: .1rem .5rem; } td { border: 1px solid var(--cell); min-width: 3.1rem; height: 1.9rem; text-align: center; padding: 0 .3rem; }
.tables { display: flex; flex-wrap: wrap; gap: .6rem 1.6rem; align-items: flex-end; margin: .8rem 0; } caption { text-align: left; font-size: .86rem; color: var(--soft); padding-bottom: .2rem; }
.plan td, .plan th { border: 1px solid var(--rule); text-align: left; vertical-align: top; padding: .4rem .7rem; height: auto; } .plan td:first-child { white-space: nowrap; } .plan tr { break-inside: avoid; } .plan { width: 100%; }
math[display=block] { margin: .8rem 0; text-align: left; } math { font-family: "STIX Two Math", STIX, "Cambria Math", math; }
.q { color: var(--q); } .k { color: var(--k); } .v { color: var(--v); } .s { color: var(--accent); } .o { color: var(--o); } a { color: var(--accent); }
@media print { .key { break-before: page; } body { margin: 0 auto; } section { page-break-inside: avoid; } }
)CSS";

/// A source's number: its position in the chapter's list, from 1.
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

}  // namespace

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

std::string html_box(std::string_view label, const Prose& prose, const PageQuestion* question, const Chapter& chapter) {
    std::string out =
        fmt::format("<div class=\"box\"><div class=\"label\">{}</div>\n{}", xml_escaped(label), html_of(prose, chapter));
    if (question && !question->options.empty()) {
        out += "<ol class=\"options\">\n";
        for (const std::string& option : question->options) out += "<li>" + xml_escaped(option) + "</li>\n";
        out += "</ol>\n";
    }
    return out + "</div>\n";
}

std::string html_key_line(std::string_view title, std::string_view question, std::string_view answer) {
    std::string lines = xml_escaped(answer);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;) lines.replace(at, 1, "<br>");
    return fmt::format("<dt>{}</dt>\n<dd>{}<br>{}</dd>\n", xml_escaped(title), xml_escaped(question), "<strong>" + lines + "</strong>");
}

std::string html_key(const std::string& lines, Language language) {
    return fmt::format("<section class=\"key\">\n<h2>{}</h2>\n<dl>\n{}</dl>\n</section>\n", xml_escaped(tr(Str::handout_answers, language)), lines);
}

std::string html_page(std::string_view title, Language language, std::string_view articles) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        language_id(language), xml_escaped(title), kStyle, articles);
}

std::string html_article(std::string_view title, std::string_view says, Language language, std::string_view sections) {
    return fmt::format("<article lang=\"{}\">\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n{}</article>\n", language_id(language), xml_escaped(title),
                       xml_escaped(says), sections);
}

}  // namespace app
