#pragma once
// The forms of attention: one row a file, named in forms.inc.

#include "core/attention/forms/attention.h"

namespace attn::form {

#define FORM(name) extern const Form name;
#include "core/attention/forms/forms.inc"
#undef FORM

/// In place of a form where a document names a file of attention; in no list of forms.
extern const Form from_file;

}  // namespace attn::form
