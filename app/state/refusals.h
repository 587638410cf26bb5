#pragma once
// What a document would not allow, tested choice by choice, so that nothing impossible is offered.

#include <vector>

#include "app/state/derived.h"
#include "core/document/fields.h"

namespace app {

/// Every choice and every next value of a field that the document refuses, with the reason. Very long texts are not
/// tested.
std::vector<Refusal> refused_by(const attn::Document& document);

/// The largest head count on offer: 16, or the document's own if that is larger.
int most_heads_offered(const attn::Document& document);

/// Whether choosing it changes the picture: either the field is read, or the choice replaces what overrides the field
/// (choosing vectors removes given ones).
bool can_be_chosen(const attn::Document& document, const attn::Field& field);

/// Equal but for edits and slider values. These neither allow nor refuse anything, so a drag needs no new test.
bool same_but_for_drags(attn::Document a, const attn::Document& b);

}  // namespace app
