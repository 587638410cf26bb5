#include "core/document/intervene.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/attention/parts/choices.h"
#include "core/document/internal.h"
#include "core/document/take.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr int kLargestIndex = 1 << 24;
constexpr std::string_view kInterventions = "interventions";

const BlockOrder& order_of(const Document& doc) { return *block_orders().find(doc.config.block); }
bool reads_use(const Document& doc, Reads use) { return has(find_form(doc.config.form)->reads, use); }

/// The feed-forward sub-layer's norm and residual have their own part in tags.
Part feed_part(Part part) { return part == Part::Encoder ? Part::EncoderFeedForward : Part::FeedForward; }
Tag of_layer(Role role, int layer, Part part) { return {role, kNoHead, layer, kNoTime, part}; }

int layers_of(const Document& doc, Part part) {
    return part == Part::Encoder && reads_use(doc, Reads::Source) ? doc.config.encoder_blocks() : doc.config.layers;
}

/// The stream into the first block, or out of one. Which step feeds the first block is found in a run over shapes.
Tag residual_tag(const Document& doc, const Intervention& one) {
    if (one.layer == 0) {
        const std::optional<Trace> shapes = shape_trace(doc);
        if (!shapes) return {};
        for (const Step& step : shapes->steps) {
            Tag tag = step.tag;
            tag.time = kNoTime;
            if (tag != of_layer(Role::Residual, 0, one.part)) continue;
            Tag before = (*shapes)[step.inputs[0]].tag;
            before.time = kNoTime;
            return before;
        }
        return {};
    }
    const Tag sum = of_layer(Role::Residual, one.layer - 1, feed_part(one.part));
    if (!order_of(doc).norm_sum) return sum;
    if (one.layer < layers_of(doc, one.part)) return sum.as(Role::Normed);
    if (one.part == Part::Encoder && reads_use(doc, Reads::Source)) return {Role::Annotations, kNoHead, kNoLayer, kNoTime, Part::Encoder};
    return reads_use(doc, Reads::Generate) ? Tag{Role::Normed, kNoHead, kNoLayer, kNoTime, Part::Final} : Tag{Role::Output};
}

std::vector<std::string> read_tokens_of(const Document& doc) { return reads_use(doc, Reads::Source) ? source_tokens_of(doc) : tokens_of(doc); }

/// Rules are for the weights of a head, each row of which is a pattern over keys.
std::optional<std::string> wrong_rule(const PatternRule& rule, const Intervention& one) {
    if (one.at != Site::Pattern)
        return fmt::format("\"{}\" is a pattern for the weights of a head: choose \"at\": \"pattern\" with a layer and a head; what is at \"{}\" is replaced by "
                           "\"zero\", \"mean\" or \"text\"",
                           rule.id, site_id(one.at));
    if (rule.needs_one_text && one.part == Part::Cross)
        return fmt::format("cross-attention looks at another text, where no token is \"{}\" to one of this text; choose \"uniform\" or \"first\"", rule.id);
    return std::nullopt;
}

std::optional<std::string> wrong_kind(const Document& doc, const Intervention& one) {
    if (const PatternRule* rule = rule_of(one.by)) return wrong_rule(*rule, one);
    if (one.by == PutBy::Zero) return std::nullopt;
    if (reads_use(doc, Reads::Generate) && doc.config.generate > 1)
        return fmt::format("a text that goes on is computed a token at a time, and \"{}\" needs all of them at once; take \"zero\", or \"generate\": 1", put_by_id(one.by));
    if (one.by == PutBy::Mean) return std::nullopt;
    const Given vectors = reads_use(doc, Reads::Source) ? Given::X_source : Given::X;
    if (doc.matrix(vectors)) return fmt::format("\"{}\" is given, so another text would have the same vectors; patch with vectors that belong to tokens", given_id(vectors));
    if (shows_picture(doc)) return std::string("a picture has no second text to patch from");
    const Document other = patched_from(doc, one.text);
    const std::size_t here = read_tokens_of(doc).size(), there = read_tokens_of(other).size();
    if (here != there)
        return fmt::format("the text that is patched from has {} token{}, this one {}: each takes the place of one, so both must have as many",
                           there, there == 1 ? "" : "s", here);
    return std::nullopt;
}

Result<std::shared_ptr<const Run>> other_run(const Document& doc, const std::string& text, const std::stop_token& stop, OtherRuns& others) {
    if (const auto there = others.find(text); there != others.end()) return there->second;
    auto made = run(patched_from(doc, text), stop);
    if (!made) return made.error();
    return others[text] = std::make_shared<const Run>(std::move(*made));
}

template <std::size_t Count>
std::string one_of(const std::array<std::string_view, Count>& ids) { return fmt::format("one of {} is expected", fmt::join(ids, ", ")); }

template <std::size_t Count>
std::optional<std::size_t> place_in(const std::array<std::string_view, Count>& ids, std::string_view id) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    return found == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ids.begin()));
}
template <std::size_t Count>
std::optional<std::size_t> place_in(const std::array<std::string_view, Count>& ids, const JsonValue& value) {
    return value.kind == JsonKind::String ? place_in(ids, value.string) : std::nullopt;
}

std::optional<Part> part_named(std::string_view id) {
    for (const Part part : {Part::Cross, Part::Encoder})
        if (part_id(part) == id) return part;
    return std::nullopt;
}

void in_order(std::vector<int>& tokens) {
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
}

std::vector<std::string> parts_of(std::string_view text, char between) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        if (c == between)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out = parts_of(text, ' ');
    std::erase(out, std::string());
    return out;
}

std::optional<int> whole_number(std::string_view digits, int least) {
    int out = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (problem != std::errc() || end != digits.data() + digits.size() || out < least || out > kLargestIndex) return std::nullopt;
    return out;
}

std::optional<int> index_of(const JsonValue& value, int least) {
    if (value.kind != JsonKind::Number || !value.is_integer || value.integer < least || value.integer > kLargestIndex) return std::nullopt;
    return static_cast<int>(value.integer);
}

}  // namespace

std::optional<std::string> wrong_place(const Document& doc, const Intervention& one, CountFrom from) {
    const bool source = reads_use(doc, Reads::Source);
    if (!source && one.part != Part::Main) return fmt::format("the form \"{}\" has one stack and no part \"{}\"", doc.config.form, part_id(one.part));
    if (one.part == Part::Cross && !is_of_a_head(one.at) && one.at != Site::Attention) return std::string("\"cross\" has heads and attention");
    const std::string_view counted = from == CountFrom::Zero ? ", counted from 0" : "";
    const bool residual = one.at == Site::Residual;
    const int layers = layers_of(doc, one.part), most = residual ? layers : layers - 1;
    if (one.layer < 0 || one.layer > most)
        return fmt::format("there is no layer {}: there are {}{}", residual ? one.layer : said_of(one.layer, from), layers,
                           residual ? ", and 0 is before the first" : counted);
    if (is_of_a_head(one.at) && (one.head < 0 || one.head >= doc.config.heads))
        return fmt::format("there is no head {}: a layer has {}{}", said_of(one.head, from), doc.config.heads, counted);
    const bool of_source = one.part == Part::Encoder;
    const auto tokens = static_cast<int>((of_source ? source_tokens_of(doc) : tokens_of(doc)).size());
    if (!one.tokens.empty() && one.tokens.back() >= tokens) return fmt::format("there is no token {}: the text has {}", one.tokens.back() + 1, tokens);
    return std::nullopt;
}

std::vector<Tag> tags_of(const Document& doc, const Intervention& one) {
    const bool normed = order_of(doc).norm_made;  // the added output has passed a norm
    const Tag attention = of_layer(normed ? Role::OuterNormed : Role::Attended, one.layer, one.part);
    const Tag feed = normed ? of_layer(Role::OuterNormed, one.layer, feed_part(one.part)) : of_layer(Role::Down, one.layer, one.part);
    const int head = doc.config.heads > 1 ? one.head : kNoHead;
    switch (one.at) {
        case Site::Head:
            return {Tag{Role::HeadOutput, head, one.layer, kNoTime, one.part}};
        case Site::Pattern:
            return {Tag{Role::Weights, head, one.layer, kNoTime, one.part}};
        case Site::Attention:
            return {attention};
        case Site::FeedForward:
            return {feed};
        case Site::Layer:
            if (reads_use(doc, Reads::Source) && one.part == Part::Main)
                return {attention, of_layer(attention.role, one.layer, Part::Cross), feed};
            return {attention, feed};
        case Site::Residual:
            return {residual_tag(doc, one)};
    }
    return {};
}

Document patched_from(Document doc, const std::string& text) {
    doc.interventions.clear();
    doc.edits.clear();
    doc.gradient.reset();
    if (reads_use(doc, Reads::Source)) {
        doc.source = text;
        return doc;
    }
    doc.text = text;
    doc.tokens.clear();
    return doc;
}

std::vector<Error> intervention_problems(const Document& doc) {
    std::vector<Error> out;
    for (std::size_t i = 0; i < doc.interventions.size(); ++i) {
        auto wrong = wrong_place(doc, doc.interventions[i]);
        if (!wrong) wrong = wrong_kind(doc, doc.interventions[i]);
        if (wrong) out.push_back({std::move(*wrong), "", fmt::format("{}[{}]", kInterventions, i), 0});
    }
    return out;
}

void drop_unfit_interventions(Document& doc) {
    std::erase_if(doc.interventions, [&](const Intervention& one) { return wrong_place(doc, one) || wrong_kind(doc, one); });
}

Result<std::vector<Replacement>> replacements_of(const Document& doc, const std::stop_token& stop, const OtherRuns& there) {
    std::vector<Replacement> out;
    OtherRuns others = there;
    for (const Intervention& one : doc.interventions) {
        std::shared_ptr<const Run> other;
        if (one.by == PutBy::Text) {
            auto made = other_run(doc, one.text, stop, others);
            if (!made) return made.error();
            other = std::move(*made);
        }
        for (const Tag& tag : tags_of(doc, one)) {
            Replacement put{tag, one.by == PutBy::Mean ? Replacement::By::Mean : Replacement::By::Zero, one.tokens, {}};
            put.rule = rule_of(one.by);
            if (put.rule) put.by = Replacement::By::Rule;
            if (other) {
                const auto& steps = other->trace.steps;
                const auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return put.concerns(s.tag); });
                if (step == steps.end()) continue;
                put.by = Replacement::By::Given;
                put.given = step->value;
            }
            out.push_back(std::move(put));
        }
    }
    return out;
}

Intervention at_head(const Tag& tag, PutBy by) {
    return {.at = Site::Head, .by = by, .part = tag.part, .layer = tag.layer, .head = std::max(tag.head, 0), .tokens = {}, .text = {}};
}

std::string intervention_text(const Intervention& one, CountFrom from) {
    std::string out(site_id(one.at));
    std::replace(out.begin(), out.end(), '_', ' ');
    out += is_of_a_head(one.at) ? " " + head_place_text(one.layer, one.head, from) : fmt::format(" {}", one.at == Site::Residual ? one.layer : said_of(one.layer, from));
    if (one.part != Part::Main) out += fmt::format(" of {}", part_id(one.part));
    std::vector<int> tokens;
    for (const int token : one.tokens) tokens.push_back(token + 1);
    if (!tokens.empty()) out += fmt::format(" at token{} {}", tokens.size() == 1 ? "" : "s", fmt::join(tokens, ", "));
    return out;
}

Result<Intervention> intervention_at(std::string_view place, CountFrom from) {
    const auto wrong = [&](std::string why) {
        return Error{fmt::format("\"{}\" is no place: {}; write head 2.3, pattern 2.3, attention 2, feed_forward 2, layer 2 or residual 0, with \"of encoder\" or "
                                 "\"of cross\" and tokens as @4,5 behind it where they are meant", visible(place), std::move(why)), "", "", 0};
    };
    std::vector<std::string> words = words_of(place);
    Intervention out;
    if (!words.empty() && words.back().starts_with('@')) {
        for (const std::string& token : parts_of(words.back().substr(1), ',')) {
            const auto index = whole_number(token, 1);
            if (!index) return wrong("tokens are whole numbers from 1");
            out.tokens.push_back(*index - 1);
        }
        in_order(out.tokens);
        words.pop_back();
    }
    // As it is printed, and as others call it.
    if (words.size() > 1 && words[0] == "feed" && words[1] == "forward") words.erase(words.begin());
    if (!words.empty() && (words[0] == "forward" || words[0] == "ffn" || words[0] == "mlp")) words[0] = site_id(Site::FeedForward);
    if (words.size() == 4 && words[2] == "of") {
        const auto part = part_named(words[3]);
        if (!part) return wrong("the part is encoder or cross");
        out.part = *part;
        words.resize(2);
    }
    const auto site = words.size() == 2 ? place_in(kSites, words[0]) : std::nullopt;
    if (!site) return wrong("it begins with what it is and its layer");
    out.at = static_cast<Site>(*site);
    const std::vector<std::string> numbers = parts_of(words[1], '.');
    const int first = out.at == Site::Residual ? 0 : said_of(0, from);
    const auto layer = whole_number(numbers[0], first);
    if (!layer || numbers.size() != (is_of_a_head(out.at) ? 2U : 1U)) return wrong(is_of_a_head(out.at) ? "a head has its layer, a point and its number" : "it has one number, the layer's");
    out.layer = *layer - first;
    if (!is_of_a_head(out.at)) return out;
    const auto head = whole_number(numbers[1], said_of(0, from));
    if (!head) return wrong(fmt::format("heads count from {}", count_from_id(from)));
    out.head = index_of(*head, from);
    return out;
}

Result<Intervention> intervention_from_json(const JsonValue& value, std::string_view key) {
    if (value.kind != JsonKind::Object) return error_at(value, key, fmt::format("an object is expected, not {}", kind_name(value.kind)));
    Intervention out;
    for (const char* needed : {"at", "layer", "by"})
        if (!value.find(needed)) return error_at(value, key, fmt::format("\"{}\" is missing; an intervention has at, layer and by", needed));
    const std::string at_key = fmt::format("{}.at", key);
    const auto at = place_in(kSites, *value.find("at"));
    if (!at) return error_at(*value.find("at"), at_key, one_of(kSites));
    out.at = static_cast<Site>(*at);
    const int first = out.at == Site::Residual ? 0 : 1;
    for (const JsonMember& member : value.members) {
        const JsonValue& v = member.value;
        const std::string path = fmt::format("{}.{}", key, visible(member.key));
        if (member.key == "at") continue;
        if (member.key == "by") {
            const auto by = place_in(kPutBy, v);
            if (!by) return error_at(v, path, one_of(kPutBy));
            out.by = static_cast<PutBy>(*by);
        } else if (member.key == "layer" || member.key == "head") {
            const bool head = member.key == "head";
            const auto index = index_of(v, head ? 1 : first);
            if (!index) return error_at(v, path, fmt::format("a whole number from {} is expected", head ? 1 : first));
            (head ? out.head : out.layer) = *index - (head ? 1 : first);
        } else if (member.key == "part") {
            const auto part = part_named(v.string);
            if (v.kind != JsonKind::String || !part) return error_at(v, path, "cross or encoder is expected");
            out.part = *part;
        } else if (member.key == "tokens") {
            if (v.kind != JsonKind::Array || v.items.empty()) return error_at(v, path, "a list of places is expected, from 1; leave the key out for all");
            for (const JsonValue& item : v.items) {
                const auto token = index_of(item, 1);
                if (!token) return error_at(item, path, "a whole number from 1 is expected");
                out.tokens.push_back(*token - 1);
            }
            in_order(out.tokens);
        } else if (member.key == "text") {
            if (v.kind != JsonKind::String) return error_at(v, path, "a text in quotes is expected");
            out.text = v.string;
        } else {
            return error_at(v, path, "unknown key; an intervention has at, layer, head, part, tokens, by and text");
        }
    }
    if (is_of_a_head(out.at) != (out.head != kNoHead)) return error_at(value, key, is_of_a_head(out.at) ? "\"head\" is missing" : "only at \"head\" and \"pattern\" there is a head");
    if ((out.by == PutBy::Text) != (value.find("text") != nullptr))
        return error_at(value, key, out.by == PutBy::Text ? "\"text\" is missing: what is patched from" : "\"text\" goes with \"by\": \"text\" alone");
    return out;
}

void write_intervention(const Intervention& one, JsonWriter& out) {
    out.begin_object();
    out.key("at");
    out.string(site_id(one.at));
    if (one.part != Part::Main) {
        out.key("part");
        out.string(part_id(one.part));
    }
    out.key("layer");
    out.integer(one.layer + (one.at == Site::Residual ? 0 : 1));
    if (is_of_a_head(one.at)) {
        out.key("head");
        out.integer(one.head + 1);
    }
    if (!one.tokens.empty()) {
        out.key("tokens");
        out.begin_row();
        for (const int token : one.tokens) out.integer(token + 1);
        out.end_array();
    }
    out.key("by");
    out.string(put_by_id(one.by));
    if (one.by == PutBy::Text) {
        out.key("text");
        out.string(one.text);
    }
    out.end_object();
}

}  // namespace attn
