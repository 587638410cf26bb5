#include "app/cli/target_word.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/document_arguments.h"
#include "app/cli/next_report.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

attn::Result<attn::LikelyWord> named_word(const attn::Trace& trace, const std::string& text, const char* option) {
    const auto found = find_word(trace, text);
    if (!found) return no_such_word(text, option);
    return *found;
}

void write_target(attn::JsonWriter& out, std::string_view key, const attn::LikelyWord& word) {
    out.key(key);
    out.begin_object();
    out.key("id");
    out.integer(word.id);
    out.key("text");
    out.string(word.text);
    out.end_object();
}

}  // namespace

void declare_word(Parser& parser, WordOptions& options) {
    parser.add({.name = "--target", .value = "TOKEN", .help = "The token whose logit it is about, or its id; else the likeliest."}, options.target);
    parser.add({.name = "--against", .value = "TOKEN", .help = "Its logit minus that of this one: what speaks for the one and not the other."},
               options.against);
    parser.add({.name = "--at",
                .value = "PLACE",
                .help = "At this token of the text, from 1, instead of the last one or the first [MASK].",
                .check = whole_between(1, static_cast<int>(attn::kMaxTokens))},
               options.at);
}

attn::AttributedWord TargetWord::word() const {
    attn::AttributedWord out{.row = row, .target = target.id};
    if (against) out.against = against->id;
    return out;
}

attn::Result<TargetWord> target_word(const WordOptions& options, const attn::Document& document, const attn::Run& run) {
    if (auto none = no_text(run, "predict from")) return *none;
    if (attn::logits_step(run.trace) == attn::kNoStep) return says_no_words(run);
    const auto places = requested_places(options.at, document, run);
    if (!places) return places.error();
    attn::Run own = run;  // copied, because a row's probabilities are added to it as steps
    const Expectation said = expectations(own, {places->front()}, 1, false).front();
    TargetWord out{.place = said.place, .token = said.token, .masked = said.masked, .target = said.words.front(), .against = {},
                  .likeliest = options.target.empty(), .row = places->front().row};
    if (!out.likeliest) {
        const auto target = named_word(run.trace, options.target, "--target");
        if (!target) return target.error();
        out.target = *target;
    }
    if (!options.against.empty()) {
        const auto against = named_word(run.trace, options.against, "--against");
        if (!against) return against.error();
        out.against = *against;
    }
    return out;
}

std::string target_text(const TargetWord& word) {
    std::string out = fmt::format("{} {} {}: the logit of {}", word.masked ? "at" : "after", word.place, attn::in_quotes(word.token), attn::in_quotes(word.target.text));
    if (word.likeliest) out += " (the likeliest)";
    if (word.against) out += fmt::format(" minus that of {}", attn::in_quotes(word.against->text));
    return out;
}

void write_target(attn::JsonWriter& out, const attn::Trace& trace, const TargetWord& word) {
    out.key("tokens");
    out.strings(trace.tokens);
    if (!trace.source_tokens.empty()) {
        out.key("source_tokens");
        out.strings(trace.source_tokens);
    }
    out.key("place");
    out.integer(word.place);
    out.key("token");
    out.string(word.token);
    write_target(out, "target", word.target);
    if (word.against) write_target(out, "against", *word.against);
}

std::string signed_number(double value) {
    if (!std::isfinite(value)) return "–";
    return std::abs(value) < 0.0005 ? "0.000" : fmt::format("{:+.3f}", value);
}

}  // namespace app
