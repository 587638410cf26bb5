#include "app/state/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "app/state/screens.h"
#include "core/attention/form.h"
#include "core/attention/parts/mask.h"
#include "core/document/intervene.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

auto place_of(std::vector<attn::Edit>& edits, const CellRef& cell) {
    return std::find_if(edits.begin(), edits.end(), [&](const attn::Edit& edit) {
        return edit.tag == cell.tag && edit.row == cell.row && edit.col == cell.col;
    });
}

auto block_of(attn::Matrix& pattern, CellSpan s) {
    return pattern.block(s.row, s.col, s.last_row - s.row + 1, s.last_col - s.col + 1);
}

}  // namespace

void type_over(attn::Document& document, const CellRef& cell, float value) {
    const auto at = place_of(document.edits, cell);
    if (at != document.edits.end())
        at->value = value;
    else
        document.edits.push_back({cell.tag, cell.row, cell.col, value});
}

namespace {

/// Drops what belonged to the previous tokens.
void drop_what_no_longer_fits(attn::Document& document) {
    for (const attn::Given which : {attn::Given::X, attn::Given::X_source})
        document.given[static_cast<std::size_t>(which)].reset();
    document.mask_pattern.resize(0, 0);
    attn::drop_unfit_interventions(document);
}

}  // namespace

void type_text(attn::Document& document, std::string_view text) {
    document.text = text;
    document.tokens.clear();
    drop_what_no_longer_fits(document);
}

void type_source(attn::Document& document, std::string_view text) {
    document.source = text;
    drop_what_no_longer_fits(document);
}

namespace {

bool knows_most(const attn::Model& model, const std::vector<std::string>& tokens) {
    const auto known = std::ranges::count_if(tokens, [&](const std::string& token) { return model.row_of(token).has_value(); });
    return 2 * static_cast<std::size_t>(known) >= tokens.size();
}

/// Whether a model can be used with a document's texts: it computes, and at least half of their tokens are in the
/// vocabulary.
bool knows(const attn::Model& model, const attn::Document& document) {
    if (!attn::problems(document).empty()) return false;
    if (model.tokenizer) return true;  // splits any text into pieces that it knows
    return knows_most(model, attn::tokens_of(document)) && knows_most(model, attn::source_tokens_of(document));
}

}  // namespace

void use_model(attn::Document& document, const std::shared_ptr<const attn::Model>& model, Language language) {
    const attn::train::Task* task = model ? attn::train::task_of(*model) : nullptr;
    attn::Document fresh;
    fresh.text = document.text;
    const bool pair = attn::reads_pair(document);
    fresh.source = document.source;
    if (document.attention && fresh.text.empty()) fresh.tokens = attn::tokens_of(document);
    if (model) {
        attn::take_model(fresh, model);
        // An encoder-decoder model reads the typed text in its encoder; an existing second text stays.
        if (model->start && !(document.model && document.model->start)) attn::give_sentence(fresh, document.text);
    } else
        attn::choose_form(fresh, document.config.form);
    attn::fit_source(fresh, pair);
    // A text of unknown words would show nothing, so try what was typed as the task's own sentence, and else take the
    // task's example.
    if (task && !task->examples.empty() && !knows(*model, fresh)) {
        const bool chinese = language == Language::Chinese;
        attn::train::give_task_sentence(fresh, document.text, chinese);
        if (!knows(*model, fresh)) fresh = attn::train::task_document(attn::train::example_for(*task, chinese), model);
    }
    document = std::move(fresh);
}

void open_model(attn::Document& document, const std::shared_ptr<const attn::Model>& model, Language language) {
    const attn::train::Task* task = model ? attn::train::task_of(*model) : nullptr;
    const attn::train::Task* now = document.model ? attn::train::task_of(*document.model) : nullptr;
    if (!task || !now || task == now || task->examples.empty()) return use_model(document, model, language);
    document = attn::train::task_document(attn::train::example_for(*task, language == Language::Chinese), model);
}

void look_at_checkpoint(ViewState& view, const attn::Document& document) {
    if (!attn::is_published(document)) return;
    for (const Screen screen : {Screen::Prediction, Screen::Heads})
        if (is_available(screen, document) && has_part(view.level, part_of(screen))) {
            view.screen = screen;
            break;
        }
    const attn::AttentionConfig& config = document.config;
    view.head = std::clamp(view.head, 0, std::max(config.heads, 1) - 1);
    const attn::Tag weights{attn::Role::Weights, config.heads > 1 ? view.head : attn::kNoHead, std::max(config.layers, 1) - 1};
    view.playhead = {weights, 1};
    view.pinned.reset();
    for (const ScreenRow& row : screens())
        if (row.show_attention) row.show_attention(view, weights);
}

bool reset_cell(attn::Document& document, const CellRef& cell) {
    const auto at = place_of(document.edits, cell);
    if (at == document.edits.end()) return false;
    document.edits.erase(at);
    return true;
}

const attn::Edit* edit_at(const attn::Document& document, const CellRef& cell) {
    for (const attn::Edit& edit : document.edits)
        if (edit.tag == cell.tag && edit.row == cell.row && edit.col == cell.col) return &edit;
    return nullptr;
}

namespace {

auto switched_off(const attn::Document& document, const attn::Tag& at, int head) {
    return std::find_if(document.interventions.begin(), document.interventions.end(), [&](const attn::Intervention& one) {
        return one.at == attn::Site::Head && one.by == attn::PutBy::Zero && one.tokens.empty() && one.part == at.part && one.layer == at.layer && one.head == head;
    });
}
bool has_blocks(const attn::Document& document) { return attn::has(attn::find_form(document.config.form)->reads, attn::Reads::Blocks); }

}  // namespace

bool can_switch_heads(const attn::Document& document) {
    return !document.attention && attn::has(attn::find_form(document.config.form)->reads, has_blocks(document) ? attn::Reads::Blocks : attn::Reads::Heads);
}

bool head_is_off(const attn::Document& document, const attn::Tag& at, int head) {
    if (has_blocks(document)) return switched_off(document, at, head) != document.interventions.end();
    const auto& off = document.config.heads_off;
    return std::find(off.begin(), off.end(), head) != off.end();
}

void switch_head(attn::Document& document, const attn::Tag& at, int head) {
    if (!has_blocks(document)) {
        auto& off = document.config.heads_off;
        const auto found = std::lower_bound(off.begin(), off.end(), head);
        found != off.end() && *found == head ? void(off.erase(found)) : void(off.insert(found, head));
        return;
    }
    if (const auto found = switched_off(document, at, head); found != document.interventions.end()) {
        document.interventions.erase(found);
        return;
    }
    document.interventions.push_back({.at = attn::Site::Head, .by = attn::PutBy::Zero, .part = at.part, .layer = at.layer, .head = head, .tokens = {}, .text = {}});
}

std::optional<float> number_typed(std::string_view text) {
    constexpr std::string_view kMinus = "−";
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with(kMinus)) {
            plain += '-';
            i += kMinus.size() - 1;
        } else if (text[i] != ' ') {
            plain += text[i] == ',' ? '.' : text[i];
        }
    }
    const std::size_t first = plain.starts_with('+') ? 1 : 0;
    float value = 0;
    const char* end = plain.data() + plain.size();
    const auto [at, error] = std::from_chars(plain.data() + first, end, value);
    if (error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string number_to_type(float value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

void paint_mask(attn::Document& document, const attn::Matrix& pattern, CellSpan span, bool seen) {
    attn::Matrix drawn = pattern;
    block_of(drawn, span).setConstant(seen ? 1.0f : 0.0f);
    document.config.mask = attn::drawn_mask().id;
    document.mask_pattern = std::move(drawn);
    attn::drop_unread(document);  // what the previous mask read
}

bool flipped(const attn::Matrix& pattern, CellSpan span) {
    attn::Matrix copy = pattern;
    return (block_of(copy, span).array() == 0).any();
}

}  // namespace app
