#include "app/timeline/labels.h"

#include "core/text/unicode.h"

namespace app {

std::string AxisLabels::spoken(attn::Axis axis, int index) const {
    constexpr std::string_view kSpace = "␣";
    std::string label = of(axis, index);
    return label.starts_with(kSpace) && label.size() > kSpace.size() ? label.substr(kSpace.size()) : label;
}

std::string AxisLabels::of(attn::Axis axis, int index) const {
    using AxisKind = attn::Axis::Kind;
    const auto at = static_cast<std::size_t>(axis.first + index);
    const auto named = [at](const std::vector<std::string>& names) {
        return at < names.size() ? names[at] : std::to_string(at + 1);
    };
    switch (axis.kind) {
        case AxisKind::Tokens:
            return named(tokens);
        case AxisKind::SourceTokens:
            return named(source_tokens);
        case AxisKind::Words:
            return named(words);
        case AxisKind::Things:
            return named(things);
        case AxisKind::Features:
            return named(features);
        case AxisKind::Distances: {
            const int distance = axis.first + index;
            return distance < 0 ? "−" + std::to_string(-distance)
                                : (distance > 0 ? "+" : "") + std::to_string(distance);
        }
        case AxisKind::Pairs:
            return of({axis.queries}, static_cast<int>(at) / axis.span) + " · " +
                   of({axis.keys}, static_cast<int>(at) % axis.span);
        case AxisKind::Units:
            break;
    }
    return std::to_string(at + 1);
}

std::string_view name_of(attn::Activation activation) {
    switch (activation) {
        case attn::Activation::Tanh:
            return "tanh";
        case attn::Activation::Sigmoid:
            return "sigmoid";
        case attn::Activation::Relu:
            return "ReLU";
        case attn::Activation::LeakyRelu:
            return "LeakyReLU";
        case attn::Activation::Gelu:
            return "GELU";
        case attn::Activation::GeluTanh:
            return "GELU (tanh)";
        case attn::Activation::GeluQuick:
            return "QuickGELU";
        case attn::Activation::Silu:
            return "SiLU";
        case attn::Activation::EluPlusOne:
            return "elu + 1";
        case attn::Activation::LogEluPlusOne:
            return "log(elu + 1)";
        case attn::Activation::TanhSlope:
            return "tanh′";
        case attn::Activation::SigmoidSlope:
            return "sigmoid′";
        case attn::Activation::ReluSlope:
            return "ReLU′";
        case attn::Activation::LeakyReluSlope:
            return "LeakyReLU′";
        case attn::Activation::GeluSlope:
            return "GELU′";
        case attn::Activation::GeluTanhSlope:
            return "GELU′ (tanh)";
        case attn::Activation::GeluQuickSlope:
            return "QuickGELU′";
        case attn::Activation::SiluSlope:
            return "SiLU′";
        case attn::Activation::EluPlusOneSlope:
            return "(elu + 1)′";
        case attn::Activation::LogEluPlusOneSlope:
            return "log(elu + 1)′";
        case attn::Activation::LogSlope:
            return "1/x";
        case attn::Activation::MinusLog:
            return "−log";
        case attn::Activation::Log:
            return "ln";
    }
    return "";
}

AxisLabels labels_of(const attn::Trace& trace, Language language) {
    AxisLabels labels;
    const auto shown = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
        for (const std::string& text : from) to.push_back(attn::visible(text));
    };
    shown(trace.tokens, labels.tokens);
    shown(trace.source_tokens, labels.source_tokens);
    shown(trace.words, labels.words);
    shown(trace.things, labels.things);
    for (const std::string& feature : trace.features)
        labels.features.push_back(attn::visible(label_of(feature, language)));
    return labels;
}

}  // namespace app
