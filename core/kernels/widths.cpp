#include "core/kernels/widths.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cstdlib>

namespace attn::vectors {
namespace {

constexpr std::array<std::string_view, 3> kWidths = {"plain", "avx2", "avx512"};

Width width_at_start() {
    const char* requested = std::getenv("ATTENSCOPE_VECTORS");
    Width widest = Width::Plain;
    for (const Width width : widths()) {
        if (requested && width_id(width) == requested) return width;
        widest = width;
    }
    return widest;
}

std::atomic<Width>& current() {
    static std::atomic<Width> width = width_at_start();
    return width;
}

}  // namespace

std::string_view width_id(Width width) { return kWidths[static_cast<std::size_t>(width)]; }

std::vector<Width> widths() {
    std::vector<Width> out;
    for (const Width width : {Width::Plain, Width::Avx2, Width::Avx512})
        if (has(width)) out.push_back(width);
    return out;
}

void choose(Width width) {
    assert(has(width));
    current().store(width, std::memory_order_relaxed);
}

Width chosen() { return current().load(std::memory_order_relaxed); }
const Kernels& kernels() { return kernels_of(chosen()); }

const Kernels& kernels_for(Index columns) {
    const Width width = chosen();
    return width == Width::Avx512 && 2 * columns <= kernels_of(width).lanes ? kernels_of(Width::Avx2) : kernels_of(width);
}

}  // namespace attn::vectors
