#include "tests/app/gif_reader.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace {

using Palette = std::vector<std::uint8_t>;  // three bytes a colour

class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}
    int byte() { return data_[need(1)]; }
    int word() {
        const int low = byte();
        return low | byte() << 8;
    }
    std::vector<std::uint8_t> take(std::size_t n) {
        const std::size_t at = need(n);
        return {data_.begin() + static_cast<std::ptrdiff_t>(at), data_.begin() + static_cast<std::ptrdiff_t>(at + n)};
    }
    std::vector<std::uint8_t> blocks() {
        std::vector<std::uint8_t> out;
        while (const int size = byte()) {
            const auto part = take(static_cast<std::size_t>(size));
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }
    bool at_end() const { return at_ == data_.size(); }

private:
    std::size_t need(std::size_t n) {
        if (n > data_.size() - at_) throw std::runtime_error("too short");
        return std::exchange(at_, at_ + n);
    }
    std::span<const std::uint8_t> data_;
    std::size_t at_ = 0;
};

/// Variable-width LZW, lowest bits first.
std::vector<std::uint8_t> unpack(const std::vector<std::uint8_t>& packed, int first_bits) {
    const int clear = 1 << first_bits, end = clear + 1;
    std::vector<std::vector<std::uint8_t>> table;
    const auto reset = [&] {
        table.assign(static_cast<std::size_t>(clear) + 2, {});
        for (int i = 0; i < clear; ++i) table[static_cast<std::size_t>(i)] = {static_cast<std::uint8_t>(i)};
    };
    reset();
    std::vector<std::uint8_t> out, last;
    int bits = first_bits + 1, held = 0;
    std::uint32_t buffer = 0;
    for (std::size_t at = 0;;) {
        while (held < bits) {
            buffer |= static_cast<std::uint32_t>(packed.at(at++)) << held;
            held += 8;
        }
        const int code = static_cast<int>(buffer & ((1u << bits) - 1));
        buffer >>= bits;
        held -= bits;
        if (code == end) return out;
        if (code == clear) {
            reset();
            bits = first_bits + 1;
            last.clear();
            continue;
        }
        std::vector<std::uint8_t> now;
        if (code < static_cast<int>(table.size())) {
            now = table[static_cast<std::size_t>(code)];
        } else {
            now = last;
            now.push_back(last.at(0));
        }
        out.insert(out.end(), now.begin(), now.end());
        if (!last.empty() && table.size() < 4096) {
            last.push_back(now.at(0));
            table.push_back(last);
            if (static_cast<int>(table.size()) == 1 << bits && bits < 12) ++bits;
        }
        last = std::move(now);
    }
}

struct Control {
    int delay = 0;
    int transparent = -1;
};

void draw(app::gfx::Image& canvas, Bytes& in, const Palette& global, const Control& control) {
    const int x0 = in.word(), y0 = in.word(), width = in.word(), height = in.word(), flags = in.byte();
    if ((flags & 0x40) != 0) throw std::runtime_error("interlaced");
    const Palette local = (flags & 0x80) != 0 ? in.take(3u << ((flags & 7) + 1)) : Palette();
    const Palette& palette = local.empty() ? global : local;
    const int first_bits = in.byte();
    const auto pixels = unpack(in.blocks(), first_bits);
    if (pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) ||
        x0 + width > canvas.width || y0 + height > canvas.height)
        throw std::runtime_error("bad size");
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (pixels[i] == control.transparent) continue;
        std::uint8_t* to = canvas.at(x0 + static_cast<int>(i) % width, y0 + static_cast<int>(i) / width);
        for (std::size_t c = 0; c < 3; ++c) to[c] = palette.at(pixels[i] * std::size_t{3} + c);
        to[3] = 255;
    }
}

Gif read(Bytes in) {
    const auto magic = in.take(6);
    if (std::string(magic.begin(), magic.end()) != "GIF89a") throw std::runtime_error("not a GIF");
    const int width = in.word(), height = in.word(), flags = in.byte();
    in.take(2);
    const Palette global = (flags & 0x80) != 0 ? in.take(3u << ((flags & 7) + 1)) : Palette();
    app::gfx::Image canvas = app::gfx::make_image(width, height);
    Gif gif;
    Control control;
    for (;;) {
        const int kind = in.byte();
        if (kind == 0x3B) break;
        if (kind == 0x2C) {
            draw(canvas, in, global, control);
            gif.frames.push_back({canvas, control.delay});
            control = {};
            continue;
        }
        if (kind != 0x21) throw std::runtime_error("unknown block");
        const int label = in.byte();
        const auto data = in.blocks();
        if (label == 0xF9) {
            control.delay = data.at(1) | data.at(2) << 8;
            control.transparent = (data.at(0) & 1) != 0 ? data.at(3) : -1;
        } else if (label == 0xFF && data.size() >= 14) {
            gif.loops = data[12] | data[13] << 8;
        }
    }
    if (!in.at_end()) throw std::runtime_error("bytes after the end");
    return gif;
}

}  // namespace

std::optional<Gif> read_gif(std::span<const std::uint8_t> bytes) {
    try {
        return read(Bytes(bytes));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}
