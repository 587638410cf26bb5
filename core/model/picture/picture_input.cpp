#include "core/model/picture/picture_input.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The size before the middle is cut out, which must be in it.
Result<Done> resized_before(const JsonFile& of, PictureInput& input, Sides whole) {
    const auto fewer = [&](std::string what) {
        return of.wrong("size", fmt::format("{} pixels are fewer than the {} × {} that are cut out of them", what, input.height, input.width));
    };
    if (input.shorter > 0) return input.shorter < std::max(input.height, input.width) ? Result<Done>(fewer(fmt::format("{} × {}", input.shorter, input.shorter))) : Done{};
    if (whole.height < input.height || whole.width < input.width) return fewer(fmt::format("{} × {}", whole.height, whole.width));
    if (whole.height == input.height && whole.width == input.width) return Done{};
    input.whole_height = whole.height;
    input.whole_width = whole.width;
    return Done{};
}

/// The size that a picture is resized to, whether its middle is then cut out, and the resizing method.
Result<Done> read_resizing(const JsonFile& of, const PictureKind& kind, PictureInput& input) {
    const JsonValue *way = of.member("resample"), *cut = of.member("do_center_crop");
    if (way && !(way->is_integer && (way->integer == 2 || way->integer == 3)))
        return of.wrong("resample", "this way to resize is not computed here; 2 (bilinear) and 3 (bicubic) are");
    if (way && way->integer == 3) input.resize = Resize::Bicubic;
    const auto shortest_of = [&](const JsonValue& size) -> const JsonValue* {
        return size.kind == JsonKind::Object ? size.find("shortest_edge") : kind.shortest_edge && size.is_integer ? &size : nullptr;
    };
    const bool cuts = cut && cut->kind == JsonKind::Boolean && cut->boolean;
    const auto needs_positions = [&](std::string_view key, Sides sides) {
        return of.wrong(key, fmt::format("{} × {} pixels would need positions interpolated between those of {} × {}, which is not "
                                         "computed here; {} × {} is", sides.height, sides.width, input.height, input.width,
                                         input.height, input.width));
    };
    const Sides taken{input.height, input.width};
    std::optional<Sides> whole = taken, middle = taken;
    if (const JsonValue* size = of.member("size")) {
        if (const JsonValue* shortest = shortest_of(*size)) {
            const auto side = side_of(shortest);
            if (!side) return of.wrong("size", fmt::format("the shorter side is a whole number from 1 to {}", kMostSide));
            if (!cuts) return of.wrong("size", "a shortest edge gives pictures of many shapes; it is read where the middle is cut out of them (do_center_crop)");
            input.shorter = *side;
        } else if (whole = sides_of(*size); !whole) {
            return of.wrong("size", "a height and a width, or a shortest edge, are expected");
        }
    }
    if (const JsonValue* size = of.member("crop_size"); size && cuts)
        if (middle = sides_of(*size); !middle) return of.wrong("crop_size", "a height and a width are expected");
    const auto differs = [&](Sides sides) { return sides.height != taken.height || sides.width != taken.width; };
    if (const Sides last = cuts ? *middle : *whole; kind.interpolated && differs(last)) {
        if (last.height % input.patch != 0 || last.width % input.patch != 0)
            return of.wrong(cuts ? "crop_size" : "size", fmt::format("patches of {0} × {0} do not cut {1} × {2} pixels into equal parts", input.patch, last.height, last.width));
        input.height = last.height;
        input.width = last.width;
        if (static_cast<std::size_t>(input.patches() + input.before) > kMaxTokens)
            return of.wrong(cuts ? "crop_size" : "size", fmt::format("{} patches are more than the {} tokens that are read", input.patches(), kMaxTokens));
        return resized_before(of, input, input.shorter > 0 || !cuts ? last : *whole);
    }
    if (differs(*middle)) return needs_positions("crop_size", *middle);
    if (input.shorter > 0) return resized_before(of, input, taken);
    if (!differs(*whole)) return Done{};
    if (!cuts) return needs_positions("size", *whole);
    return resized_before(of, input, *whole);
}

}  // namespace

std::vector<std::string> picture_tokens(const PictureInput& input) {
    std::vector<std::string> out;
    if (input.class_token) out.emplace_back(kClassToken);
    for (int i = 1; i <= input.registers; ++i) out.push_back(fmt::format("[REG{}]", i));
    if (static_cast<int>(out.size()) < input.before) out.emplace_back(kDistillationToken);
    for (int r = 1; r <= input.rows(); ++r)
        for (int c = 1; c <= input.columns(); ++c) out.push_back(fmt::format("{},{}", r, c));
    return out;
}

namespace {

/// Width and height before the middle is cut out.
std::pair<int, int> whole_size(const Picture& picture, const PictureInput& input) {
    if (input.shorter == 0) return input.whole_width > 0 ? std::pair(input.whole_width, input.whole_height) : std::pair(input.width, input.height);
    const std::int64_t near = std::min(picture.width, picture.height), far = std::max(picture.width, picture.height);
    // A picture hundreds of times as long as it is wide would need more memory than there is.
    const std::int64_t longer = std::min(input.shorter * far / near, kMostPicturePixels / input.shorter);
    const int wide = static_cast<int>(longer);
    return picture.width <= picture.height ? std::pair(input.shorter, wide) : std::pair(wide, input.shorter);
}

/// Keys' kernel [Keys 1981].
double cubic(double x, double a) {
    x = std::abs(x);
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Shares of `from` equidistant numbers in each of `count`, as PyTorch's interpolate(mode="bicubic") makes them: with or
/// without antialias, which have different kernels.
Eigen::MatrixXd bicubic_shares(int from, int count, bool averaged) {
    constexpr double kSharp = -0.75, kAsPillow = -0.5;
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(count, from);
    const double ratio = static_cast<double>(from) / count, reach = std::max(ratio, 1.0);
    for (int i = 0; i < count; ++i) {
        const double center = (i + 0.5) * ratio;
        if (averaged) {
            const int first = std::max(0, static_cast<int>(center - 2 * reach + 0.5)), past = std::min(from, static_cast<int>(center + 2 * reach + 0.5));
            for (int k = first; k < past; ++k) out(i, k) = cubic((k + 0.5 - center) / reach, kAsPillow);
            out.row(i) /= out.row(i).sum();
            continue;
        }
        const int left = static_cast<int>(std::floor(center - 0.5));
        for (int k = left - 1; k <= left + 2; ++k) out(i, std::clamp(k, 0, from - 1)) += cubic(k + 0.5 - center, kSharp);
    }
    return out;
}

}  // namespace

Matrix position_shares(const PictureInput& input) {
    const int own = input.before - input.registers;  // tokens before the grid that have stored positions
    Matrix out = Matrix::Zero(input.before + input.patches(), own + input.stored_columns * input.stored_rows);
    for (int i = 0; i < own; ++i) out(i, i) = 1;
    const Eigen::MatrixXd down = bicubic_shares(input.stored_rows, input.rows(), input.averaged), across = bicubic_shares(input.stored_columns, input.columns(), input.averaged);
    for (int r = 0; r < input.rows(); ++r)
        for (int c = 0; c < input.columns(); ++c)
            for (int y = 0; y < input.stored_rows; ++y)
                for (int x = 0; x < input.stored_columns; ++x)
                    out(input.before + r * input.columns() + c, own + y * input.stored_columns + x) = static_cast<float>(down(r, y) * across(c, x));
    return out;
}

Matrix patch_numbers(const Picture& picture, const PictureInput& input) {
    const bool cut = input.whole_width > 0 || input.shorter > 0;
    const auto [width, height] = whole_size(picture, input);
    const Picture whole = resized(picture, width, height, input.resize);
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

Result<PictureInput> read_picture_size(const JsonValue& config, const PictureKind& kind, const std::string& where) {
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
    out.before = kind.before + kind.registers;
    out.class_token = kind.before > 0;
    out.registers = kind.registers;
    out.averaged = kind.averaged;
    if (kind.interpolated) out.stored_columns = out.columns(), out.stored_rows = out.rows();
    if (out.width % out.patch != 0 || out.height % out.patch != 0)
        return of.wrong(kPatch, fmt::format("patches of {0} × {0} do not cut {1} × {2} pixels into equal parts", out.patch, out.height, out.width));
    if (static_cast<std::size_t>(out.patches() + out.before) > kMaxTokens || out.numbers() > kMaxWidth)
        return of.wrong(kPatch, fmt::format("{} patches of {} numbers are more than the {} tokens of {} that are read", out.patches(),
                                            out.numbers(), kMaxTokens - static_cast<std::size_t>(out.before), kMaxWidth));
    return out;
}

Result<Done> read_preprocessor(const JsonValue& root, const PictureKind& kind, const std::string& where, PictureInput& input) {
    const JsonFile of{root, where};
    if (root.kind != JsonKind::Object) return Error{fmt::format("an object is expected, not {}", kind_name(root.kind)), where, "", root.line};
    for (const auto& [key, wanted, why] : {std::tuple{"do_resize", true, "a picture is always resized to what the model takes"},
                                           std::tuple{"do_rescale", true, "bytes are always brought to 0 … 1 first"}})
        if (auto sound = demand(of, key, wanted, why); !sound) return sound;
    if (auto done = read_resizing(of, kind, input); !done) return done;
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
