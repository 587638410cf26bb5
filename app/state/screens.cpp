#include "app/state/screens.h"

#include <algorithm>

namespace app {
namespace {

ScreenRow named(ScreenRow row, Screen screen, std::string_view id, Str title) {
    row.screen = screen;
    row.id = id;
    row.title = title;
    return row;
}

}  // namespace

std::span<const ScreenRow> screens() {
    static const ScreenRow kScreens[] = {
#define SCREEN(name, id) named(k##name##Screen, Screen::name, #id, Str::screen_##id),
#include "app/state/screens.inc"
#undef SCREEN
    };
    return kScreens;
}

Part part_of(Screen screen) {
    constexpr Part kParts[] = {
#define SCREEN(name, id) Part::id,
#include "app/state/screens.inc"
#undef SCREEN
    };
    return kParts[static_cast<std::size_t>(screen)];
}

const ScreenRow& row_of(Screen screen) { return screens()[static_cast<std::size_t>(screen)]; }

bool is_available(Screen screen, const attn::Document& document) {
    const auto available = row_of(screen).available;
    return !available || available(document);
}

std::string_view screen_id(Screen screen) { return row_of(screen).id; }

std::optional<Screen> find_screen(std::string_view id) {
    const auto at =
        std::find_if(screens().begin(), screens().end(), [&](const ScreenRow& r) { return r.id == id; });
    return at == screens().end() ? std::nullopt : std::optional(at->screen);
}

}  // namespace app
