#include "app/chapters/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/checker.h"
#include "app/chapters/do.h"
#include "app/chapters/format/target.h"
#include "app/chapters/rules.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/page.h"
#include "app/screens/training/training.h"
#include "core/document/fields.h"
#include "core/io/json.h"
#include "core/tokenizers/character_rules.h"
#include "core/text/unicode.h"

namespace app {
namespace {

constexpr Language kLanguages[] = {Language::English, Language::Chinese};
/// A chapter with at most this many pages needs no closing questions.
constexpr int kFewestPages = 3, kWithoutClosing = 3, kClosing = 3;
constexpr std::string_view kPanels[] = {"steps", "settings", "inspector", "timeline", "formula", "tokens"};
constexpr std::string_view kFresh[] = {"row", "vectors", "weights", "draws", "scene", "text"};
constexpr std::string_view kParts[] = {"vectors", "states", "norm",     "projections",  "scores",  "scale",
                                       "bias",    "scope",  "mask",     "select",       "softmax", "draw",
                                       "mix",     "output", "residual", "feed_forward", "predict"};

template <class List>
bool has(const List& list, std::string_view one) {
    return std::find(std::begin(list), std::end(list), one) != std::end(list);
}

/// Words in English, characters in Chinese.
int length_of(const Prose& prose, Language language) {
    const std::string text = words_of(prose);
    if (language == Language::English) {
        int words = 0;
        bool inside = false;
        for (const char c : text) {
            if (c != ' ' && !inside) ++words;
            inside = c != ' ';
        }
        return words;
    }
    return static_cast<int>(std::ranges::count_if(attn::to_code_points(text), attn::tokenizing::is_han));
}

/// Whether a trained model knows no token of the page's text.
bool knows_no_token(const attn::Document& document, const attn::Run& run) {
    const auto& sources = run.inputs.x_sources;
    return document.model && !sources.empty() && std::ranges::all_of(sources, [](attn::Source one) { return one == attn::Source::Unknown; });
}

/// What a learner reads per minute when studying slowly, with the picture; and the minutes for a task and a question.
constexpr double kWordsAMinute = 140, kCharactersAMinute = 260, kTaskMinutes = 1, kAskMinutes = 1.5;
/// The allowed deviation of a chapter's stated minutes from the measured ones.
constexpr double kMinutesShare = 0.15;

/// A lesson must be shorter than its time by at most this share: a class asks questions, too.
constexpr double kRouteShare = 0.2;

/// How much there is to read in each language, and how many minutes the tasks and questions take.
struct Measured {
    double words[kLanguageCount] = {}, doing = 0;

    void add(const ChapterPage& page) {
        doing += (page.task ? kTaskMinutes : 0) + (page.ask ? kAskMinutes : 0);
        for (const Language language : kLanguages) {
            double& sum = words[static_cast<std::size_t>(language)];
            const auto read = [&](const LocalProse& text) { sum += length_of(in(text, language), language); };
            read(page.say);
            if (page.task) read(page.task->say);
            if (!page.ask) continue;
            read(page.ask->say);
            read(page.ask->because);
            for (const AskOption& option : page.ask->options) read(option.say);
        }
    }
    double minutes() const { return std::max(words[0] / kWordsAMinute, words[1] / kCharactersAMinute) + doing; }
};

}  // namespace

double measured_minutes(const Chapter& chapter) {
    Measured measured;
    for (const ChapterPage& page : chapter.pages) measured.add(page);
    return measured.minutes();
}

double measured_minutes(const ChapterPage& page) {
    Measured measured;
    measured.add(page);
    return measured.minutes();
}

double measured_minutes(const CourseRoute& route, const ChapterLibrary& library) {
    Measured measured;
    for (const std::string& name : route.pages)
        if (const ChapterPage* page = library.page(name)) measured.add(*page);
    return measured.minutes();
}

std::vector<ChapterProblem> check_routes(const ChapterLibrary& library) {
    std::vector<ChapterProblem> out;
    for (const CourseRoute& route : library.routes) {
        const auto say = [&](std::string key, std::string message) {
            out.push_back({std::move(message), std::string(kRoutesFile), std::move(key), route.place.line, route.place.column});
        };
        for (const std::string& name : route.pages)
            if (!library.page(name))
                say("pages", fmt::format("there is no page “{}”; `attenscope chapter list` has all: chapter/page", name));
        const double minutes = measured_minutes(route, library);
        if (minutes > route.minutes || minutes < (1 - kRouteShare) * route.minutes)
            say("minutes", fmt::format("its pages take about {:.0f} minutes, not {}; take some out or put some in", minutes, route.minutes));
    }
    return out;
}

void ChapterChecker::house_rules() {
    const auto closing =
        std::count_if(chapter_.pages.begin(), chapter_.pages.end(), [](const auto& p) { return p.closing; });
    const auto pages = static_cast<std::ptrdiff_t>(chapter_.pages.size()) - closing;
    if (pages < kFewestPages)
        say({}, "page", fmt::format("a chapter has at least {} pages, not {}", kFewestPages, pages));
    if (closing != kClosing && !(closing == 0 && pages <= kWithoutClosing))
        say({}, "closing", fmt::format("a chapter ends with {} questions, not {}", kClosing, closing));
    if (chapter_.pages.front().sentence < 0)
        say(chapter_.pages.front().place, "page.sentence",
            fmt::format("the first page shows how far the course's sentence has come: 0 to {} of its parts", kSentenceParts));
    if (const double minutes = measured_minutes(chapter_); std::abs(chapter_.minutes - minutes) > std::max(1.0, kMinutesShare * minutes))
        say({}, "minutes", fmt::format("its words, tasks and questions take about {:.0f} minutes, not {}", minutes, chapter_.minutes));
    if (chapter_.summary[0].empty()) say({}, "summary", "this key is missing: { en = \"…\", zh = \"…\" }");
    if (std::none_of(chapter_.sources.begin(), chapter_.sources.end(),
                     [](const auto& s) { return !s.read[0].empty(); }))
        say({}, "source", "nothing to read is named: a source with read = { en, zh }");
}

void ChapterChecker::check() {
    for (const ChapterPage& page : chapter_.pages) {
        page_ = &page;
        names(page);
        for (std::vector<std::string>& tokens : tokens_) tokens.clear();
        for (const Language language : kLanguages) on_document(page, language);
        if (rules_ == ChapterRules::House)
            if (const auto broken = number_of_another_token(page, tokens_, library_.pairs)) page_says({}, broken->key, broken->message);
    }
    for (const Language language : kLanguages) {
        const Guesses& all = guesses_[static_cast<std::size_t>(language)];
        if (all.same > most_same(all.questions))
            say(all.place, "ask",
                fmt::format("“{}” is the answer to {} of {} questions whether something rises or falls; one in "
                            "three at most ({})",
                            tr(Str::ask_stays, language), all.same, all.questions, language_id(language)));
    }
}

void ChapterChecker::say(ChapterPlace place, std::string key, std::string message) {
    ChapterProblem problem{std::move(message), chapter_.file, std::move(key), place.line, place.column};
    const auto same = [&](const ChapterProblem& p) { return p.text() == problem.text(); };
    if (std::none_of(problems_.begin(), problems_.end(), same)) problems_.push_back(std::move(problem));
}

void ChapterChecker::page_says(ChapterPlace place, std::string_view key, std::string message) {
    say(place.line > 0 ? place : page_->place, page_->id + (key.empty() ? "" : ".") + std::string(key),
        std::move(message));
}

void ChapterChecker::names(const ChapterPage& page) {
    ViewState view;
    if (!page.enter.screen.empty() && !use_screen(view, page.enter.screen))
        page_says({}, "screen", fmt::format("there is no screen “{}”", page.enter.screen));
    for (const std::string& panel : page.hide)
        if (!has(kPanels, panel))
            page_says({}, "hide",
                      fmt::format("there is no panel “{}”; there are {}", panel, fmt::join(kPanels, ", ")));
    for (const std::string& field : page.lock)
        if (field != "*" && !attn::find_field(field))
            page_says({}, "lock", fmt::format("the document has no field “{}”", field));
    for (const std::string& chosen : page.enter.view) {
        if (chosen.empty()) continue;
        const auto part = part_from_json(chosen, kOnPage, "view");
        if (!part)
            page_says({}, "view", part.error().message);
        else
            for (const attn::Error& problem : part->problems)
                page_says({}, "view", problem.key + ": " + problem.message);
        own_view(chosen);
        if (part && part->part.has("trained")) own_training(part->part.values.part<TrainingLook>());
    }
    if (page.ask) ask_names(*page.ask);
}

void ChapterChecker::own_view(const std::string& chosen) {
    const auto view = attn::parse_json(chosen);
    if (!view) return;
    for (const attn::JsonMember& member : view->members)
        if (!has(page_view_keys(), member.key))
            page_says({}, "view",
                      fmt::format("“{}” would stay when the page is left; a page's own are {}", member.key,
                                  fmt::join(page_view_keys(), ", ")));
}

void ChapterChecker::own_training(const TrainingLook& look) {
    if (!attn::train::find_task(look.task))
        page_says({}, "view", fmt::format("trained: there is no task “{}”; `attenscope list tasks` names them", look.task));
    if (!look.beside.empty() && attn::train::find_task(look.task) && !beside_of(look))
        page_says({}, "view", fmt::format("trained: the task “{}” has no variation “{}”; `attenscope train --help` names them", look.task, look.beside));
    if (look.until > kMostPageSteps)
        page_says({}, "view", fmt::format("trained: a page takes at most {} steps, not {}", kMostPageSteps, look.until));
}

void ChapterChecker::ask_names(const ChapterAsk& ask) {
    const QuestionKind* kind = find_question_kind(ask.kind);
    if (!kind) {
        std::string all;
        for (const QuestionKind& one : question_kinds()) all += (all.empty() ? "" : ", ") + std::string(one.id);
        return page_says(ask.place, "ask.kind", fmt::format("there is no kind “{}”; there are {}", ask.kind, all));
    }
    const auto need = [&](std::string_view key, bool there) {
        if (!there &&
            (" " + std::string(kind->needs) + " ").find(" " + std::string(key) + " ") != std::string::npos)
            page_says(ask.place, "ask",
                      fmt::format("{} needs “{}”", ask.kind,
                                  key == "options" && ask.kind == "which_change" ? "changes" : key));
    };
    need("step", !ask.step.empty());
    need("of", !ask.of.empty());
    need("choices", ask.choices.size() >= 2);
    need("options", ask.options.size() >= 2);
    need("change", !ask.change.empty());
    need("until", !ask.until.empty());
    need("because", !ask.because[0].empty());
    for (const std::string& fresh : ask.fresh)
        if (!has(kFresh, fresh))
            page_says(ask.place, "ask.fresh", fmt::format("“{}” is not one of {}", fresh, fmt::join(kFresh, ", ")));
    if (has(ask.fresh, "text") && (ask.texts[0].empty() || ask.texts[1].empty()))
        page_says(ask.place, "ask.texts",
                  "fresh texts are needed in both languages: { en = [\"…\"], zh = [\"…\"] }");
    for (const std::string& mask : ask.choices) {
        const auto& masks = attn::find_field("mask")->choices();
        if (!has(masks, mask)) page_says(ask.place, "ask.choices", fmt::format("there is no mask “{}”", mask));
    }
}

void ChapterChecker::on_document(const ChapterPage& page, Language language) {
    language_ = language;
    attn::Document document;
    std::string problem;
    set_fields(document, chapter_.start, language, &problem);
    set_fields(document, page.enter.set, language, &problem);
    if (!problem.empty()) return page_says({}, "set", problem);
    document = page_document(chapter_, page, language);
    if (const auto problems = attn::problems(document); !problems.empty())
        return page_says({}, "set", problems.front().key + ": " + problems.front().message);
    const auto run = attn::run(document);
    if (!run) return page_says({}, "set", run.error().message);
    if (knows_no_token(document, *run))
        page_says({}, "set", fmt::format("the model “{}” knows none of the tokens of “{}”: every number would be that of an unknown one. "
                                         "The page may inherit a tokenizer that is not the model's, or it needs a text of its own ({})",
                                         document.model->name, document.text, language_id(language)));
    const ViewPart own = part_of_page(page.enter, language);
    ChapterContext context = page_context(document, *run, document, language, own.values.part<ExperimentsLook>().paths.dials);
    if (own.has("convention")) context.convention = own.values.convention;
    if (own.has("trained")) context.trained = trained(own.values.part<TrainingLook>());
    for (std::size_t i = 1;; ++i) {
        const auto token = evaluate(fmt::format("token({})", i), context);
        if (!token || token->kind != ChapterValue::Kind::Text) break;
        tokens_[static_cast<std::size_t>(language)].push_back(token->text);
    }
    view_of(page, context);
    prose(in(page.say, language), context, language_id(language));
    prose(in(page.notes, language), context, "notes");
    if (page.task) task(*page.task, context);
    if (page.ask) question(*page.ask, context);
    std::optional<PageQuestion> question;
    if (page.ask && find_question_kind(page.ask->kind)) question = make_question(*page.ask, context, 1);
    for (const RuleBroken& broken : broken_rules(page, context, question ? &*question : nullptr))
        page_says(broken.key == "ask" ? page.ask->place : ChapterPlace{}, broken.key,
                  fmt::format("{} ({})", broken.message, language_id(language)));
    if (rules_ != ChapterRules::House) return;
    if (const auto broken = unlisted_translation(page, context, library_.pairs)) page_says({}, broken->key, broken->message);
    for (const RuleBroken& broken : broken_words(page, context, library_)) page_says({}, broken.key, broken.message);
    // Pages that continue the same example need not repeat what the first of them states.
    bool says_so = false;
    const std::pair example(language, document.config.form);
    if (is_untrained(chapter_, page, context, says_so) && !says_so && !said_untrained_.contains(example))
        page_says({}, language_id(language), fmt::format("its numbers are not trained, and no sentence says so ({})", language_id(language)));
    if (says_so) said_untrained_.insert(example);
}

void ChapterChecker::need_step(std::string_view key, const std::string& name, const ChapterContext& context, ChapterPlace place) {
    if (name.empty()) return;
    if (!is_step_name(name))
        return page_says(place, key, fmt::format("“{}” is no step's name; `attenscope trace` lists them", name));
    if (step_in(context, name) == attn::kNoStep)
        page_says(place, key, fmt::format("the page's document has no step “{}”", name));
}

void ChapterChecker::need_cell(std::string_view key, const CellSpot& spot, const std::string& step, const ChapterContext& context) {
    const std::string& name = spot.step.empty() ? step : spot.step;
    if (name.empty()) return page_says(spot.place, key, "a step is missing");
    need_step(key, name, context, spot.place);
    const attn::StepId id = step_in(context, name);
    if (id == attn::kNoStep) return;
    const attn::Matrix& m = context.trace[id].value;
    need_index(key, spot.row, static_cast<int>(m.rows()), context, spot.place);
    need_index(key, spot.column, static_cast<int>(m.cols()), context, spot.place);
}

void ChapterChecker::need_index(std::string_view key, const std::string& expression, int count, const ChapterContext& context,
                         ChapterPlace place) {
    if (!index_of(expression, context, count))
        page_says(place, key,
                  fmt::format("“{}” is not a position from 1 to {} ({})", expression, count, language_id(language_)));
}

void ChapterChecker::view_of(const ChapterPage& page, const ChapterContext& context) {
    need_step("show", page.enter.show, context);
    need_step("play", page.play_from, context);
    need_step("play", page.play_to, context);
    if (page.enter.pin)
        need_cell("pin", *page.enter.pin, page.enter.show.empty() ? page.play_to : page.enter.show, context);
    if (!page.light.empty()) target(page.light, context, "light");
}

void ChapterChecker::value(const std::string& expression, const ChapterContext& context, std::string_view key) {
    const auto shown = shown_value(expression, context);
    if (!shown)
        page_says({}, key, fmt::format("{{{}}}: {}", expression, shown.error().message));
    else if (shown->empty())
        page_says({}, key, fmt::format("{{{}}} has no value on the page's document", expression));
}

void ChapterChecker::condition(const std::string& expression, const ChapterContext& context, std::string_view key, ChapterPlace place) {
    const auto found = evaluate(expression, context);
    if (!found)
        page_says(place, key, fmt::format("{}: {}", expression, found.error().message));
    else if (found->kind != ChapterValue::Kind::Truth)
        page_says(place, key, fmt::format("{} is no condition, or has no value", expression));
}

void ChapterChecker::prose(const Prose& text, const ChapterContext& context, std::string_view key) {
    for (const std::string& expression : expressions_of(text)) value(expression, context, key);
    for (const std::string& link : text.links) target(link, context, key);
    for (const ProseBlock& block : text.blocks)
        for (const ProseSpan& span : block.spans)
            if (span.kind == ProseSpan::Kind::Cite && !chapter_.source(span.source))
                page_says({}, key, fmt::format("there is no [[source]] “{}”", span.source));
}

void ChapterChecker::target(const std::string& text, const ChapterContext& context, std::string_view key) {
    const auto target = parse_target(text);
    if (!target) return page_says({}, key, fmt::format("({}): {}", text, target.error().message));
    using Kind = LinkTarget::Kind;
    const auto missing = [&](bool there) {
        if (!there)
            page_says({}, key,
                      fmt::format("({}): there is none on the page's document ({})", text, language_id(language_)));
    };
    ViewState view;
    switch (target->kind) {
        case Kind::Matrix:
        case Kind::Row:
        case Kind::Column:
        case Kind::Cell:
        case Kind::Token:
            return missing(cells_of(*target, context).has_value());
        case Kind::Part:
            return missing(has(kParts, target->name));
        case Kind::Play:
            return missing(step_in(context, target->name) != attn::kNoStep &&
                           step_in(context, target->second) != attn::kNoStep);
        case Kind::Set: {
            attn::Document copy = context.document;
            std::string problem;
            if (!use_settings_text(copy, target->name, &problem))
                page_says({}, key, fmt::format("({}): {}", text, problem));
            return;
        }
        case Kind::Screen:
            return missing(use_screen(view, target->name));
        case Kind::Page:
            return missing(chapter_.page_index(target->name) >= 0);
        case Kind::Chapter: {
            const std::size_t slash = target->name.find('/');
            const std::string id = target->name.substr(0, slash);
            const Chapter* other = id == chapter_.id ? &chapter_ : library_.find(id);
            return missing(other &&
                           (slash == std::string::npos || other->page_index(target->name.substr(slash + 1)) >= 0));
        }
        case Kind::Term:
            return missing(library_.term(target->name, &chapter_) != nullptr);
        case Kind::Address:
            return;
    }
}

std::vector<ChapterProblem> check_chapter(const Chapter& chapter, const ChapterLibrary& library, ChapterRules rules) {
    std::vector<ChapterProblem> out = chapter.problems;
    ChapterChecker checker(chapter, library, rules);
    if (rules == ChapterRules::House && chapter.readable()) checker.house_rules();
    checker.check();
    for (ChapterProblem& problem : checker.take()) out.push_back(std::move(problem));
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
    return out;
}

}  // namespace app
