#include "core/io/lzw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace attn {
namespace {

constexpr int kFirstCodeBits = 9, kMostCodeBits = 16, kClear = 256, kNoCode = -1;

/// Codes come in groups of eight of one width; the rest of a group is skipped where the width changes.
class CodeReader {
public:
    explicit CodeReader(std::string_view bytes) : bytes_(bytes) {}

    int next(int bits) {
        if (at_ + static_cast<std::size_t>(bits) > bytes_.size() * 8) return kNoCode;
        std::uint32_t code = 0;
        for (int i = 0; i < bits; ++i, ++at_)
            code |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes_[at_ / 8]) >> (at_ % 8) & 1) << i;
        return static_cast<int>(code);
    }
    void skip_group(int bits) {
        const std::size_t group = static_cast<std::size_t>(bits) * 8, within = (at_ - group_) % group;
        if (within > 0) at_ += group - within;
        group_ = at_;
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0, group_ = 0;  ///< bits
};

struct LzwTable {
    std::vector<std::uint16_t> before = std::vector<std::uint16_t>(std::size_t{1} << kMostCodeBits);
    std::string last = std::string(std::size_t{1} << kMostCodeBits, '\0');
    int free = kClear + 1;

    LzwTable() {
        for (int i = 0; i < kClear; ++i) last[static_cast<std::size_t>(i)] = static_cast<char>(i);
    }
    void add(int prefix, char end) {
        if (free >= 1 << kMostCodeBits) return;
        before[static_cast<std::size_t>(free)] = static_cast<std::uint16_t>(prefix);
        last[static_cast<std::size_t>(free++)] = end;
    }
};

}  // namespace

Result<std::string> unpack_lzw(std::string_view codes, std::size_t most_bytes) {
    CodeReader reader(codes);
    LzwTable table;
    std::string out, reversed;
    int bits = kFirstCodeBits, old = kNoCode;
    char first = 0;
    for (;;) {
        if (table.free > (1 << bits) - 1 && bits < kMostCodeBits) {
            reader.skip_group(bits);
            ++bits;
        }
        const int code = reader.next(bits);
        if (code == kNoCode) return out;
        if (code == kClear) {
            reader.skip_group(bits);
            table.free = kClear;
            bits = kFirstCodeBits;
            continue;
        }
        if (code > table.free || (old == kNoCode && code >= kClear))
            return Error{fmt::format("code {} of the packed text names nothing yet", code), "", "", 0};
        reversed.clear();
        int at = code;
        if (code >= table.free) reversed += first, at = old;
        for (; at >= kClear; at = table.before[static_cast<std::size_t>(at)]) reversed += table.last[static_cast<std::size_t>(at)];
        reversed += first = static_cast<char>(at);
        if (reversed.size() > most_bytes - out.size()) return Error{fmt::format("the packed text is longer than {} bytes", most_bytes), "", "", 0};
        out.append(reversed.rbegin(), reversed.rend());
        if (old != kNoCode) table.add(old, first);
        old = code;
    }
}

}  // namespace attn
