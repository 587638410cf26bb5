#pragma once
// The program operated by a user: what its document and its trace contain after clicks and typing.

#include <string_view>

#include "app/frame/view.h"
#include "tests/app/app_fixture.h"

namespace app {

class AppHand : public AppFrame {
protected:
    const attn::Document& doc() { return app_->state().document; }
    const attn::Trace& trace() { return app_->derived().run->trace; }
    float value(attn::Role role, int row, int col) { return attn::find(trace(), {role})->value(row, col); }

    /// Types a number over a cell; the field stays open.
    void type_over(std::string_view cell, std::string_view number) {
        click(cell);
        press(gui::Key::Enter);
        type(number);
    }
    /// Types 1 over a cell, and 2 over the one that Tab moves to.
    void type_over_two(std::string_view cell) {
        type_over(cell, "1");
        press(gui::Key::Tab);
        type("2");
        press(gui::Key::Enter);
    }
    /// Of a causal mask of five tokens the rectangle from (0, 1) to (2, 3).
    void paint_rectangle() {
        drag(middle("cell_0_1"), middle("cell_2_3"));
        ASSERT_EQ(doc().config.mask, "drawn");
        for (int r = 0; r < 5; ++r)
            for (int c = 0; c < 5; ++c)
                EXPECT_EQ(doc().mask_pattern(r, c) != 0, c <= r || (r <= 2 && c >= 1 && c <= 3)) << r << "," << c;
    }
};

}  // namespace app
