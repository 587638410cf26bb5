#include "app/explain/head_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/document/origins.h"
#include "core/model/model.h"
#include "core/text/word_kind.h"

namespace app {
namespace {

/// A head has a role only if its share is at least this many times what chance would give,
constexpr double kClearly = 2;
/// and at least this much of the weight: a head that mostly attends elsewhere has another role.
constexpr double kMostOfIt = 0.5;

const attn::HeadQuestion* question_of(const attn::Document& doc, int head) {
    if (!doc.model || !attn::takes_model_weights(doc) || !attn::takes_model_vectors(doc)) return nullptr;
    const auto& all = doc.model->questions;
    const bool one_each = static_cast<int>(all.size()) == doc.config.heads;
    return one_each && head >= 0 && head < doc.config.heads ? &all[static_cast<std::size_t>(head)] : nullptr;
}

/// What was measured in the last layer does not apply to an earlier one.
bool has_all_layers(const attn::Document& doc) {
    const auto& settings = doc.model->settings;
    const auto layers = std::find_if(settings.begin(), settings.end(), [](const auto& one) { return one.first == "layers"; });
    return layers == settings.end() || layers->second.integer == doc.config.layers;
}

std::optional<double> measured(const attn::Model& model, std::string_view figure) {
    if (model.measured.empty()) return std::nullopt;
    const auto& figures = model.measured.front().figures;
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& one) { return one.first == figure; });
    return found == figures.end() ? std::nullopt : std::optional(found->second);
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

}  // namespace

std::string_view head_question(const attn::Document& doc, int head, Language language) {
    const attn::HeadQuestion* question = question_of(doc, head);
    if (!question) return {};
    return language == Language::Chinese ? question->text.chinese : question->text.english;
}

std::string question_sentence(const attn::Document& doc, int head, Language language, attn::CountFrom count) {
    const attn::HeadQuestion* question = question_of(doc, head);
    if (!question) return {};
    std::string out = fill_in(tr(Str::head_question_says, language),
                              {attn::number_of(head, count), head_question(doc, head, language)});
    const auto right = measured(*doc.model, "answers_" + question->id);
    const auto off = measured(*doc.model, "answers_" + question->id + "_head_off");
    if (right && off)
        out += (language == Language::Chinese ? "" : " ") +
               fill_in(tr(Str::head_answers, language), {percent(*right), percent(*off)});
    return out;
}

std::optional<double> sure_share(const attn::Document& doc, int head, std::string_view asker, float weight) {
    const attn::HeadQuestion* question = question_of(doc, head);
    const bool tested = attn::refers_back(asker) && doc.model && attn::takes_model_weights(doc) && attn::takes_model_vectors(doc) && has_all_layers(doc);
    const std::vector<attn::SureAt>* rows = question ? &question->sure : tested ? &doc.model->sure : nullptr;
    const attn::SureAt* sure = rows ? attn::sure_at(*rows, static_cast<double>(weight)) : nullptr;
    return sure ? std::optional(sure->right) : std::nullopt;
}

std::string sure_sentence(const attn::Document& doc, int head, std::string_view asker, float weight, Language language) {
    const std::optional<double> right = sure_share(doc, head, asker, weight);
    return right ? fill_in(tr(Str::head_sure, language), {percent(*right)}) : std::string();
}

Str role_keys(std::size_t role) {
    constexpr std::array<Str, attn::kHeadRoles> kOn = {Str::head_on_previous, Str::head_on_same,      Str::head_on_next,
                                                       Str::head_on_first,    Str::head_on_duplicate, Str::head_on_induction,
                                                       Str::head_on_delimiter};
    return kOn[role];
}

std::string role_sentence(const attn::HeadRoles& roles, int head, Language language, attn::CountFrom count) {
    std::size_t best = attn::kHeadRoles;
    for (std::size_t i = 0; i < attn::kHeadRoles; ++i)
        if (const double share = roles.roles[i].share; !std::isnan(share) && (best == attn::kHeadRoles || share > roles.roles[best].share)) best = i;
    if (best == attn::kHeadRoles) return {};
    const std::string number = attn::number_of(head, count);
    const attn::RoleShare& role = roles.roles[best];
    if (role.share < kMostOfIt || role.share < kClearly * role.chance) return fill_in(tr(Str::head_no_role, language), {number});
    return fill_in(tr(Str::head_role, language), {percent(role.share), number, tr(role_keys(best), language), percent(role.chance), std::to_string(role.rows)});
}

}  // namespace app
