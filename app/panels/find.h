#pragma once
// Looking for a token: the field, its matches with their numbers, and the way from one to the next.

#include <string_view>

#include "app/frame/view.h"

namespace app {

/// Opens the field, or puts the keyboard back into it: for a token, or for a row's number.
void open_search(const Frame& frame, bool rows);
bool has_found(const Frame& frame);
/// To the next match, or the one before (by −1), round the end: in the middle of every large matrix, and pinned.
void go_to_found(const Frame& frame, int by);

}  // namespace app
