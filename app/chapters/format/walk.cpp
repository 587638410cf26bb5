#include "app/chapters/format/walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/random.h"

namespace app {

int CourseWalk::right() const { return static_cast<int>(std::ranges::count(first, std::optional<bool>(true))); }

CourseWalk walk_of(const CourseRoute& route, const ChapterLibrary& library) {
    CourseWalk out;
    out.title = route.title;
    out.minutes = route.minutes;
    for (const std::string& name : route.pages)
        if (library.page(name)) out.pages.push_back(name);
    return out;
}

namespace {

/// Whether a route contains a page of the chapter; without a route every chapter counts.
bool goes_through(const CourseRoute* route, const Chapter& chapter) {
    return !route || std::ranges::any_of(route->pages, [&](const std::string& name) { return name.starts_with(chapter.id + "/"); });
}

/// Fisher–Yates with the program's own random numbers: the same on every machine.
template <class List>
void shuffle(List& list, attn::Random& random) {
    for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[random.next() % left]);
}

}  // namespace

CourseWalk quiz_of(const ChapterLibrary& library, std::uint64_t seed, const CourseRoute* route) {
    attn::Random random(seed);
    // Indices of its chapter and page; sorting by them gives the order of the course.
    using QuestionAt = std::pair<std::size_t, std::size_t>;
    std::vector<std::vector<QuestionAt>> chapters;
    for (std::size_t c = 0; c < library.chapters.size(); ++c) {
        const Chapter& chapter = library.chapters[c];
        if (chapter.own || !goes_through(route, chapter)) continue;
        std::vector<QuestionAt> questions;
        for (std::size_t p = 0; p < chapter.pages.size(); ++p)
            if (chapter.pages[p].closing && chapter.pages[p].ask) questions.emplace_back(c, p);
        if (questions.empty()) continue;
        shuffle(questions, random);
        chapters.push_back(std::move(questions));
    }
    shuffle(chapters, random);
    std::vector<QuestionAt> chosen;
    for (std::size_t round = 0; chosen.size() < kQuizQuestions; ++round) {
        const std::size_t before = chosen.size();
        for (const auto& questions : chapters)
            if (round < questions.size() && chosen.size() < kQuizQuestions) chosen.push_back(questions[round]);
        if (chosen.size() == before) break;
    }
    std::ranges::sort(chosen);
    CourseWalk out;
    for (const Language language : {Language::English, Language::Chinese}) out.title[static_cast<std::size_t>(language)] = tr(Str::quiz, language);
    for (const auto& [c, p] : chosen) out.pages.push_back(library.chapters[c].id + "/" + library.chapters[c].pages[p].id);
    out.quiz = seed;
    out.first.resize(out.pages.size());
    return out;
}

std::optional<CourseWalk> restored_walk(const CourseWalk& stored, const ChapterLibrary& library) {
    CourseWalk out;
    if (stored.counts()) {
        out = quiz_of(library, stored.quiz);
        if (out.first.size() != stored.first.size()) return std::nullopt;
        out.first = stored.first;
    } else {
        const auto route = std::ranges::find(library.routes, stored.minutes, &CourseRoute::minutes);
        if (route == library.routes.end()) return std::nullopt;
        out = walk_of(*route, library);
    }
    out.at = stored.at;
    if (out.pages.empty() || out.at < 0 || out.at > out.size()) return std::nullopt;
    return out;
}

PagePlace place_of_page(const ChapterLibrary& library, std::string_view name) {
    const std::size_t slash = name.find('/');
    const Chapter* chapter = slash == std::string_view::npos ? nullptr : library.find(name.substr(0, slash));
    const int page = chapter ? chapter->page_index(name.substr(slash + 1)) : -1;
    return page < 0 ? PagePlace{} : PagePlace{chapter, page};
}

}  // namespace app
