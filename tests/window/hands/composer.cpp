// An input method that composes Chinese, for scenarios of the real window: a server of the X input method protocol (XIM) on
// the display that DISPLAY names. Small letters are collected until Space converts them into a character (ni, hao) or another
// key drops them; without letters, keys are passed to the program. Prints "ready" when programs can find it as
// XMODIFIERS=@im=composer, and ends with its display or its standard output.

#include <xcb-imdkit/encoding.h>
#include <xcb-imdkit/imdkit.h>
#include <xcb/xcb.h>
#include <xcb/xcb_keysyms.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace {

constexpr xcb_keysym_t kBackspace = 0xff08, kEscape = 0xff1b;
constexpr unsigned kHeld = XCB_MOD_MASK_SHIFT | XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 | XCB_MOD_MASK_4;

struct Composer {
    xcb_key_symbols_t* keys;
    std::string letters;

    /// The text for a key; null: the key is passed to the program.
    const std::string* take(const xcb_key_press_event_t& event) {
        static const std::string kNothing;
        static const std::map<std::string, std::string> kCharacters = {{"ni", "你"}, {"hao", "好"}, {"ma", "吗"}};
        const xcb_keysym_t key = xcb_key_symbols_get_keysym(keys, event.detail, 0);
        if (event.state & kHeld) return nullptr;
        if (key >= 'a' && key <= 'z') return letters += static_cast<char>(key), &kNothing;
        if (letters.empty()) return nullptr;
        if (key == kBackspace) return letters.pop_back(), &kNothing;
        const auto made = kCharacters.find(letters);
        letters.clear();
        if (key == kEscape || made == kCharacters.end()) return &kNothing;
        return key == ' ' ? &made->second : nullptr;
    }
};

void hear(xcb_im_t* server, xcb_im_client_t*, xcb_im_input_context_t* context, const xcb_im_packet_header_fr_t* header, void*, void* argument,
          void* data) {
    if (header->major_opcode != XCB_XIM_FORWARD_EVENT) return;
    auto* event = static_cast<xcb_key_press_event_t*>(argument);
    const bool down = (event->response_type & 0x7f) == XCB_KEY_PRESS;
    const std::string* text = down ? static_cast<Composer*>(data)->take(*event) : nullptr;
    if (!text) return xcb_im_forward_event(server, context, event);
    if (text->empty()) return;
    std::size_t length = 0;
    const std::unique_ptr<char, decltype(&std::free)> written(xcb_utf8_to_compound_text(text->c_str(), text->size(), &length), std::free);
    xcb_im_commit_string(server, context, XCB_XIM_LOOKUP_CHARS, written.get(), static_cast<std::uint32_t>(length), 0);
}

}  // namespace

int main() {
    int screen = 0;
    xcb_connection_t* connection = xcb_connect(nullptr, &screen);
    if (xcb_connection_has_error(connection)) return std::fputs("composer: there is no display\n", stderr), 1;
    const xcb_screen_t* shown = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    const xcb_window_t window = xcb_generate_id(connection);
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, shown->root, 0, 0, 1, 1, 1, XCB_WINDOW_CLASS_INPUT_OUTPUT, shown->root_visual, 0, nullptr);
    xcb_compound_text_init();
    Composer composer{xcb_key_symbols_alloc(connection), {}};
    std::uint32_t style = XCB_IM_PreeditNothing | XCB_IM_StatusNothing;
    const xcb_im_styles_t styles{1, &style};
    std::string name = "COMPOUND_TEXT";
    xcb_im_encoding_t encoding = name.data();
    const xcb_im_encodings_t encodings{1, &encoding};
    xcb_im_t* server = xcb_im_create(connection, screen, window, "composer", XCB_IM_ALL_LOCALES, &styles, nullptr, nullptr, &encodings,
                                     XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE, hear, &composer);
    if (!xcb_im_open_im(server)) return std::fputs("composer: another input method has this name\n", stderr), 1;
    std::puts("ready");
    std::fflush(stdout);
    while (xcb_generic_event_t* event = xcb_wait_for_event(connection)) {
        xcb_im_filter_event(server, event);
        std::free(event);
    }
    return 0;
}
