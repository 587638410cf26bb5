#include "app/explain/blank.h"

#include <variant>

namespace app {

using attn::Axis;

TokenPlace token_at(Axis axis, int index) {
    const bool text = axis.kind == Axis::Kind::Tokens || axis.kind == Axis::Kind::SourceTokens;
    return text ? TokenPlace{axis.kind, axis.first + index} : TokenPlace{};
}

bool is_blank_token(const attn::Trace& trace, TokenPlace place) {
    if (place.kind == Axis::Kind::Units) return false;
    for (const attn::Step& step : trace.steps) {
        if (step.tag.role != attn::Role::Embeddings || step.op != attn::Op::Input || step.rows.kind != place.kind) continue;
        const int row = place.token - step.rows.first;
        if (row < 0 || row >= step.value.rows()) continue;
        const auto* from = std::get_if<attn::InputParams>(&step.params);
        if (!from || from->sources.of_row(row) != attn::Source::Unknown) return false;
        return (step.value.one_row(row).array() == 0).all();
    }
    return false;
}

std::optional<Str> blank_claim(const attn::Trace& trace, TokenPlace asks, TokenPlace answers) {
    if (is_blank_token(trace, asks)) return Str::cap_blank_asks;
    if (is_blank_token(trace, answers)) return Str::cap_blank_answers;
    return std::nullopt;
}

std::optional<Str> blank_claim(const attn::Trace& trace, attn::Cell cell) {
    if (cell.step == attn::kNoStep) return std::nullopt;
    const attn::Step& step = trace[cell.step];
    return blank_claim(trace, token_at(step.rows, cell.row), token_at(step.cols, cell.col));
}

}  // namespace app
