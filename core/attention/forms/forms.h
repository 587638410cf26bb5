#pragma once
// The forms of attention: one table row per file, named in forms.inc.

#include "core/attention/forms/attention.h"

namespace attn::form {

#define FORM(name) extern const Form name;
#include "core/attention/forms/forms.inc"
#undef FORM

/// Used instead of a form if a document names a file of attention, of weights or of queries and keys; they are in no list
/// of forms.
extern const Form from_file, from_queries;

}  // namespace attn::form
