#pragma once
// The forms of attention as a table: each is a straight function of recorded operations.

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "core/attention/form.h"
#include "core/attention/inputs.h"
#include "core/base/catalogue.h"

namespace attn {

Catalogue<Form>& form_catalogue();
std::span<const Form> forms();
/// One of them, or "from_file": no form to choose, but what stands in the place of one where a document names a file of
/// attention.
const Form* find_form(std::string_view id);

/// Runs the configured form; everything it computed is in the trace. Inputs and configuration must fit together
/// (document.h checks them). Throws Cancelled (cancel.h) soon after `stop` is requested. `let_go_from`: Trace's.
Trace run_attention(const Inputs& in, const AttentionConfig& config, const std::stop_token& stop = {},
                    std::optional<Eigen::Index> let_go_from = {});

/// The same run over shapes alone: no step has numbers, Trace::shapes says what all of them would take. Of the inputs
/// only the shapes are looked at; a form whose steps depend on numbers asks `numbers` for those of the document, and
/// without it takes the steps of ordinary ones.
Trace run_shapes(const Inputs& in, const AttentionConfig& config, std::function<Inputs()> numbers = {},
                 std::optional<Eigen::Index> let_go_from = {});

}  // namespace attn
