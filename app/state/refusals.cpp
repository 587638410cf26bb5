#include "app/state/refusals.h"

#include <cassert>
#include <cmath>

#include "core/attention/parts/rows.h"
#include "core/document/fields.h"

namespace app {
namespace {

/// The padding that switching to the padding mask adds, so that there is something to mask.
constexpr int kUsualPadding = 2;

/// For longer texts, testing every choice at each keystroke would take too long.
constexpr std::size_t kAskAtMost = 20'000;

template <class Change>
void ask(std::vector<Refusal>& out, const attn::Document& doc, const attn::Field& field, std::string id,
         Change change) {
    attn::Document copy = doc;
    change(copy);
    if (auto wrong = attn::problems(copy); !wrong.empty()) out.push_back({field.key, std::move(id), wrong.front()});
}

/// Interventions and choices that refer to removed heads go with them.
void set_heads(attn::Document& doc, int heads) {
    doc.config.heads = heads;
    std::erase_if(doc.config.heads_off, [&](int head) { return head >= heads; });
    if (doc.config.kv_heads > 0 && heads % doc.config.kv_heads != 0) doc.config.kv_heads = 0;
}

void ask_numbers(std::vector<Refusal>& out, const attn::Document& doc, const attn::Field& field) {
    const auto set = [&](attn::Document& d, double value) {
        [[maybe_unused]] const auto done = attn::set_field(d, field.key, std::to_string(std::llround(value)));
    };
    const double now = field.number(doc);
    if (field.key == "heads") {
        for (int n = 1; n <= most_heads_offered(doc); ++n)
            ask(out, doc, field, std::to_string(n), [&](attn::Document& d) { set_heads(d, n); });
    } else if (field.key == "kv_heads") {
        for (int n = 1; n < doc.config.heads; ++n)
            ask(out, doc, field, std::to_string(n), [&](attn::Document& d) { d.config.kv_heads = n; });
    } else if (field.is_read && !field.reads_file) {  // a file would be read for asking
        // Only fields that the form reads can make a run too large.
        if (now < field.high) ask(out, doc, field, std::string(kOneMore), [&](attn::Document& d) { set(d, now + 1); });
        if (now > field.low) ask(out, doc, field, std::string(kOneLess), [&](attn::Document& d) { set(d, now - 1); });
    }
}

}  // namespace

std::vector<Refusal> refused_by(const attn::Document& doc) {
    std::vector<Refusal> out;
    if (doc.text.size() > kAskAtMost) return out;
    for (const attn::Field& field : attn::document_fields()) {
        if (!can_be_chosen(doc, field)) continue;
        if (field.kind == attn::FieldKind::Choice)
            for (const std::string_view id : field.choices())
                ask(out, doc, field, std::string(id), [&](attn::Document& d) { choose(d, field.key, id); });
        if (field.kind == attn::FieldKind::Integer) ask_numbers(out, doc, field);
    }
    return out;
}

int most_heads_offered(const attn::Document& doc) {
    constexpr int kOffered = 16;
    return std::max(kOffered, doc.config.heads);
}

bool can_be_chosen(const attn::Document& doc, const attn::Field& field) {
    return !field.is_read || field.is_read(doc) || (field.key == "vectors" && !doc.attention);
}

bool same_but_for_drags(attn::Document a, const attn::Document& b) {
    a.edits = b.edits;
    a.config.temperature = b.config.temperature;
    a.config.penalty = b.config.penalty;
    a.config.epsilon = b.config.epsilon;
    a.config.rope_base = b.config.rope_base;
    a.config.choose_temperature = b.config.choose_temperature;
    return a == b;
}

void choose(attn::Document& doc, std::string_view field, std::string_view id) {
    if (field == "variant") return attn::choose_form(doc, id);
    if (field == "vectors") doc.given[static_cast<std::size_t>(attn::Given::X)].reset();
    if (field == "tokenizer") doc.tokens.clear();
    [[maybe_unused]] const auto set = attn::set_field(doc, field, id);
    assert(set.ok() && "ids come from the tables");
    if (field == "mask") {
        doc.mask_pattern.resize(0, 0);
        if (!attn::rows_read(doc.config, "padding"))
            doc.padding = 0;
        else if (doc.padding == 0)
            doc.padding = kUsualPadding;
    }
    attn::drop_unread(doc);
}

}  // namespace app
