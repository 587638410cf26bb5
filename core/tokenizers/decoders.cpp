#include "core/tokenizers/decoders.h"

#include <array>

#include "core/io/nesting.h"
#include "core/tokenizers/byte_letters.h"

namespace attn::tokenizing {

namespace {

using Texts = std::vector<std::string>;

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out;
    if (from.empty()) return std::string(text);
    std::size_t at = 0;
    for (std::size_t found = text.find(from); found != std::string_view::npos; found = text.find(from, at)) {
        out.append(text, at, found - at).append(to);
        at = found + from.size();
    }
    return out.append(text.substr(at));
}

/// Removes spaces before punctuation and English endings that come only from joining the tokens.
std::string cleaned_up(std::string text) {
    using Pair = std::pair<std::string_view, std::string_view>;
    constexpr std::array kPairs = {Pair{" .", "."},     Pair{" ?", "?"},           Pair{" !", "!"},
                                   Pair{" ,", ","},     Pair{" ' ", "'"},          Pair{" n't", "n't"},
                                   Pair{" 'm", "'m"},   Pair{" do not", " don't"}, Pair{" 's", "'s"},
                                   Pair{" 've", "'ve"}, Pair{" 're", "'re"}};
    for (const auto& [from, to] : kPairs) text = replaced(text, from, to);
    return text;
}

Decoder fuse() {
    return [](Texts& texts) {
        std::string all;
        for (const std::string& text : texts) all += text;
        texts = {std::move(all)};
    };
}

Decoder read_byte_level_decoder(const JsonPart&) { return byte_level_decoder(); }
Decoder read_byte_fallback(const JsonPart&) { return byte_fallback_decoder(); }
Decoder read_fuse(const JsonPart&) { return fuse(); }
Decoder read_metaspace_decoder(const JsonPart& part) { return metaspace_decoder(read_metaspace(part)); }

Decoder read_wordpiece_decoder(const JsonPart& part) {
    return wordpiece_decoder(part.text("prefix", "##"), part.flag("cleanup", true));
}

Decoder read_bpe_decoder(const JsonPart& part) {
    return [suffix = part.text("suffix", "</w>")](Texts& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            texts[i] = replaced(texts[i], suffix, i + 1 < texts.size() ? " " : "");
    };
}

Decoder read_strip_decoder(const JsonPart& part) {
    const std::string content = part.text("content");
    const auto start = part.whole("start", 0, 1 << 20), stop = part.whole("stop", 0, 1 << 20);
    if (content.empty()) part.wrong("content", "one character is expected");
    return [=](Texts& texts) {
        if (content.empty()) return;
        for (std::string& text : texts) {
            for (auto i = start; i > 0 && text.starts_with(content); --i) text.erase(0, content.size());
            for (auto i = stop; i > 0 && text.ends_with(content); --i) text.resize(text.size() - content.size());
        }
    };
}

Decoder read_replace_decoder(const JsonPart& part) {
    return [search = read_search(part), content = part.text("content")](Texts& texts) {
        for (std::string& text : texts) {
            text = clean_utf8(text).text;  // patterns work on characters
            Effort effort(text.size());
            const auto matches = search.find_all(text, effort);
            // Too many steps or too long: the text stays unchanged.
            if (!matches || !effort.check_size(text.size() + matches->size() * content.size())) continue;
            std::string out;
            std::size_t at = 0;
            for (const Match& match : *matches) {
                out.append(text, at, match.begin - at).append(content);
                at = match.end;
            }
            text = out.append(text, at);
        }
    };
}

Decoder read_decoders_in_order(const JsonPart& part) {
    std::vector<Decoder> steps;
    for (const JsonPart& item : part.list("decoders")) steps.push_back(read_decoder(item));
    return one_after_the_other(std::move(steps));
}

}  // namespace

const std::vector<DecoderRow>& decoder_rows() {
    static const std::vector<DecoderRow> rows = {
        {"ByteLevel", read_byte_level_decoder},
        {"WordPiece", read_wordpiece_decoder},
        {"Metaspace", read_metaspace_decoder},
        {"ByteFallback", read_byte_fallback},
        {"Fuse", read_fuse},
        {"Strip", read_strip_decoder},
        {"Replace", read_replace_decoder},
        {"BPEDecoder", read_bpe_decoder},
        {"Sequence", read_decoders_in_order},
    };
    return rows;
}

Decoder read_decoder(const JsonPart& part) {
    const Nested level(part.fault().depth);
    if (level.too_deep()) part.wrong("decoders are nested too deep");
    const DecoderRow* row = part.fault().error ? nullptr : row_of(decoder_rows(), part, "decoder");
    return row ? row->read(part) : one_after_the_other({});
}

Decoder one_after_the_other(std::vector<Decoder> steps) {
    return [steps = std::move(steps)](Texts& texts) {
        for (const Decoder& step : steps) step(texts);
    };
}

Decoder byte_level_decoder() {
    return [](Texts& texts) {
        std::string all;
        for (const std::string& text : texts) all += bytes_of_letters(text).value_or(text);
        texts = {std::move(all)};
    };
}

Decoder wordpiece_decoder(std::string prefix, bool clean_up) {
    return [prefix = std::move(prefix), clean_up](Texts& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i > 0) texts[i] = texts[i].starts_with(prefix) ? texts[i].substr(prefix.size()) : " " + texts[i];
            if (clean_up) texts[i] = cleaned_up(std::move(texts[i]));
        }
    };
}

Decoder metaspace_decoder(MetaspaceChoices choices) {
    return [choices = std::move(choices)](Texts& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const bool drop = i == 0 && choices.prepend != Prepend::Never && texts[i].starts_with(choices.mark);
            texts[i] = replaced(std::string_view(texts[i]).substr(drop ? choices.mark.size() : 0), choices.mark, " ");
        }
    };
}

Decoder byte_fallback_decoder() {
    return [](Texts& texts) {
        Texts out;
        bool open = false;  // the last text is being assembled from bytes
        for (const std::string& text : texts) {
            const auto byte = fallback_byte(text);
            if (!byte || !open) out.emplace_back();
            if (byte)
                out.back() += static_cast<char>(*byte);
            else
                out.back() = text;
            open = byte.has_value();
        }
        texts = std::move(out);
    };
}

Decoder spaced_decoder() {
    return [](Texts& texts) {
        for (std::size_t i = 1; i < texts.size(); ++i) texts[i].insert(0, " ");
    };
}

}  // namespace attn::tokenizing
