#pragma once
// Interventions as a run makes them: which steps they mean, and what stands there instead.

#include <stop_token>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/trace/counting.h"

namespace attn {

/// The document whose run is patched from: the same, with that text and without interventions, numbers typed over or a gradient.
/// Forms that look at a second text read it in the place of that one.
Document patched_from(Document document, const std::string& text);

/// The steps that an intervention replaces, of all times.
std::vector<Tag> tags_of(const Document& document, const Intervention& intervention);

/// What is wrong with the interventions of a document whose form has blocks.
std::vector<Error> intervention_problems(const Document& document);
/// Takes away those that do not fit the texts as they are now: of tokens that are not there, or from a text of another length.
void drop_unfit_interventions(Document& document);

/// What the run of a document without problems puts where. Other texts that are not in `others` are run.
Result<std::vector<Replacement>> replacements_of(const Document& document, const std::stop_token& stop, const OtherRuns& others);

/// An intervention at a head, by its output's tag.
Intervention at_head(const Tag& head_output, PutBy by);
/// As people write it, with layers and heads counted from `from`, and the residual stream by how many layers it has passed: "head 2.3", "residual 0 from token 4", "attention 1 of the encoder".
std::string intervention_text(const Intervention& intervention, CountFrom from = CountFrom::One);
/// The place alone, read from what a person writes: "head 2.3", "feed_forward 1", "residual 0 @4,5", "attention 1 of encoder".
Result<Intervention> intervention_at(std::string_view place, CountFrom from = CountFrom::One);
/// Why there is no such place in a run of the document.
std::optional<std::string> wrong_place(const Document& document, const Intervention& intervention, CountFrom from = CountFrom::One);

/// An intervention is written {"at": "head", "layer": 2, "head": 3, "by": "zero"}; layers, heads and tokens count from 1.
Result<Intervention> intervention_from_json(const JsonValue& value, std::string_view key);
void write_intervention(const Intervention& intervention, JsonWriter& out);

}  // namespace attn
