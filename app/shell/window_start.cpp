#include "app/shell/window_start.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/screens/compare/comparison.h"
#include "app/shell/app.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "app/ui/theme.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// The folder of the user's own chapters ("lessons", its former name, if only that exists); empty: none.
std::string chapter_folder() {
    const Folders folders = system_folders();
    if (folders.data.empty()) return {};
    const std::filesystem::path mine = folders.data / "chapters", before = folders.data / "lessons";
    std::error_code none;  // what cannot be inspected counts as missing
    return (!std::filesystem::exists(mine, none) && std::filesystem::exists(before, none) ? before : mine).string();
}

}  // namespace

void notify(App& app, const std::string& sentence) {
    if (sentence.empty()) return;
    app.apply(ChangeView{[&](ViewState& v) { v.notice += (v.notice.empty() ? "" : " ") + sentence; }});
}

Start restored_start(const WindowOptions& options, Session& session) {
    Restored last = session.restore(options.language.value_or(system_language()));
    const Language language = options.language.value_or(last.settings.language().value_or(system_language()));
    Start start{first_state(language), last.settings.window, last.settings.fonts};
    start.state.document = opening_document(language);
    ViewState& view = start.state.view;
    use_part(view, last.settings.view);
    view.language = language;
    if (options.memory) view.memory = static_cast<int>(*options.memory);
    attn::set_memory_budget(budget_of(view.memory));
    if (options.theme) view.theme = *options.theme;
    view.theme = theme_named(view.theme).id;
    if (options.count_from) view.count_from = options.count_from;
    if (options.scale) view.scale = std::clamp(*options.scale, kMinScale, kMaxScale);
    if (options.document) {
        start.state.document = *options.document;
        look_at_checkpoint(view, start.state.document);
    } else if (options.text) {
        start.state.document.text = *options.text;
    } else if (options.restore && last.document) {
        start.state.document = std::move(*last.document);
        if (last.view) use_part(view, *last.view);
    }
    // At the first start the program opens with one question about a sentence; later it continues where the user was.
    if (!last.settings.first_start_done && options.restore && !options.document && !options.text && options.chapter.empty()) {
        view.asking = Asking::Asked;
        view.level = Detail::FirstLook;
    }
    view.offers_tour = !last.settings.first_start_done && options.restore;
    start.state.progress = last.progress;
    // Back to the page where the chapter was left; the document is the user's own.
    if (options.restore && !options.document && !options.text && options.chapter.empty()) {
        view.course.chapter = last.progress.chapter;
        view.course.page = -1;
        view.course.walk = last.progress.walk;
    }
    for (const std::string& notice : last.notices) view.notice += (view.notice.empty() ? "" : " ") + notice;
    return start;
}

std::string model_folder() {
    const Folders folders = system_folders();
    return folders.data.empty() ? std::string() : (folders.data / "models").string();
}

void use_dropped(App& app, const Dropped& dropped) {
    // A successful drop clears the notice about an earlier one.
    if (dropped.document || dropped.picture || !dropped.chapter.empty())
        app.apply(ChangeView{[](ViewState& v) { v.notice.clear(); }});
    if (!dropped.chapter.empty())
        if (const auto used = app.use_chapter(dropped.chapter, true); !used) notify(app, used.error().text());
    // Where another model is asked for, a dropped folder is that one.
    const bool other = dropped.document && dropped.document->model && wants_model(app.state().view, app.state().document);
    if (other) app.apply(ChangeView{[name = dropped.document->model->name](ViewState& v) { v.part<Comparison>().model = name; }});
    if (dropped.document && !other) {
        app.apply(becomes(*dropped.document));
        app.apply(ChangeView{[&](ViewState& v) { look_at_checkpoint(v, *dropped.document); }});
    }
    if (dropped.picture) {
        // Replaces the current image: an edit, which can be undone like any other.
        attn::Document document = app.state().document;
        if (take_picture(document, dropped.picture))
            app.apply(becomes(std::move(document)));
        else
            notify(app, std::string(tr(Str::picture_no_model, app.state().view.language)));
    }
    notify(app, dropped.notice());
}

void open_chapters(App& app, const WindowOptions& options) {
    const std::string folder = chapter_folder();
    // A chapter that is read replaces the open one of its id, and with it the place that was left: that is set aside until all are there.
    const CourseView left = app.state().view.course;
    app.apply(ChangeView{[](ViewState& v) { v.course = {}; }});
    for (const std::string& file : chapter_files_in(folder))
        if (const auto used = app.use_chapter(file, false); !used) notify(app, used.error().text());
    if (!options.chapter.empty()) {
        if (const auto used = app.use_chapter(options.chapter, true); !used) notify(app, used.error().text());
        return;
    }
    app.apply(ChangeView{[&](ViewState& v) { v.course = left; }});
    follow_moved_pages(app.state().progress, app.chapters());
    if (const auto& stored = left.walk) {
        auto walk = restored_walk(*stored, app.chapters());
        const std::string last = walk ? walk->pages[static_cast<std::size_t>(std::min(walk->at, walk->size() - 1))] : "";
        const PagePlace place = place_of_page(app.chapters(), last);
        app.apply(ChangeView{[&](ViewState& v) {
            v.course.walk = place.chapter ? std::move(walk) : std::nullopt;
            if (!place.chapter) return;
            v.course.chapter = place.chapter->id;
            v.course.page = v.course.walk->ended() ? static_cast<int>(place.chapter->pages.size()) : place.page;
        }});
        if (place.chapter) return;
    }
    if (!app.state().view.course.open()) return;
    const std::string id = app.state().progress.chapter;
    const Chapter* chapter = app.chapters().find(id);
    const int page = chapter ? chapter->page_index(app.state().progress.page) : -1;
    app.apply(ChangeView{[id, chapter, page](ViewState& v) {
        v.course.chapter = id;
        if (!chapter)
            v.course = {};
        else
            v.course.page = page < 0 ? static_cast<int>(chapter->pages.size()) : page;
    }});
}

}  // namespace app
