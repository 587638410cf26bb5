#include "app/ui/formula.h"

#include <algorithm>

#include "app/ui/fonts.h"

namespace app {

FormulaStyle formula_style(const Theme& theme, FormulaSize size) {
    const FormulaStyle::Level large{Type::MathLarge, Type::MathUprightLarge, Type::Title, Type::MathSign,
                                    theme.em(Type::MathLarge)};
    const FormulaStyle::Level normal{Type::Math, Type::MathUpright, Type::Body, Type::MathUprightLarge,
                                     theme.em(Type::Math)};
    const FormulaStyle::Level small{Type::MathSmall, Type::MathUprightSmall, Type::Small, Type::MathUpright,
                                    theme.em(Type::MathSmall)};
    constexpr float kRule = 0.052f;  // in ems: the thickness of the letters' thin strokes
    switch (size) {
        case FormulaSize::Large:
            return {{large, normal, small}, std::max(1.0f, kRule * large.em)};
        case FormulaSize::Normal:
            return {{normal, small, small}, std::max(1.0f, kRule * normal.em)};
        case FormulaSize::Small:
            return {{small, small, small}, std::max(1.0f, kRule * small.em)};
    }
    return {};
}

MeasureText measure_with(const Fonts& fonts) {
    return [&fonts](std::string_view text, Type type) { return fonts.extent(text, type); };
}

const FormulaLayout::Part* FormulaLayout::part_at(Point point) const {
    const Part* innermost = nullptr;
    for (const Part& part : parts) {  // inner parts come after outer ones
        if (part.rect.contains(point)) innermost = &part;
    }
    return innermost;
}

const FormulaLayout::Part* FormulaLayout::find(std::string_view name) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [name](const Part& part) { return part.name == name; });
    return found == parts.end() ? nullptr : &*found;
}

bool FormulaLayout::inside(int part, std::string_view name) const {
    while (part != kNoPart) {
        const Part& here = parts[static_cast<std::size_t>(part)];
        if (here.name == name) return true;
        part = here.parent;
    }
    return false;
}

}  // namespace app
