#include "app/state/reasons.h"

namespace app {
namespace {

/// A problem is recognized by words in its message.
struct Reason {
    std::string_view words;
    Str text;
};
constexpr Reason kReasons[] = {
    {"only an inner product notices", Str::why_inner_product},
    {"compares places of one sequence", Str::why_one_sequence},
    {"is defined for the scores dot", Str::why_dot_scores},
    {"for its slopes", Str::why_power_of_two},
    {"rotates pairs of features", Str::why_pairs},
    {"draws from weights that sum to 1", Str::why_shares_of_one},
    {"no model is named", Str::why_no_model},
    {"the model \"", Str::why_model},
    {"cannot be trained here", Str::why_training},
    {"do not divide", Str::why_divide},
    {"into equal groups", Str::why_divide},
    {"there is no head", Str::why_heads_off},
    {"it is read only by", Str::why_unread},
    {"for every step, more than", Str::why_memory},
    {"for what is held of each layer, more than", Str::why_memory},
    {"but must be", Str::why_given},
    {"it must be", Str::why_given},
    {"must be given, too", Str::why_given},
    {"it has ", Str::why_given},
    {"is not possible; take", Str::why_range},
    {"the form \"", Str::why_variant},
};

}  // namespace

std::string reason_text(const attn::Error& problem, Language language) {
    for (const Reason& reason : kReasons)
        if (problem.message.find(reason.words) != std::string::npos) return std::string(tr(reason.text, language));
    return language == Language::English ? problem.message : std::string(tr(Str::why_not_here, language));
}

}  // namespace app
