#pragma once
// The search for a token: the field, its matches with their numbers, and moving between them.

#include <string_view>

#include "app/frame/view.h"

namespace app {

/// Opens the field, or gives it the keyboard again: for a token, or for a row's number.
void open_search(const Frame& frame, bool rows);
bool has_found(const Frame& frame);
/// Goes to the next match, or the previous one (`by` −1), wrapping around: pins it, and centres every large matrix on
/// it.
void go_to_found(const Frame& frame, int by);

}  // namespace app
