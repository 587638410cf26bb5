#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/tokenizers/pattern.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>

#include "core/base/effort.h"
#include "core/io/safe_text.h"
#include "core/tokenizers/oniguruma.h"

namespace attn::tokenizing {

namespace {

constexpr std::uint32_t kFirstSteps = 1'024;      // of a match: enough for a well-made pattern on a word
constexpr std::uint32_t kMostMemory = 64 * 1024;  // KiB
constexpr std::size_t kLongestExpression = 20'000;

struct Context {
    Context() : match(pcre2_match_context_create(nullptr)) {
        if (match) pcre2_set_heap_limit(match, kMostMemory);
    }
    ~Context() { pcre2_match_context_free(match); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    pcre2_match_context* match;
};

std::string pcre_message(int number) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(number, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

}  // namespace

Result<Done> Effort::check_size(std::size_t bytes) const {
    if (bytes <= most) return Done{};
    return Error{fmt::format("the tokenizer makes this text longer again and again: {} bytes of at most {}; its replacements want mending", bytes, most), "",
                 "", 0};
}

struct Pattern::Code {
    explicit Code(pcre2_code* made) : code(made) {}
    ~Code() { pcre2_code_free(code); }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    pcre2_code* code;
};

Pattern::Pattern(std::shared_ptr<const Code> code, std::string expression)
    : code_(std::move(code)), expression_(std::move(expression)) {}

Result<Pattern> Pattern::make(std::string_view expression) {
    if (expression.size() > kLongestExpression)
        return Error{
            fmt::format("a regular expression of {} bytes; at most {} are read", expression.size(), kLongestExpression),
            "", "", 0};
    const auto wrong = [&](std::string_view what) {
        return Error{fmt::format("the regular expression {} cannot be read: {}", in_quotes(expression), what), "", "", 0};
    };
    const auto written = from_oniguruma(expression);
    if (!written) return wrong(written.error().message);
    int problem = 0;
    PCRE2_SIZE at = 0;
    pcre2_code* const made = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(written->data()), written->size(),
                                           PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &problem, &at, nullptr);
    if (!made) return wrong(*written == expression ? fmt::format("{} (at byte {})", pcre_message(problem), at) : pcre_message(problem));
    return Pattern(std::make_shared<const Code>(made), std::string(expression));
}

Result<std::vector<Match>> Pattern::find_all(std::string_view text, Effort& effort) const {
    const Context context;
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> found(pcre2_match_data_create(1, nullptr),
                                                                               pcre2_match_data_free);
    if (!found || !context.match) return Error{"there is not enough memory for a regular expression", "", "", 0};
    std::uint32_t options = 0;  // the text is checked on the first call only: it does not change
    std::vector<Match> out;
    for (std::size_t at = 0; at < text.size();) {
        int count = PCRE2_ERROR_MATCHLIMIT;
        for (std::uint64_t steps = kFirstSteps; count == PCRE2_ERROR_MATCHLIMIT; steps *= 8) {
            if (steps > kFirstSteps && steps > effort.spare)
                return Error{
                    fmt::format("the regular expression {} takes too many steps on this text, from its byte {} "
                                "on; the tokenizer's pattern wants mending, or the text is to be shorter",
                                in_quotes(expression_), at),
                    "", "", 0};
            if (steps > kFirstSteps) effort.spare -= steps;
            pcre2_set_match_limit(context.match, static_cast<std::uint32_t>(steps));
            count = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at, options,
                                found.get(), context.match);
        }
        options = PCRE2_NO_UTF_CHECK;
        if (count == PCRE2_ERROR_NOMATCH) break;
        if (count < 0)
            return Error{fmt::format("the regular expression {} cannot be applied to this text: {}",
                                     in_quotes(expression_), pcre_message(count)),
                         "", "", 0};
        const PCRE2_SIZE* const place = pcre2_get_ovector_pointer(found.get());
        count_steps(place[1] > at ? place[1] - at : 1);
        if (place[1] > place[0] && place[0] >= at) out.push_back({place[0], place[1]});
        std::size_t next = std::max<std::size_t>(place[1], at);
        if (place[1] <= place[0] || next == at) {  // an empty match: advance by one character
            ++next;
            while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
        }
        at = next;
    }
    return out;
}

}  // namespace attn::tokenizing
