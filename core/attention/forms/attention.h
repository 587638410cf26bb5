#pragma once
// The table of forms of attention. Each form is a straight-line function of recorded operations.

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
/// A form by its id. "from_file" and "from_queries" are found too, although they are no forms to choose: they are used for
/// a document that names a file of attention.
const Form* find_form(std::string_view id);

/// Runs the configured form and returns the trace of everything computed. Inputs and configuration must fit together
/// (document.h checks them). Throws Cancelled (cancel.h) soon after `stop` is requested. The last argument is the
/// eviction threshold of the trace (see Trace).
Trace run_attention(const Inputs& in, const AttentionConfig& config, const std::stop_token& stop = {},
                    std::optional<Eigen::Index> evict_from = {});

/// The same run over shapes alone: no step has numbers, and Trace::shapes holds the total cost. Only the shapes of the
/// inputs are read. A form whose steps depend on numbers calls `numbers` for the document's inputs; without it, it
/// takes the steps that ordinary numbers lead to.
Trace run_shapes(const Inputs& in, const AttentionConfig& config, std::function<Inputs()> numbers = {},
                 std::optional<Eigen::Index> evict_from = {});

}  // namespace attn
