#include "core/tokenizers/normalizers.h"

#include <memory>

#include "core/io/nesting.h"
#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/character_rules.h"
#include "core/tokenizers/charsmap.h"
#include "core/tokenizers/pattern_field.h"

namespace attn::tokenizing {

namespace {

/// A normalizer that cannot fail, from one that makes a new text.
template <class Make>
Normalizer making(Make make) {
    return [make](AlignedText& text, Effort& effort) -> Result<Done> {
        text = make(text);
        return effort.check_size(text.text.size());
    };
}

/// Calls change(code, out, span) for each character; it returns whether to keep the character, and may append a
/// replacement itself.
template <class Change>
AlignedText each_changed(const AlignedText& text, Change change) {
    AlignedText out;
    each_character(text.text, [&](char32_t code, std::size_t begin, std::size_t end) {
        if (change(code, out, text.from[begin])) out.append(text, begin, end);
    });
    return out;
}

AlignedText lowered(const AlignedText& text) {
    return each_changed(text, [](char32_t code, AlignedText& out, Span span) {
        const std::u32string small = lower(code);
        if (small.size() == 1 && small.front() == code) return true;
        for (const char32_t letter : small) out.append(encode_utf8(letter), span);
        return false;
    });
}

AlignedText without(const AlignedText& text, bool (*unwanted)(char32_t)) {
    return each_changed(text, [&](char32_t code, AlignedText&, Span) { return !unwanted(code); });
}

AlignedText cleaned(const AlignedText& text) {
    return each_changed(text, [](char32_t code, AlignedText& out, Span span) {
        if (code == 0 || code == 0xFFFD || is_control(code)) return false;
        if (!is_white(code)) return true;
        out.append(" ", span);
        return false;
    });
}

AlignedText han_apart(const AlignedText& text) {
    return each_changed(text, [](char32_t code, AlignedText& out, Span span) {
        if (!is_han(code)) return true;
        out.append(" ", {span.begin, span.begin});
        out.append(encode_utf8(code), span);
        out.append(" ", {span.end, span.end});
        return false;
    });
}

AlignedText nmt(const AlignedText& text) {
    return each_changed(text, [](char32_t code, AlignedText& out, Span span) {
        const bool dropped = (code >= 1 && code <= 8) || code == 0xB || (code >= 0xE && code <= 0x1F) || code == 0x7F ||
                             code == 0x8F || code == 0x9F;
        if (dropped) return false;
        const bool blank = code == 9 || code == 0xA || code == 0xC || code == 0xD || code == 0x1680 ||
                           (code >= 0x200B && code <= 0x200F) || code == 0x2028 || code == 0x2029 || code == 0x2581 ||
                           code == 0xFEFF || code == 0xFFFD;
        if (blank) out.append(" ", span);
        return !blank;
    });
}

AlignedText stripped(const AlignedText& text, bool left, bool right) {
    std::size_t begin = text.text.size(), end = 0;
    each_character(text.text, [&](char32_t code, std::size_t at, std::size_t after) {
        if (is_white(code)) return;
        begin = std::min(begin, at);
        end = after;
    });
    if (!left) begin = 0;
    if (!right) end = text.text.size();
    return begin < end ? text.part(begin, end) : AlignedText{};
}

template <NormalForm form>
Normalizer read_form(const JsonPart&) {
    return making([](const AlignedText& text) { return normal_form(text, form); });
}

Normalizer read_lowercase(const JsonPart&) { return making(lowered); }
Normalizer read_nmt(const JsonPart&) { return making(nmt); }

Normalizer read_strip_accents(const JsonPart&) {
    return making([](const AlignedText& text) { return without(text, is_mark); });
}

Normalizer read_letters(const JsonPart&) { return making(to_byte_letters); }

Normalizer read_bert(const JsonPart& part) {
    BertChoices choices;
    choices.clean = part.flag("clean_text", true);
    choices.set_han_apart = part.flag("handle_chinese_chars", true);
    choices.lowercase = part.flag("lowercase", true);
    choices.strip_accents = part.flag("strip_accents", choices.lowercase);
    return bert_normalizer(choices);
}

Normalizer read_replace(const JsonPart& part) {
    return
        [search = read_search(part), with = part.text("content")](AlignedText& text, Effort& effort) -> Result<Done> {
            return replace_found(text, search, with, effort);
        };
}

Normalizer read_prepend(const JsonPart& part) { return prepend_text(part.text("prepend")); }

Normalizer read_strip(const JsonPart& part) {
    const bool left = part.flag("strip_left", true), right = part.flag("strip_right", true);
    return making([=](const AlignedText& text) { return stripped(text, left, right); });
}

Normalizer read_precompiled(const JsonPart& part) {
    const auto bytes = from_base64(part.text("precompiled_charsmap"));
    if (!bytes) part.wrong("precompiled_charsmap", "this is no base64");
    if (part.fault().error) return in_sequence({});
    auto map = Charsmap::read(*bytes);
    if (!map) {
        part.wrong("precompiled_charsmap", map.error().message);
        return in_sequence({});
    }
    return [shared = std::make_shared<const Charsmap>(std::move(*map))](AlignedText& text, Effort& effort) -> Result<Done> {
        text = shared->by_grapheme(text, effort.most);
        return effort.check_size(text.text.size());
    };
}

Normalizer read_sequence(const JsonPart& part) {
    std::vector<Normalizer> steps;
    for (const JsonPart& item : part.list("normalizers")) steps.push_back(read_normalizer(item));
    return in_sequence(std::move(steps));
}

}  // namespace

const std::vector<NormalizerRow>& normalizer_rows() {
    static const std::vector<NormalizerRow> rows = {
        {"NFC", read_form<NormalForm::C>},   {"NFD", read_form<NormalForm::D>},
        {"NFKC", read_form<NormalForm::KC>}, {"NFKD", read_form<NormalForm::KD>},
        {"Lowercase", read_lowercase},       {"StripAccents", read_strip_accents},
        {"BertNormalizer", read_bert},       {"Replace", read_replace},
        {"Prepend", read_prepend},           {"Strip", read_strip},
        {"Precompiled", read_precompiled},   {"Nmt", read_nmt},
        {"ByteLevel", read_letters},         {"Sequence", read_sequence},
    };
    return rows;
}

Normalizer read_normalizer(const JsonPart& part) {
    const Nested level(part.fault().depth);
    if (level.too_deep()) part.wrong("normalizers are nested too deep");
    const NormalizerRow* row = part.fault().error ? nullptr : row_of(normalizer_rows(), part, "normalizer");
    return row ? row->read(part) : in_sequence({});
}

Normalizer in_sequence(std::vector<Normalizer> steps) {
    return [steps = std::move(steps)](AlignedText& text, Effort& effort) -> Result<Done> {
        for (const Normalizer& step : steps)
            if (auto done = step(text, effort); !done) return done.error();
        return Done{};
    };
}

Normalizer bert_normalizer(BertChoices choices) {
    return making([choices](const AlignedText& text) {
        AlignedText out = choices.clean ? cleaned(text) : text;
        if (choices.set_han_apart) out = han_apart(out);
        if (choices.strip_accents) out = without(normal_form(out, NormalForm::D), is_nonspacing);
        return choices.lowercase ? lowered(out) : out;
    });
}

Normalizer normal_form_c() {
    return making([](const AlignedText& text) { return normal_form(text, NormalForm::C); });
}

Normalizer prepend_text(std::string text) {
    return [text = std::move(text)](AlignedText& to, Effort& effort) -> Result<Done> {
        if (!to.empty()) to.prepend(text);
        return effort.check_size(to.text.size());
    };
}

Result<Done> replace_found(AlignedText& text, const Search& search, std::string_view with, Effort& effort) {
    const auto matches = search.find_all(text.text, effort);
    if (!matches) return matches.error();
    std::size_t size = text.text.size() + matches->size() * with.size();
    for (const Match& match : *matches) size -= match.end - match.begin;
    if (auto done = effort.check_size(size); !done) return done;
    text = replace_matches(text, *matches, with);
    return Done{};
}

AlignedText replace_matches(const AlignedText& text, const std::vector<Match>& matches, std::string_view with) {
    AlignedText out;
    std::size_t at = 0;
    for (const Match& match : matches) {
        out.append(text, at, match.begin);
        out.append(with, text.span(match.begin, match.end));
        at = match.end;
    }
    out.append(text, at, text.text.size());
    return out;
}

}  // namespace attn::tokenizing
