#include "core/model/picture/picture_input.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "core/base/limits.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr int kMostSide = 2048;

/// A JSON file, and its location for messages.
struct JsonFile {
    const JsonValue& root;
    const std::string& where;

    const JsonValue* member(std::string_view key) const {
        const JsonValue* value = root.find(key);
        return value && value->kind != JsonKind::Null ? value : nullptr;
    }
    Error wrong(std::string_view key, std::string message) const {
        const JsonValue* value = root.find(key);
        return {std::move(message), where, std::string(key), value ? value->line : root.line};
    }
};

std::optional<int> side_of(const JsonValue* value) {
    if (!value || !value->is_integer || value->integer < 1 || value->integer > kMostSide) return std::nullopt;
    return static_cast<int>(value->integer);
}

struct Sides {
    int height = 0, width = 0;
};
/// 224, [224, 224] or {"height": 224, "width": 224}.
std::optional<Sides> sides_of(const JsonValue& value) {
    std::optional<int> height, width;
    if (value.kind == JsonKind::Array && value.items.size() == 2)
        height = side_of(value.items.data()), width = side_of(&value.items[1]);
    else if (value.kind == JsonKind::Object)
        height = side_of(value.find("height")), width = side_of(value.find("width"));
    else
        height = width = side_of(&value);
    if (!height || !width) return std::nullopt;
    return Sides{*height, *width};
}

/// Three numbers, one per channel.
Result<Done> read_channels(const JsonFile& of, std::string_view key, bool positive, std::array<float, 3>& into) {
    const JsonValue* value = of.member(key);
    if (!value) return Done{};
    bool sound = value->kind == JsonKind::Array && value->items.size() == 3;
    for (std::size_t i = 0; sound && i < 3; ++i) {
        const JsonValue& one = value->items[i];
        sound = one.kind == JsonKind::Number && std::isfinite(one.number32) && (!positive || one.number32 > 0);
        into[i] = one.number32;
    }
    if (!sound) return of.wrong(key, fmt::format("three numbers{} are expected: of red, green and blue", positive ? " above 0" : ""));
    return Done{};
}

/// A switch that must have this value.
Result<Done> demand(const JsonFile& of, std::string_view key, bool wanted, std::string_view why) {
    const JsonValue* value = of.member(key);
    if (!value) return Done{};
    if (value->kind == JsonKind::Boolean && value->boolean == wanted) return Done{};
    return of.wrong(key, fmt::format("{}; {} is what is computed here", why, wanted));
}

/// The size that a picture is resized to, whether its middle is then cut out, and the resizing method.
Result<Done> read_resizing(const JsonFile& of, PictureInput& input) {
    const JsonValue *way = of.member("resample"), *cut = of.member("do_center_crop");
    if (way && !(way->is_integer && (way->integer == 2 || way->integer == 3)))
        return of.wrong("resample", "this way to resize is not computed here; 2 (bilinear) and 3 (bicubic) are");
    if (way && way->integer == 3) input.resize = Resize::Bicubic;
    const bool cuts = cut && cut->kind == JsonKind::Boolean && cut->boolean;
    const auto needs_positions = [&](std::string_view key, Sides sides) {
        return of.wrong(key, fmt::format("{} × {} pixels would need positions interpolated between those of {} × {}, which is not "
                                         "computed here; {} × {} is", sides.height, sides.width, input.height, input.width,
                                         input.height, input.width));
    };
    const Sides taken{input.height, input.width};
    std::optional<Sides> whole = taken, middle = taken;
    if (const JsonValue* size = of.member("size"))
        if (whole = sides_of(*size); !whole) return of.wrong("size", "a height and a width are expected; a shortest edge alone is not read");
    if (const JsonValue* size = of.member("crop_size"); size && cuts)
        if (middle = sides_of(*size); !middle) return of.wrong("crop_size", "a height and a width are expected");
    const auto differs = [&](Sides sides) { return sides.height != taken.height || sides.width != taken.width; };
    if (differs(*middle)) return needs_positions("crop_size", *middle);
    if (!differs(*whole)) return Done{};
    if (!cuts) return needs_positions("size", *whole);
    if (whole->height < taken.height || whole->width < taken.width)
        return of.wrong("size", fmt::format("{} × {} pixels are fewer than the {} × {} that are cut out of them", whole->height, whole->width,
                                            taken.height, taken.width));
    input.whole_height = whole->height;
    input.whole_width = whole->width;
    return Done{};
}

}  // namespace

std::vector<std::string> picture_tokens(const PictureInput& input) {
    std::vector<std::string> out = {std::string(kClassToken)};
    if (input.before > 1) out.emplace_back(kDistillationToken);
    for (int r = 1; r <= input.rows(); ++r)
        for (int c = 1; c <= input.columns(); ++c) out.push_back(fmt::format("{},{}", r, c));
    return out;
}

Matrix patch_numbers(const Picture& picture, const PictureInput& input) {
    const bool cut = input.whole_width > 0;
    const Picture whole = resized(picture, cut ? input.whole_width : input.width, cut ? input.whole_height : input.height, input.resize);
    const Picture fitted = cut ? middle_of(whole, input.width, input.height) : whole;
    Matrix out(input.patches(), input.numbers());
    for (int y = 0; y < input.height; ++y)
        for (int x = 0; x < input.width; ++x)
            for (int channel = 0; channel < 3; ++channel) {
                const auto i = static_cast<std::size_t>(channel);
                const auto [row, col] = input.place_of(x, y, channel);
                out(row, col) = (static_cast<float>(fitted.at(x, y, channel)) * input.factor - input.mean[i]) / input.spread[i];
            }
    return out;
}

Result<PictureInput> read_picture_size(const JsonValue& config, int before, const std::string& where) {
    const JsonFile of{config, where};
    constexpr std::string_view kSize = "image_size", kPatch = "patch_size", kChannels = "num_channels";
    PictureInput out;
    const JsonValue *size = of.member(kSize), *patch = of.member(kPatch), *channels = of.member(kChannels);
    if (!size) return of.wrong(kSize, "it is missing");
    if (!patch) return of.wrong(kPatch, "it is missing");
    const auto sides = sides_of(*size), patches = sides_of(*patch);
    if (!sides) return of.wrong(kSize, fmt::format("a whole number from 1 to {}, or two, are expected", kMostSide));
    if (!patches || patches->height != patches->width)
        return of.wrong(kPatch, fmt::format("a whole number from 1 to {} is expected; patches have equal sides here", kMostSide));
    if (channels && !(channels->is_integer && channels->integer == 3))
        return of.wrong(kChannels, "pictures have three channels here: red, green and blue; 3 is read");
    out.width = sides->width;
    out.height = sides->height;
    out.patch = patches->height;
    out.before = before;
    if (out.width % out.patch != 0 || out.height % out.patch != 0)
        return of.wrong(kPatch, fmt::format("patches of {0} × {0} do not cut {1} × {2} pixels into equal parts", out.patch, out.height, out.width));
    if (static_cast<std::size_t>(out.patches() + before) > kMaxTokens || out.numbers() > kMaxWidth)
        return of.wrong(kPatch, fmt::format("{} patches of {} numbers are more than the {} tokens of {} that are read", out.patches(),
                                            out.numbers(), kMaxTokens - static_cast<std::size_t>(before), kMaxWidth));
    return out;
}

Result<Done> read_preprocessor(const JsonValue& root, const std::string& where, PictureInput& input) {
    const JsonFile of{root, where};
    if (root.kind != JsonKind::Object) return Error{fmt::format("an object is expected, not {}", kind_name(root.kind)), where, "", root.line};
    for (const auto& [key, wanted, why] : {std::tuple{"do_resize", true, "a picture is always resized to what the model takes"},
                                           std::tuple{"do_rescale", true, "bytes are always brought to 0 … 1 first"}})
        if (auto sound = demand(of, key, wanted, why); !sound) return sound;
    if (auto done = read_resizing(of, input); !done) return done;
    if (const JsonValue* factor = of.member("rescale_factor")) {
        if (factor->kind != JsonKind::Number || !(factor->number32 > 0) || !std::isfinite(factor->number32))
            return of.wrong("rescale_factor", "a number above 0 is expected");
        input.factor = factor->number32;
    }
    const JsonValue* normal = of.member("do_normalize");
    if (normal && normal->kind == JsonKind::Boolean && !normal->boolean) {
        input.mean = {0, 0, 0};
        input.spread = {1, 1, 1};
        return Done{};
    }
    if (auto done = read_channels(of, "image_mean", false, input.mean); !done) return done;
    return read_channels(of, "image_std", true, input.spread);
}

}  // namespace attn
