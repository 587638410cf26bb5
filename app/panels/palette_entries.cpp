#include "app/panels/palette_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/state/course.h"
#include "app/content/fuzzy.h"
#include "app/export/matrix_format.h"
#include "app/frame/commands.h"
#include "app/frame/interventions.h"
#include "app/panels/clipboard.h"
#include "app/panels/settings_table.h"
#include "app/screens/experiments/look.h"
#include "app/screens/experiments/view.h"
#include "app/screens/heads/view.h"
#include "app/state/edits.h"
#include "app/state/reasons.h"
#include "core/document/origins.h"
#include "core/model/model.h"
#include "core/remake/remake.h"

namespace app {
namespace {

constexpr Language kLanguages[kLanguageCount] = {Language::English, Language::Chinese};
/// Weight of a match in the title over a match in the group: an entry is also found by its group, but ranked lower.
constexpr int kNoteShare = 4;
/// The steps of a longer walk are not listed.
constexpr std::size_t kMostSteps = 400;
/// The first entries of help, before anything is typed.
constexpr std::string_view kHelpFirst[] = {"tour", "learn", "glossary", "keys", "home"};

struct Maker {
    const Frame& f;
    std::vector<PaletteEntry> out{};

    /// Adds an entry with its text in every language, made by `words(language)`.
    template <class Words, class Run>
    PaletteEntry& add(Str note, Words words, Run run) {
        PaletteEntry entry;
        for (const Language language : kLanguages)
            entry.words[static_cast<std::size_t>(language)] = words(language) + " · " + std::string(tr(note, language));
        entry.title = words(f.view().language);
        entry.note = f.say(note);
        entry.run = run;
        out.push_back(std::move(entry));
        return out.back();
    }
    static std::string say(Str string, Language language, std::initializer_list<std::string_view> arguments = {}) {
        return fill_in(tr(string, language), arguments);
    }

    void commands() {
        for (const UserCommand& command : commands_of_user()) {
            if (command.id != "palette") this->command(command.id);
        }
    }
    void steps() {
        const auto& stops = f.derived.timeline.stops;
        if (stops.size() > kMostSteps) return;
        for (std::size_t i = 0; i < stops.size(); ++i) {
            const attn::StepId step = stops[i].step;
            const auto words = [&](Language l) {
                return say(Str::go_to, l, {name_of(f.trace(), step, l)}) + "  " + attn::said_name(f.trace()[step].tag, f.counts_from());
            };
            const int stop = static_cast<int>(i);
            add(Str::group_steps, words, [stop](const Frame& now) {
                now.push(GoToStop{stop, 1});
            }).chosen = stop == f.derived.pose.stop;
        }
        for (int head = 0; head < f.state.document.config.heads; ++head)
            if (head != f.view().head) steps_of_head(head);
    }
    /// The walk follows one head: adds the same stops for another head.
    void steps_of_head(int head) {
        const auto& stops = f.derived.timeline.stops;
        if (stops.size() * static_cast<std::size_t>(f.state.document.config.heads) > kMostSteps) return;
        for (std::size_t i = 0; i < stops.size(); ++i) {
            const attn::Tag here = f.trace()[stops[i].step].tag;
            const attn::StepId step = here.head == attn::kNoHead ? attn::kNoStep : attn::find_id(f.trace(), here.of_head(head));
            if (step == attn::kNoStep) continue;
            const auto words = [&](Language l) {
                return say(Str::go_to, l, {name_of(f.trace(), step, l)}) + "  " + attn::said_name(f.trace()[step].tag, f.counts_from());
            };
            const int stop = static_cast<int>(i);
            add(Str::group_steps, words, [stop, head](const Frame& now) {
                now.push(GoToStop{stop, 1});
                now.change_view([head](ViewState& v) { v.head = head; });
            });
        }
    }
    void examples() {
        for (const Example& example : example_documents())
            add(
                Str::group_examples, [&](Language l) { return say(Str::open_example, l, {tr(example.title, l)}); },
                [&example](const Frame& now) { open_example(now, example); });
    }
    void chapters() {
        if (!f.state.chapters) return;
        int number = 0;
        for (const Chapter& chapter : f.state.chapters->chapters) {
            ++number;
            if (!chapter.readable()) continue;
            const std::string id = chapter.id;
            PaletteEntry& entry = add(
                Str::group_chapters,
                [&](Language l) { return say(Str::open_chapter_named, l, {std::to_string(number), in(chapter.title, l)}); },
                [id](const Frame& now) { now.push(CourseAction{OpenPage{id, 0}}); });
            // A match of its title ranks before entries that merely contain the words.
            entry.title = in(chapter.title, f.view().language);
            entry.chosen = f.view().course.chapter == id;
        }
    }
    void lessons() {
        if (!f.state.chapters) return;
        for (const CourseRoute& route : f.state.chapters->routes) {
            const auto words = [&](Language l) {
                return in(route.title, l) + " · " + say(Str::lesson_row, l, {std::to_string(route.minutes), std::to_string(route.pages.size())});
            };
            const int minutes = route.minutes;
            add(Str::group_chapters, words, [minutes](const Frame& now) {
                for (const CourseRoute& one : now.state.chapters->routes)
                    if (one.minutes == minutes) return now.push(CourseAction{BeginWalk{walk_of(one, *now.state.chapters)}});
            });
        }
        add(
            Str::group_chapters, [&](Language l) { return std::string(tr(Str::quiz, l)); },
            [](const Frame& now) { now.push(CourseAction{BeginWalk{quiz_of(*now.state.chapters, 1)}}); });
    }
    void terms() {
        if (!f.state.chapters) return;
        for (const ChapterTerm& term : f.state.chapters->terms) {
            const std::string id = term.id;
            add(
                Str::glossary, [&](Language l) { return in(term.name, l); },
                [id](const Frame& now) {
                    now.scratch.course.glossary_to = id;
                    now.change_view([](ViewState& v) { v.sheet = Sheet::Glossary; });
                });
        }
    }
    void command(std::string_view id) {
        const UserCommand* found = find_user_command(id);
        if (!found) return;
        PaletteEntry& entry = add(
            title_of(found->group), [&](Language l) { return say(found->does, l); }, found->run);
        entry.keys = found->chords.text();
        entry.possible = is_possible(f, *found);
    }
    void choices() {
        for (const SettingGroup& group : setting_groups())
            for (const Setting& setting : group.settings) {
                const attn::Field* field = attn::find_field(setting.field);
                if (!field || field->kind != attn::FieldKind::Choice || !is_offered(setting, f.state.document))
                    continue;
                for (const std::string_view id : field->choices()) choice(setting, *field, id);
            }
    }
    void models() {
        for (const attn::ModelPtr& model : attn::shipped_models())
            add(
                Str::group_settings,
                [&](Language l) { return say(Str::named_value, l, {tr(Str::model, l), label_of(model->name, l)}); },
                [model](const Frame& now) { now.edit([model, language = now.view().language](attn::Document& d) { use_model(d, model, language); }); })
                .chosen = f.state.document.model == model;
    }
    void choice(const Setting& setting, const attn::Field& field, std::string_view id) {
        const auto words = [&](Language l) {
            return say(Str::named_value, l, {tr(setting.title, l), label_of(id, l)});
        };
        const std::string_view key = setting.field;
        PaletteEntry& entry = add(Str::group_settings, words, [key, id](const Frame& now) {
            now.edit([key, id](attn::Document& d) { choose(d, key, id); });
        });
        entry.chosen = field.chosen(f.state.document) == id;
        if (const attn::Error* why = f.derived.refusal(key, id)) {
            entry.possible = false;
            entry.why = reason_text(*why, f.view().language);
        }
    }
    void pages() {
        for (const ExperimentPage& page : experiment_pages())
            if (page.applies(f))
                add(
                    Str::group_experiments, [&](Language l) { return say(Str::show_experiment_page, l, {tr(page.title, l)}); },
                    [&page](const Frame& now) {
                        now.change_view([&page](ViewState& v) {
                            v.screen = Screen::Experiments;
                            v.part<ExperimentsLook>().page = page.id;
                        });
                    });
    }
    void heads_pages() {
        for (const HeadsPageName& page : heads_pages_of_run(*f.derived.run)) {
            PaletteEntry& entry = add(
                Str::screen_heads, [&](Language l) { return say(Str::show_heads_page, l, {tr(page.title, l)}); },
                [id = page.id](const Frame& now) {
                    now.change_view([id](ViewState& v) {
                        v.screen = Screen::Heads;
                        v.part<HeadsChoice>().page = id;
                    });
                });
            // Also found by the name that --page has: neuron, plane.
            for (std::string& words : entry.words) words.append(" ").append(page.id);
            entry.chosen = f.view().screen == Screen::Heads && f.derived.part<HeadsData>().page == page.id;
        }
    }
    void looks() {
        for (const Theme& theme : themes())
            add(
                Str::group_look, [&](Language l) { return say(Str::use_theme, l, {label_of(theme.id, l)}); },
                [&theme](const Frame& now) { now.change_view([&theme](ViewState& v) { v.theme = theme.id; }); })
                .chosen = f.view().theme == theme.id;
        constexpr std::string_view kNames[kLanguageCount] = {"English", "中文"};
        for (const Language language : kLanguages)
            add(
                Str::group_look,
                [&](Language l) { return say(Str::use_language, l, {kNames[static_cast<std::size_t>(language)]}); },
                [language](const Frame& now) { now.change_view([language](ViewState& v) { v.language = language; }); })
                .chosen = f.view().language == language;
        for (const WalkPace pace : kWalkPaces)
            add(
                Str::group_watch, [&](Language l) { return say(Str::pace_is, l, {tr(title_of(pace), l)}); },
                [pace](const Frame& now) { now.change_view([pace](ViewState& v) { v.pace = pace; }); })
                .chosen = f.view().pace == pace;
        for (const double speed : {0.25, 0.5, 1.0, 1.5, 2.0, 4.0})
            add(
                Str::group_watch, [&](Language l) { return say(Str::play_at, l, {fmt::format("{:g}×", speed)}); },
                [speed](const Frame& now) { now.change_view([speed](ViewState& v) { v.speed = speed; }); })
                .chosen = f.view().speed == speed;
    }
    /// Whether layers and heads are counted from 0 or from 1.
    void counts() {
        const auto usual = attn::usual_count(f.state.document);
        for (const attn::CountFrom from : kCounts)
            add(
                Str::group_look, [&](Language l) { return say(Str::count_layers, l, {tr(count_title(from), l)}); },
                [from](const Frame& now) { now.change_view([from](ViewState& v) { choose_count(v, from); }); })
                .chosen = f.view().count_from == from;
        add(
            Str::group_look,
            [&](Language l) { return say(Str::count_layers, l, {say(Str::count_usual, l, {tr(count_title(usual), l)})}); },
            [](const Frame& now) { now.change_view([](ViewState& v) { choose_count(v, std::nullopt); }); })
            .chosen = !f.view().count_from;
    }
    /// The head with that number in the part, or in each that has one, chosen as by a click in the grid; if there is none,
    /// an entry that says which exist.
    void heads(const attn::HeadNumbers& numbers, const std::optional<attn::Part>& part) {
        std::vector<attn::Tag> places;
        int layers = 0, heads = 0;
        const int here = f.derived.shown_head ? int{f.derived.shown_head->at.layer} : 0;
        for (const attn::Step& step : f.trace().steps) {
            const attn::Tag at = step.tag.of_head(attn::kNoHead);
            if (at.role != attn::Role::Weights || at.pass != 0 || (part && at.part != *part)) continue;
            layers = std::max(layers, at.layer + 1);
            heads = std::max(heads, std::max(step.tag.head, 0) + 1);
            const bool meant = std::max(int{at.layer}, 0) == numbers.layer.value_or(std::max(here, 0)) && std::max(step.tag.head, 0) == numbers.head;
            // If it occurs at several times, the first.
            const auto there = std::find_if(places.begin(), places.end(), [&](const attn::Tag& one) { return one.part == at.part && one.layer == at.layer; });
            if (meant && there == places.end()) places.push_back(at);
        }
        for (const attn::Tag& at : places) head(at, numbers.head);
        if (!places.empty() || heads == 0) return;
        const auto last = [&](int count) { return f.number(std::max(count, 1) - 1); };
        PaletteEntry& entry = add(Str::group_steps, [&](Language l) { return at_head({attn::Role::Weights, attn::kNoHead, numbers.layer.value_or(attn::kNoLayer), attn::kNoTime, part.value_or(attn::Part::Main)}, numbers.head, l); }, nullptr);
        entry.possible = false;
        entry.why = layers > 1 ? f.say(Str::no_such_head, {f.number(0), last(layers), f.number(0), last(heads)})
                               : f.say(Str::no_such_head_alone, {f.number(0), last(heads)});
    }
    /// "layer 7, head 11", "of cross-attention: …".
    std::string at_head(const attn::Tag& at, int head, Language l) const {
        const std::string place = at.layer == attn::kNoLayer ? say(Str::head_number, l, {f.number(head)}) : say(Str::put_head, l, {f.number(at.layer), f.number(head)});
        if (at.part == attn::Part::Cross) return say(Str::put_of_cross, l, {place});
        if (at.part == attn::Part::Encoder) return say(Str::put_of_encoder, l, {place});
        return place;
    }
    void head(const attn::Tag& at, int head) {
        add(
            Str::group_steps, [&](Language l) { return say(Str::go_to, l, {at_head(at, head, l)}); },
            [at, head](const Frame& now) { choose_head(now, {at, head}); });
    }
    /// How much memory the values of a checkpoint may take.
    void memory() {
        constexpr int kGiB = 1024;
        for (const int gib : {0, 1, 2, 4, 8, 16, 32, 64}) {
            const int mib = gib * kGiB;
            if (budget_of(mib) > 2 * attn::usual_memory_budget()) continue;
            add(
                Str::group_settings,
                [&](Language l) { return say(Str::memory_is, l, {gib == 0 ? std::string(tr(Str::memory_half, l)) : fmt::format("{} GiB", gib)}); },
                [mib](const Frame& now) { now.change_view([mib](ViewState& v) { v.memory = mib; }); })
                .chosen = f.view().memory == mib;
        }
    }
    void formats() {
        for (const std::string_view picture : {"PNG", "SVG", "GIF"})
            add(
                Str::group_export, [&](Language l) { return say(Str::save_view_as, l, {picture}); },
                [picture](const Frame& now) {
                    if (picture == "GIF") return open_export(now, Subject::Animation, "gif");
                    open_export(now, Subject::View, picture == "PNG" ? "png" : "svg");
                });
        for (const MatrixFormat& format : matrix_formats()) {
            if (format.is_text)
                add(
                    Str::group_export, [&](Language l) { return say(Str::copy_matrix_as, l, {format.name}); },
                    [&format](const Frame& now) { copy_matrix(now, format.id); })
                    .possible = f.derived.pose.step != attn::kNoStep;
            add(
                Str::group_export, [&](Language l) { return say(Str::save_matrix_as, l, {format.name}); },
                [&format](const Frame& now) { open_export(now, Subject::Matrix, format.id); })
                .possible = f.derived.pose.step != attn::kNoStep;
        }
    }
};

}  // namespace

std::vector<PaletteEntry> palette_entries(const Frame& frame) {
    Maker make{frame};
    make.commands();
    make.examples();
    make.chapters();
    make.lessons();
    make.choices();
    make.models();
    make.steps();
    make.pages();
    make.heads_pages();
    make.looks();
    make.counts();
    make.memory();
    make.formats();
    make.terms();  // after the commands, so that commands of the same name come first
    return std::move(make.out);
}

namespace {

/// The stack that is named before a head, as in "cross 0.3", and removed from the text; longer names come first.
std::optional<attn::Part> take_part(std::string_view& text) {
    constexpr std::pair<std::string_view, attn::Part> kNames[] = {{"cross-attention", attn::Part::Cross}, {"cross", attn::Part::Cross}, {"encoder", attn::Part::Encoder},
                                                                  {"交叉注意力", attn::Part::Cross},      {"交叉", attn::Part::Cross},  {"编码器", attn::Part::Encoder}};
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    for (const auto& [name, part] : kNames)
        if (text.size() > name.size() && std::equal(name.begin(), name.end(), text.begin(), [&](char b, char a) { return same(a, b); })) {
            text.remove_prefix(name.size());
            return part;
        }
    return std::nullopt;
}

}  // namespace

std::vector<PaletteEntry> named_entries(const Frame& frame, std::string_view text) {
    Maker make{frame};
    const std::optional<attn::Part> part = take_part(text);
    if (const auto head = attn::read_head_place(text, frame.counts_from())) make.heads(*head, part);
    return std::move(make.out);
}

std::vector<PaletteEntry> help_entries(const Frame& frame) {
    Maker make{frame};
    for (const std::string_view id : kHelpFirst) make.command(id);
    make.chapters();
    make.terms();
    for (const UserCommand& command : commands_of_user())
        if (std::find(std::begin(kHelpFirst), std::end(kHelpFirst), command.id) == std::end(kHelpFirst) && command.id != "help")
            make.command(command.id);
    return std::move(make.out);
}

std::vector<int> palette_search(const std::vector<PaletteEntry>& entries, std::string_view text) {
    struct Hit {
        int index, score;
    };
    std::vector<Hit> found;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        int score = fuzzy_score(text, entries[i].title) * kNoteShare;
        for (const std::string& words : entries[i].words) score = std::max(score, fuzzy_score(text, words));
        // An entry that cannot be run ranks just below an equal one that can.
        if (score > 0) found.push_back({static_cast<int>(i), score - (entries[i].possible ? 0 : 1)});
    }
    if (text.find_first_not_of(' ') != std::string_view::npos)
        std::stable_sort(found.begin(), found.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
    std::vector<int> out;
    for (const Hit& one : found) out.push_back(one.index);
    return out;
}

}  // namespace app
