#include "app/ui/fonts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/unicode.h"

namespace app {
namespace {

/// Decodes the code point at `at` and moves `at` past it.
char32_t next_code_point(std::string_view text, std::size_t& at) {
    const attn::CodePoint code = attn::decode_utf8(text, at);
    at += code.length;
    return code.value;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

// Glyphs that are built in from the start, so that ordinary use seldom waits for another atlas. All others are added
// when they are drawn.
constexpr std::string_view kSignGlyphs = "×·−√…°→←′ᵀ≤≥≈∞–±“”‘’‹›—•∑∂∇⊙αβγδεθλμπστφωΣ";  // every role
constexpr std::string_view kGreekGlyphs = "αβγδεζηθικλμνξοπρςστυφχψωΓΔΘΛΞΠΣΦΨΩ";
constexpr std::string_view kMathematics = "∑∏∂∇∈∉∀∃≠≡←↔⇒⟨⟩⊙⊕⊗⊤ℝℓ′⋯∗‖";
constexpr std::string_view kPunctuation = "“”‘’—•↑↓▾▸✓␣↵◌，。；：？！、（）【】《》「」";
constexpr std::string_view kLanguages = "中文";  // the languages' own names
constexpr std::string_view kLatin = "¡¿£€§©«»²³¹½¼¾ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœŒ";

/// How the fonts of the slots combine for one role: the first that has a glyph provides it.
struct Recipe {
    FontSlot first;
    FontSlot second;
    FontSlot chinese;
};

Recipe recipe_of(Type type) {
    switch (type) {
        case Type::Small:
        case Type::Body:
        case Type::Title:
        case Type::Lead:
        case Type::Medium:
        case Type::Large:
        case Type::Huge:
            return {FontSlot::Latin, FontSlot::MathUpright, FontSlot::Chinese};
        case Type::SmallStrong:
        case Type::BodyStrong:
        case Type::TitleStrong:
        case Type::MediumStrong:
        case Type::LargeStrong:
        case Type::HugeStrong:
            return {FontSlot::LatinStrong, FontSlot::MathUpright, FontSlot::ChineseStrong};
        case Type::Number:
        case Type::NumberSmall:
        case Type::NumberLarge:
            return {FontSlot::Mono, FontSlot::MathUpright, FontSlot::Chinese};
        case Type::NumberStrong:
        case Type::NumberHuge:
            return {FontSlot::MonoStrong, FontSlot::Mono, FontSlot::ChineseStrong};
        case Type::Math:
        case Type::MathSmall:
        case Type::MathLarge:
            return {FontSlot::MathItalic, FontSlot::MathUpright, FontSlot::Chinese};
        case Type::MathUpright:
        case Type::MathUprightSmall:
        case Type::MathUprightLarge:
        case Type::MathSign:
            return {FontSlot::MathUpright, FontSlot::MathItalic, FontSlot::Chinese};
    }
    return {FontSlot::Latin, FontSlot::MathUpright, FontSlot::Chinese};
}

/// The roles of prose: words shown in one of them will soon be shown in others (a token under the pointer turns strong,
/// a caption becomes a title).
constexpr std::array kProse = {Type::Small,      Type::Body,        Type::Title,       Type::SmallStrong,
                               Type::BodyStrong, Type::TitleStrong, Type::NumberStrong};

/// The role that will need the same glyphs: a token under the pointer turns strong.
Type companion(Type type) {
    if (type == Type::Body) return Type::BodyStrong;
    if (type == Type::Small) return Type::SmallStrong;
    if (type == Type::Medium) return Type::MediumStrong;
    if (type == Type::Large) return Type::LargeStrong;
    if (type == Type::Huge) return Type::HugeStrong;
    return type;
}

bool is_chinese(char32_t c) { return c >= 0x2e80 && c <= 0xffff; }

/// The Chinese characters of `text`, or all others.
std::string part_of(std::string_view text, bool chinese) {
    std::string part;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = at;
        if (is_chinese(next_code_point(text, at)) == chinese) part += text.substr(from, at - from);
    }
    return part;
}

/// The area of a glyph in the atlas, in pixels.
float glyph_area(float em) { return (em + 2.0f) * (em + 2.0f); }

// At the same em, Chinese looks a little small next to Latin letters.
constexpr float kChineseSize = 1.06f;
// Downwards, in ems: aligns the middle of the characters with that of the capitals.
constexpr float kChineseDrop = 0.02f;
constexpr float kCrispBelow = 22.0f;  // px of em; below this, double horizontal resolution helps letter spacing
// At most 4096 x 6144, 24 MB of video memory: a text of 60 000 different characters must not take all of it.
constexpr float kMostArea = 0.8f * 4096 * 6144;
// Glyphs loaded in advance leave half of it for those that will be requested.
constexpr float kMostAhead = kMostArea / 2;
// For the normal size, the projector mode, and the theme or window that they are compared with.
constexpr std::size_t kMostAtlases = 3;

}  // namespace

// ---- GlyphSet --------------------------------------------------------------------------------------------------

GlyphSet::GlyphSet(std::string_view text) {
    for (char32_t c = 0x20; c < 0x7f; ++c) add(c);
    add(U'\uFFFD');  // stands for what cannot be shown
    add(text);
}

bool GlyphSet::add(char32_t c) {
    if (c < 0x20 || c > 0xffff || bits_[c]) return false;
    bits_.set(c);
    ++count_;
    return true;
}

bool GlyphSet::add(std::string_view text) {
    bool grown = false;
    for (std::size_t at = 0; at < text.size();) grown |= add(next_code_point(text, at));
    return grown;
}

void GlyphSet::add(const GlyphSet& other) {
    bits_ |= other.bits_;
    count_ = bits_.count();
}

bool GlyphSet::holds(std::string_view text) const {
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        if (c >= 0x20 && c <= 0xffff && !bits_[c]) return false;
    }
    return true;
}

std::vector<std::uint16_t> GlyphSet::ranges() const {
    std::vector<std::uint16_t> pairs;
    for (std::uint32_t c = 0x20; c < 0x10000; ++c) {
        if (!bits_[c]) continue;
        const auto code = static_cast<std::uint16_t>(c);
        if (!pairs.empty() && pairs.back() == c - 1) {
            pairs.back() = code;
        } else {
            pairs.push_back(code);
            pairs.push_back(code);
        }
    }
    pairs.push_back(0);
    return pairs;
}

// ---- Fonts -----------------------------------------------------------------------------------------------------

Fonts::Fonts(const FontFiles& files, std::string_view labels)
    : first_text_(part_of(labels, false)), chinese_(part_of(labels, true)), shown_(with_first_glyphs({})) {
    open(files);
}

void Fonts::use(const FontFiles& files) {
    for (std::unique_ptr<FontFile>& file : files_)
        if (file) replaced_.push_back(std::move(file));
    problems_.clear();
    open(files);
    lacks_ = false;
    recent_.clear();
    shown_->pending = true;
}

void Fonts::open(const FontFiles& files) {
    for (std::size_t i = 0; i < kFontSlots; ++i) {
        const auto slot = static_cast<FontSlot>(i);
        const FontFiles::Entry& entry = files.entries[i];
        std::string reason = "not found";
        if (!entry.path.empty()) {
            attn::Result<std::unique_ptr<FontFile>> file = FontFile::open(entry.path, entry.face);
            if (file) {
                files_[i] = std::move(*file);
                continue;
            }
            reason = fmt::format("{}: {}", entry.path, file.error().message);
        }
        const std::string_view package = font_package(slot);
        problems_.push_back({slot, fmt::format("Font missing ({}). Install it with: apt install {}", reason, package)});
    }
}

Fonts::~Fonts() = default;

float Fonts::Sized::area(Type type) const {
    const auto i = static_cast<std::size_t>(type);
    return static_cast<float>(glyphs[i].size()) * glyph_area(sizes[i]);
}

float Fonts::Sized::area() const {
    float sum = 0;
    for (std::size_t i = 0; i < kTypeCount; ++i)
        if (opening || !is_of_opening(static_cast<Type>(i))) sum += area(static_cast<Type>(i));
    return sum;
}

bool Fonts::Sized::want(std::string_view text, Type type) {
    const bool grown = of(type).add(text);
    pending |= grown;
    return grown;
}

void Fonts::want_in_prose(Sized& sized, std::string_view text) {
    if (is_ascii(text)) return;
    float area = sized.area();
    for (const Type type : kProse) {
        if (area >= kMostAhead) return;
        area -= sized.area(type);
        sized.want(text, type);
        area += sized.area(type);
    }
}

void Fonts::want_in_opening(Sized& sized, std::string_view text) {
    if (text.empty()) return;
    if (!sized.opening) sized.opening = sized.pending = true;
    for (std::size_t i = 0; i < kTypeCount; ++i) {
        const auto type = static_cast<Type>(i);
        if (is_of_opening(type) && sized.area() < kMostAhead) sized.want(text, type);
    }
}

void Fonts::want_expected(Sized& sized) const {
    for (std::size_t i = 0; i < expected_.size(); ++i)
        static_cast<Words>(i) == Words::Opening ? want_in_opening(sized, expected_[i]) : want_in_prose(sized, expected_[i]);
}

std::unique_ptr<Fonts::Sized> Fonts::with_first_glyphs(const std::array<float, kTypeCount>& sizes) const {
    auto out = std::make_unique<Sized>();
    out->sizes = sizes;
    out->glyphs.fill(GlyphSet(kSignGlyphs));
    for (const Type type : {Type::Body, Type::Small})
        for (const std::string_view text : {kPunctuation, kLatin, kLanguages, std::string_view(first_text_)}) out->want(text, type);
    out->want("∑∏", Type::MathSign);
    for (const Type type : {Type::Body, Type::Math, Type::MathLarge, Type::MathUpright, Type::MathUprightLarge})
        for (const std::string_view text : {kGreekGlyphs, kMathematics}) out->want(text, type);
    if (reads_chinese_) want_in_prose(*out, chinese_);
    want_expected(*out);
    return out;
}

void Fonts::read_chinese() {
    if (reads_chinese_) return;
    reads_chinese_ = true;
    want_in_prose(*shown_, chinese_);
}

bool Fonts::need(std::string_view text, Type type) {
    if (is_of_opening(type) && !shown_->opening) {
        want_in_opening(*shown_, text);
        return true;
    }
    if (is_ascii(text) || shown_->of(type).holds(text) || shown_->area() >= kMostArea) return false;
    shown_->want(text, type);
    shown_->want(text, companion(type));
    return true;
}

void Fonts::expect(Words kind, std::string_view text) {
    constexpr std::size_t kBytes = 4096;  // the beginning of a long text, which is seen first
    if (kind != Words::Chapter) text = text.substr(0, kBytes);
    std::string& before = expected_[static_cast<std::size_t>(kind)];
    if (before == text) return;
    before = text;
    kind == Words::Opening ? want_in_opening(*shown_, before) : want_in_prose(*shown_, before);
}

bool Fonts::draws(char32_t code, Type type) const {
    const Recipe recipe = recipe_of(type);
    // A bold typeface may have fewer characters than the regular one.
    for (const FontSlot slot : {recipe.first, recipe.second, recipe.chinese, FontSlot::Chinese, FontSlot::Symbols})
        if (const FontFile* file = file_of(slot); file && file->draws(code)) return true;
    return false;
}

void Fonts::stand_for(char32_t shown, char32_t meant, Type type) {
    if (shown_->area() >= kMostArea) return;
    const auto [place, fresh] = stand_ins_.emplace(shown, StandIn{meant, frame_});
    StandIn& known = place->second;
    const bool gone = frame_ - known.requested > 1;  // the text that used it is no longer shown
    const char32_t now = gone || known.meant == meant ? meant : 0;
    if (fresh || now != known.meant) {
        shown_->pending = true;
        for (const auto& atlas : recent_) atlas->pending = true;
    }
    known = {now, frame_};
    shown_->want(attn::encode_utf8(shown), type);
}

std::size_t Fonts::glyphs() const {
    std::size_t sum = 0;
    for (const GlyphSet& set : shown_->glyphs) sum += set.size();
    return sum;
}

void Fonts::add_role(Sized& sized, Type type, const Theme& theme) {
    const Recipe recipe = recipe_of(type);
    const float em = std::max(theme.em(type), 4.0f);
    gui::FontAt& font = sized.fonts[static_cast<std::size_t>(type)];
    font = {};
    // The library sizes a font by ascent + descent, a designer by its em. All sizes here are in ems.
    const auto add = [&](FontSlot slot, float size, float drop, bool chinese) {
        const FontFile* file = file_of(slot);
        if (!file) return;
        gui::FontSource source;
        source.data = file->bytes();
        source.face = file->face();
        source.height = em * size * file->metrics().height();
        source.ranges = sized.ranges[static_cast<std::size_t>(type)].data();
        source.merge = static_cast<bool>(font);
        source.snap = chinese;
        source.oversample = chinese || em >= kCrispBelow ? 1 : 2;
        source.offset = {0.0f, drop};
        const gui::FontAt added = sized.atlas.add(source);
        if (!font) font = added;
    };
    add(recipe.first, 1.0f, 0.0f, false);
    if (!font) add(FontSlot::Latin, 1.0f, 0.0f, false);
    if (!font) add(FontSlot::Symbols, 0.95f, 0.0f, false);
    if (!font) font = sized.atlas.add_builtin(em * 1.2f);
    add(recipe.chinese, kChineseSize, std::round(em * kChineseDrop), true);
    if (recipe.chinese != FontSlot::Chinese && lacks_chinese(sized, type, recipe.chinese))
        add(FontSlot::Chinese, kChineseSize, std::round(em * kChineseDrop), true);
    add(recipe.second, 1.0f, 0.0f, false);
    add(FontSlot::Symbols, 0.95f, 0.0f, false);
}

/// Whether the typeface lacks one of the Chinese characters that the role must show.
bool Fonts::lacks_chinese(const Sized& sized, Type type, FontSlot slot) const {
    const FontFile* file = file_of(slot);
    const std::vector<std::uint16_t>& ranges = sized.ranges[static_cast<std::size_t>(type)];
    for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
        for (char32_t code = ranges[i]; code <= ranges[i + 1]; ++code)
            if (is_chinese(code) && !(file && file->draws(code))) return true;
    return false;
}

/// Draws characters that none of the role's typefaces has as their numbers; checks only what was requested, and never
/// ASCII.
void Fonts::add_boxes(Sized& sized, Type type) {
    const std::vector<std::uint16_t>& ranges = sized.ranges[static_cast<std::size_t>(type)];
    for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
        for (char32_t code = std::max<char32_t>(ranges[i], 0x80); code <= ranges[i + 1]; ++code) {
            const auto stand_in = stand_ins_.find(code);
            if (stand_in == stand_ins_.end() && (code == U'\uFFFD' || draws(code, type))) continue;
            lacks_ |= stand_in == stand_ins_.end();
            sized.atlas.add_boxed(sized.fonts[static_cast<std::size_t>(type)], code, stand_in == stand_ins_.end() ? code : stand_in->second.meant);
        }
}

void Fonts::make(Sized& sized, const Theme& theme) {
    sized.atlas.clear();
    for (std::size_t i = 0; i < kTypeCount; ++i) {
        if (is_of_opening(static_cast<Type>(i)) && !sized.opening) {
            sized.fonts[i] = {};
            continue;
        }
        sized.ranges[i] = sized.glyphs[i].ranges();
        add_role(sized, static_cast<Type>(i), theme);
        add_boxes(sized, static_cast<Type>(i));
    }
    sized.atlas_size = sized.atlas.upload();
    sized.made = true;
    sized.pending = false;
}

/// Switches to the glyphs of the theme's sizes. True if others were shown before.
bool Fonts::show(const Theme& theme) {
    if (shown_->sizes == theme.sizes) return false;
    const auto same = std::find_if(recent_.begin(), recent_.end(), [&](const auto& one) { return one->sizes == theme.sizes; });
    std::unique_ptr<Sized> next;
    if (same != recent_.end()) {
        next = std::move(*same);
        recent_.erase(same);
        if (reads_chinese_) want_in_prose(*next, chinese_);
        want_expected(*next);
    } else {
        next = with_first_glyphs(theme.sizes);
    }
    if (!shown_->made) {  // requested before there was a size
        for (std::size_t i = 0; i < kTypeCount; ++i) next->glyphs[i].add(shown_->glyphs[i]);
        next->opening |= shown_->opening;
    } else if (gui::Atlas::several()) {
        if (recent_.size() >= kMostAtlases) recent_.erase(recent_.begin());
        recent_.push_back(std::move(shown_));
    }
    shown_ = std::move(next);
    return true;
}

bool Fonts::refresh(const Theme& theme) {
    ++frame_;
    const bool other = show(theme);
    if (!shown_->pending && !other) return false;
    if (shown_->pending) make(*shown_, theme);
    shown_->atlas.show();
    return true;
}

float Fonts::width(std::string_view text, Type type) const { return gui::text_width(at(type), text); }

TextExtent Fonts::extent(std::string_view text, Type type) const {
    const gui::FontAt font = at(type);
    TextExtent extent;
    gui::GlyphBox box;
    for (std::size_t i = 0; i < text.size();) {
        box = gui::glyph_box(font, next_code_point(text, i));
        extent.width += box.advance;
        extent.ascent = std::max(extent.ascent, -box.top);
        extent.descent = std::max(extent.descent, box.bottom);
    }
    extent.overhang = std::max(0.0f, box.right - box.advance);
    return extent;
}

}  // namespace app
