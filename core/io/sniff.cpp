#include "core/io/sniff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace attn {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view magic;
    std::string_view what;  // completes "This is …"
};

// UTF-32 comes before UTF-16: its little-endian mark begins with that of UTF-16.
constexpr std::array kSignatures = {
    Signature{"\xFF\xFE\0\0"sv, "text in UTF-32: save it again as UTF-8"},
    Signature{"\0\0\xFE\xFF"sv, "text in UTF-32: save it again as UTF-8"},
    Signature{"\xFF\xFE"sv, "text in UTF-16: save it again as UTF-8"},
    Signature{"\xFE\xFF"sv, "text in UTF-16: save it again as UTF-8"},
    Signature{"version https://git-lfs.github.com/"sv,
              "a Git LFS pointer, not the file itself: run \"git lfs pull\" where it came from"},
    Signature{"PK\x03\x04"sv, "a ZIP archive: unpack it first"},
    Signature{"\x1F\x8B"sv, "a gzip file: unpack it first"},
    Signature{"\x89PNG"sv, "a PNG picture"},
    Signature{"\xFF\xD8\xFF"sv, "a JPEG picture"},
    Signature{"%PDF-"sv, "a PDF"},
    Signature{"\x80\x02"sv, "a Python pickle, which can run code and is never opened"},
    Signature{"\x80\x03"sv, "a Python pickle, which can run code and is never opened"},
    Signature{"\x80\x04"sv, "a Python pickle, which can run code and is never opened"},
    Signature{"\x80\x05"sv, "a Python pickle, which can run code and is never opened"},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

bool is_web_page(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const std::string_view text = bytes.substr(first);
    return starts_with_ignoring_case(text, "<!doctype html") || starts_with_ignoring_case(text, "<html");
}

/// torch.save() makes a ZIP archive whose first file is a pickle; its name comes after 30 bytes of ZIP header.
bool is_of_torch(std::string_view bytes) {
    constexpr std::size_t kName = 30, kLongest = 256;
    return bytes.starts_with("PK\x03\x04"sv) && bytes.size() > kName && bytes.substr(kName, kLongest).find("data.pkl") != std::string_view::npos;
}

std::string sentence(std::string_view what, std::string_view wanted) {
    return fmt::format("This is {}. What is wanted here is {}.", what, wanted);
}

}  // namespace

std::optional<std::string> recognise_other(std::string_view bytes, std::string_view wanted) {
    if (is_of_torch(bytes))
        return sentence("a PyTorch file with a Python pickle in it, which can run code and is never opened: save its tensors by safetensors or "
                        "np.savez", wanted);
    for (const Signature& known : kSignatures)
        if (bytes.starts_with(known.magic)) return sentence(known.what, wanted);
    if (is_web_page(bytes)) return sentence("a web page: the download gave a page in place of the file", wanted);
    return std::nullopt;
}

}  // namespace attn
