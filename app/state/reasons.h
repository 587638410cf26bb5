#pragma once
// Why a choice is not possible, short enough for a list and in the reader's language.

#include <string>

#include "app/content/strings.h"
#include "core/base/result.h"

namespace app {

/// A few words for the document's objection to a choice. If the table has none, the document's own English message (in
/// Chinese: a note that it is not possible here).
std::string reason_text(const attn::Error& problem, Language language);

}  // namespace app
