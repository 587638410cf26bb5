#pragma once
// What a document would not allow: asked of it choice by choice, so that nothing impossible is offered.

#include <vector>

#include "app/state/derived.h"

namespace app {

/// Every choice and every next number of a field that a document refuses, with the reason. Very long texts are not
/// asked.
std::vector<Refusal> refused_by(const attn::Document& document);

/// Numbers typed over, and those that a slider sets, allow and refuse nothing: a drag need not ask again.
bool same_but_for_drags(attn::Document a, const attn::Document& b);

}  // namespace app
