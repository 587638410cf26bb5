#pragma once
// What a document would not allow: asked of it choice by choice, so that nothing impossible is offered.

#include <vector>

#include "app/state/derived.h"
#include "core/document/fields.h"

namespace app {

/// Every choice and every next number of a field that a document refuses, with the reason. Very long texts are not
/// asked.
std::vector<Refusal> refused_by(const attn::Document& document);

/// Heads that a choice offers: as many as have room, or as many as there are.
int most_heads_offered(const attn::Document& document);

/// Whether choosing it changes the picture: it is read, or the choice replaces what stands in its way (vectors that are
/// given go where others are chosen).
bool can_be_chosen(const attn::Document& document, const attn::Field& field);

/// Numbers typed over, and those that a slider sets, allow and refuse nothing: a drag need not ask again.
bool same_but_for_drags(attn::Document a, const attn::Document& b);

}  // namespace app
