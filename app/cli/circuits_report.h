#pragma once
// The result of `attenscope circuits`, as text and as JSON.

#include <string>
#include <vector>

#include "core/analysis/circuits.h"
#include "core/io/json_writer.h"
#include "core/trace/counting.h"

namespace app {

struct CircuitsReport {
    attn::HeadCircuits circuits;
    attn::Compositions compositions;
    bool one_head = false;  ///< `circuits` has the requested head alone, and `compositions` its pairs
    std::vector<attn::WordRow> moved, sought;  ///< of that head, for the same tokens; empty: there are none
    int top = 10;
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text output
};
/// All heads and the largest composition scores; or everything about one head.
std::string circuits_text(const attn::Trace& trace, const CircuitsReport& report);
std::string circuits_json(const attn::Trace& trace, const CircuitsReport& report);

/// `most` and `least`, as members.
void write_reading(attn::JsonWriter& out, const attn::Trace& trace, const attn::WordReading& reading);

}  // namespace app
