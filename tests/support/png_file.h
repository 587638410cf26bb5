#pragma once
// What another reader sees in a PNG: pixels by libpng's own simplified reader, texts by walking over the chunks.

#include <png.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gfx/image.h"

namespace app {

struct Png {
    gfx::Image image;
    std::vector<std::pair<std::string, std::string>> text;
};

/// Keyword and text of each iTXt chunk: keyword, 0, two bytes about compression, language, 0, translation, 0, text.
inline std::vector<std::pair<std::string, std::string>> texts_of_png(std::string_view rest) {
    std::vector<std::pair<std::string, std::string>> out;
    rest.remove_prefix(8);
    while (rest.size() >= 12) {
        std::size_t size = 0;
        for (const char byte : rest.substr(0, 4)) size = size << 8 | static_cast<unsigned char>(byte);
        if (rest.substr(4, 4) == "iTXt") {
            const std::string_view data = rest.substr(8, size);
            const std::size_t keyword = data.find('\0'), language = data.find('\0', keyword + 3), translated = data.find('\0', language + 1);
            out.emplace_back(data.substr(0, keyword), data.substr(translated + 1));
        }
        rest.remove_prefix(size + 12);
    }
    return out;
}

/// The picture as 8-bit RGBA; nullopt if libpng cannot read it.
inline std::optional<Png> decode_png(std::span<const std::uint8_t> bytes) {
    png_image reader{};
    reader.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&reader, bytes.data(), bytes.size()) == 0) return std::nullopt;
    reader.format = PNG_FORMAT_RGBA;
    Png out{gfx::make_image(static_cast<int>(reader.width), static_cast<int>(reader.height)), {}};
    if (png_image_finish_read(&reader, nullptr, out.image.rgba.data(), 0, nullptr) == 0) return std::nullopt;
    out.text = texts_of_png({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return out;
}

}  // namespace app
