#pragma once
// The program under a hand: what its document and its trace say after what was clicked and typed.

#include <string_view>

#include "app/views/view.h"
#include "tests/app/app_fixture.h"

namespace app {

class AppHand : public AppFrame {
protected:
    const attn::Document& doc() { return app_->state().document; }
    const attn::Trace& trace() { return app_->derived().run->trace; }
    float value(attn::Role role, int row, int col) { return attn::find(trace(), {role})->value(row, col); }
};

}  // namespace app
