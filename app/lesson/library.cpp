#include "app/lesson/library.h"

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

const Lesson* LessonLibrary::find(std::string_view lesson_id) const { return find_in(lessons, lesson_id); }

const LessonTerm* LessonLibrary::term(std::string_view term_id, const Lesson* lesson) const {
    if (lesson)
        if (const LessonTerm* own = find_in(lesson->terms, term_id)) return own;
    return find_in(terms, term_id);
}

void LessonLibrary::add(Lesson lesson) {
    lesson.own = true;
    const auto same = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& one) {
        return one.file == lesson.file || (!lesson.id.empty() && one.id == lesson.id);
    });
    if (same == lessons.end())
        lessons.push_back(std::move(lesson));
    else
        *same = std::move(lesson);
}

Prose term_prose(const LessonLibrary& library, const LessonTerm& term, Language language, const Lesson* lesson) {
    Prose out = in(term.says, language);
    const bool chinese = language == Language::Chinese;
    ProseBlock see{ProseBlock::Kind::Paragraph, {}};
    for (const std::string& id : term.see) {
        const LessonTerm* other = library.term(id, lesson);
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

std::string chapter_number(const Lesson& lesson, int place) {
    std::string_view name = lesson.file;
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
    std::string_view number = name.substr(0, name.find('-'));
    if (lesson.own || number.size() == name.size() || number.empty() || number[0] < '0' || number[0] > '9')
        return std::to_string(place);
    while (number.size() > 1 && number[0] == '0') number.remove_prefix(1);
    return std::string(number);
}

LessonLibrary load_lessons(const Assets& assets) {
    LessonLibrary library;
    if (const auto glossary = assets.read(kGlossaryFile))
        library.terms = parse_glossary(*glossary, kGlossaryFile, library.problems);
    else
        library.problems.push_back({glossary.error().message + "; the folder of --assets is the one that holds "
                                                               "“assets” and “shaders”",
                                    std::string(kGlossaryFile), "", 0, 0});
    if (const auto pairs = assets.read(kPairsFile)) library.pairs = parse_pairs(*pairs, kPairsFile, library.problems);
    for (const std::string& path : assets.list(kLessonFolder)) {
        if (path == kGlossaryFile || path == kPairsFile || !path.ends_with(".toml")) continue;
        const auto text = assets.read(path);
        if (!text)
            library.problems.push_back({text.error().message, path, "", 0, 0});
        else
            library.lessons.push_back(parse_lesson(*text, path, library.terms));
    }
    return library;
}

attn::Result<Lesson> load_lesson_file(const std::string& path, const LessonLibrary& library) {
    const auto bytes = attn::read_file(path, kMostBytes);
    if (!bytes) return bytes.error();
    return parse_lesson(*bytes, path, library.terms);
}

std::vector<std::string> lesson_files_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code code;
    for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator(); at.increment(code))
        if (at->path().extension() == ".toml") out.push_back(at->path().string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace app
