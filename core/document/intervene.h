#pragma once
// Interventions in a run: the steps they replace, and the replacing values.

#include <stop_token>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/trace/counting.h"

namespace attn {

/// The document whose run values are patched from: the same, with that text and without interventions, edits or a
/// gradient. Forms that read a second text get that text as their second one.
Document patched_from(Document document, const std::string& text);

/// The steps that an intervention replaces, at all times.
std::vector<Tag> tags_of(const Document& document, const Intervention& intervention);

/// The errors of the interventions of a document whose form has blocks.
std::vector<Error> intervention_problems(const Document& document);
/// Removes interventions that no longer fit the texts: on tokens that do not exist, or from a text of another length.
void drop_unfit_interventions(Document& document);

/// The replacements in the run of a document without problems. Other texts that are not in `others` are run.
Result<std::vector<Replacement>> replacements_of(const Document& document, const std::stop_token& stop, const OtherRuns& others);

/// An intervention on a head, from the tag of its output.
Intervention at_head(const Tag& head_output, PutBy by);
/// In words for the user, with layers and heads counted from `from`, and the residual stream numbered by the layers it
/// has passed: "head 2.3", "residual 0 from token 4", "attention 1 of the encoder".
std::string intervention_text(const Intervention& intervention, CountFrom from = CountFrom::One);
/// The place alone, parsed from what a user writes: "head 2.3", "feed_forward 1", "residual 0 @4,5", "attention 1 of
/// encoder".
Result<Intervention> intervention_at(std::string_view place, CountFrom from = CountFrom::One);
/// Why a run of the document has no such place; nothing if it has.
std::optional<std::string> wrong_place(const Document& document, const Intervention& intervention, CountFrom from = CountFrom::One);

/// An intervention is written as {"at": "head", "layer": 2, "head": 3, "by": "zero"}; layers, heads and tokens count
/// from 1.
Result<Intervention> intervention_from_json(const JsonValue& value, std::string_view key);
void write_intervention(const Intervention& intervention, JsonWriter& out);

}  // namespace attn
