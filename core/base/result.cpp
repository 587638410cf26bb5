#include "core/base/result.h"

namespace attn {

std::string Error::text() const {
    std::string out;
    if (!where.empty()) out += where + ":";
    if (line > 0) out += (where.empty() ? "line " : "") + std::to_string(line) + ":";
    if (!out.empty()) out += ' ';
    if (!key.empty()) out += key + ": ";
    return out + message;
}

}  // namespace attn
