#include "core/analysis/distance.h"

#include <cmath>

#include "core/attention/parts/position.h"
#include "core/kernels/kernels.h"

namespace attn {
namespace {

DistanceLine sinusoidal_line(int width, int reach) {
    const Matrix table = sinusoidal(2 * reach + 1, width);
    DistanceLine line;
    for (int p = 0; p <= 2 * reach; ++p) line.values.push_back(static_cast<double>(table.row(reach).dot(table.row(p))));
    return line;
}

DistanceLine rotary_line(int width, int reach, bool half_pairs) {
    const Matrix ones = Matrix::Ones(1, width);
    DistanceLine line;
    RotateParams params{.base = kRopeBase, .half_pairs = half_pairs};
    for (params.first = -reach; params.first <= reach; ++params.first)
        line.values.push_back(static_cast<double>(ones.row(0).dot(kernel::rotated(ones, params).row(0))) / width);
    return line;
}

DistanceLine slope_line(int head, int heads, int reach) {
    const Matrix bias = distance_bias(1, 2 * reach + 1, reach, head, heads);
    DistanceLine line{head, {}};
    for (int p = 0; p <= 2 * reach; ++p) line.values.push_back(static_cast<double>(bias(0, p)));
    return line;
}

}  // namespace

std::vector<DistanceLine> distance_lines(std::string_view position, int width, int heads, int reach) {
    const Position* rule = find_position(position);
    if (!rule || width < 1) return {};
    std::vector<DistanceLine> lines;
    if (rule->encoding) lines.push_back(sinusoidal_line(width, reach));
    if (rule->kind == PositionKind::Rotated && width % 2 == 0)
        lines.push_back(rotary_line(width, reach, rule->half_pairs));
    if (rule->kind == PositionKind::Biased)
        for (int head = 0; head < heads; ++head) lines.push_back(slope_line(head, heads, reach));
    return lines;
}

}  // namespace attn
