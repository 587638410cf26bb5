#include "app/chapters/format/library.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/io/files.h"

namespace app {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

template <class List>
auto* find_in(List& list, std::string_view id) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.id == id; });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

const Chapter* ChapterLibrary::find(std::string_view chapter_id) const { return find_in(chapters, chapter_id); }

const ChapterPage* ChapterLibrary::page(std::string_view name) const {
    const std::size_t slash = name.find('/');
    const Chapter* chapter = slash == std::string_view::npos ? nullptr : find(name.substr(0, slash));
    return chapter ? find_in(chapter->pages, name.substr(slash + 1)) : nullptr;
}

const ChapterTerm* ChapterLibrary::term(std::string_view term_id, const Chapter* chapter) const {
    if (chapter)
        if (const ChapterTerm* own = find_in(chapter->terms, term_id)) return own;
    return find_in(terms, term_id);
}

void ChapterLibrary::add(Chapter chapter) {
    chapter.own = true;
    const auto same = std::find_if(chapters.begin(), chapters.end(), [&](const Chapter& one) {
        return one.file == chapter.file || (!chapter.id.empty() && one.id == chapter.id);
    });
    if (same == chapters.end())
        chapters.push_back(std::move(chapter));
    else
        *same = std::move(chapter);
}

Prose term_prose(const ChapterLibrary& library, const ChapterTerm& term, Language language, const Chapter* chapter) {
    Prose out = in(term.says, language);
    const bool chinese = language == Language::Chinese;
    ProseBlock see{ProseBlock::Kind::Paragraph, {}};
    for (const std::string& id : term.see) {
        const ChapterTerm* other = library.term(id, chapter);
        if (!other) continue;
        std::string before(see.spans.empty() ? tr(Str::glossary_see, language) : chinese ? "、" : ",");
        if (see.spans.empty() && chinese) before += "：";
        if (!chinese) before += " ";
        see.spans.push_back({ProseSpan::Kind::Plain, std::move(before)});
        out.links.push_back("term " + id);
        see.spans.push_back(
            {ProseSpan::Kind::Plain, in(other->name, language), static_cast<int>(out.links.size()) - 1});
    }
    if (!see.spans.empty()) out.blocks.push_back(std::move(see));
    return out;
}

std::string chapter_number(const Chapter& chapter, int place) {
    std::string_view name = chapter.file;
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
    std::string_view number = name.substr(0, name.find('-'));
    const bool appendix = number.size() == 1 && number[0] >= 'A' && number[0] <= 'Z';
    if (chapter.own || number.size() == name.size() || number.empty() ||
        (!appendix && (number[0] < '0' || number[0] > '9')))
        return std::to_string(place);
    while (number.size() > 1 && number[0] == '0') number.remove_prefix(1);
    return std::string(number);
}

ChapterLibrary load_chapters(const Assets& assets) {
    ChapterLibrary library;
    if (const auto glossary = assets.read(kGlossaryFile))
        library.terms = parse_glossary(*glossary, kGlossaryFile, library.problems);
    else
        library.problems.push_back({glossary.error().message + "; the folder of --assets is the one that holds "
                                                               "“assets” and “shaders”",
                                    std::string(kGlossaryFile), "", 0, 0});
    if (const auto pairs = assets.read(kPairsFile)) library.pairs = parse_pairs(*pairs, kPairsFile, library.problems);
    if (const auto routes = assets.read(kRoutesFile)) library.routes = parse_routes(*routes, kRoutesFile, library.problems);
    for (const std::string& path : assets.list(kChapterFolder)) {
        if (path == kRoutesFile || path == kGlossaryFile || path == kPairsFile || !path.ends_with(".toml")) continue;
        const auto text = assets.read(path);
        if (!text)
            library.problems.push_back({text.error().message, path, "", 0, 0});
        else
            library.chapters.push_back(parse_chapter(*text, path, library.terms));
    }
    return library;
}

attn::Result<Chapter> load_chapter_file(const std::string& path, const ChapterLibrary& library) {
    const auto bytes = attn::read_file(path, kMostBytes);
    if (!bytes) return bytes.error();
    return parse_chapter(*bytes, path, library.terms);
}

std::vector<std::string> chapter_files_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code code;
    for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator(); at.increment(code))
        if (at->path().extension() == ".toml") out.push_back(at->path().string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace app
