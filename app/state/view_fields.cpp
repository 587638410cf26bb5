#include "app/state/view_fields.h"

#include <iterator>

#include "app/screens/compare/look.h"
#include "app/screens/experiments/experiments.h"
#include "app/screens/heads/look.h"
#include "app/screens/prediction/look.h"
#include "app/state/json_fields.h"
#include "core/document/link.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;
using attn::JsonWriter;
using field::Object;
using field::row;
using field::Row;

/// A member, as a row wants it.
#define GET(member) \
    [](auto& s) -> auto& { return s.member; }

// -- codecs of single values

struct ThemeName : field::Text {
    static bool read(std::string& out, const JsonValue& v) { return !v.string.empty() && field::Text::read(out, v); }
};
/// A document as a link; another text is none.
struct Link : field::Text {
    static bool read(std::string& out, const JsonValue& v) {
        return (v.string.empty() || attn::document_from_link(v.string)) && field::Text::read(out, v);
    }
};
/// A kernel has a middle.
struct Odd : field::Whole<3, attn::kWidestKernel> {
    static bool read(int& out, const JsonValue& v) {
        const bool good = Whole::read(out, v);
        if (good) out |= 1;
        return good;
    }
};
/// What is only told.
struct Told {
    template <class T>
    static bool read(T&, const JsonValue&) {
        return false;
    }
};
struct Count : Told {
    template <class T>
    static void write(const T& all, JsonWriter& out) {
        out.natural(all.size());
    }
};
struct Given : Told {
    template <class T>
    static void write(const T& value, JsonWriter& out) {
        out.boolean(value.has_value());
    }
};

std::string_view pooling_id(Pooling pooling) { return pooling == Pooling::Mean ? "mean" : "largest"; }
std::optional<Pooling> find_pooling(std::string_view id) {
    for (const Pooling one : {Pooling::Mean, Pooling::Largest})
        if (pooling_id(one) == id) return one;
    return std::nullopt;
}

constexpr std::string_view kAskingIds[] = {"none", "asked", "answered", "leaving"};
std::string_view asking_id(Asking asking) { return kAskingIds[static_cast<std::size_t>(asking)]; }
std::optional<Asking> find_asking(std::string_view id) {
    for (std::size_t i = 0; i < std::size(kAskingIds); ++i)
        if (kAskingIds[i] == id) return static_cast<Asking>(i);
    return std::nullopt;
}

using AskingName = field::Named<find_asking, asking_id>;
using LanguageName = field::Named<find_language, language_id>;
using ConventionName = field::Named<attn::find_convention, attn::convention_id>;
using PoolingName = field::Named<find_pooling, pooling_id>;
using PaceName = field::Named<find_walk_pace, walk_pace_id>;
using ScreenName = field::Named<find_screen, screen_id>;
using SheetName = field::Named<find_sheet, sheet_id>;
using DetailName = field::Named<find_detail, detail_id>;
using PathName = field::Named<attn::find_path_kind, attn::path_kind_id>;

// -- what numbers may be

constexpr field::Bounds kShareBounds{0, 1}, kSecondsBounds{0, kAnswerSeconds}, kRadiusBounds{attn::kLeastRadius, attn::kLargestRadius}, kFlowZoomBounds{kLeastFlowZoom, kMaxFlowZoom},
    kFlowPlaceBounds{-256, 256}, kMapZoomBounds{1, kMaxMapZoom}, kScaleBounds{kMinScale, kMaxScale}, kSpeedBounds{kMinSpeed, kMaxSpeed}, kTemperatureBounds{kLeastTemperature, kMostTemperature};
using Share = field::Number<kShareBounds>;

// -- what has members

constexpr Row<CellRef> kCellRows[] = {row<CellRef, field::StepName, GET(tag)>("step", true),
                                      row<CellRef, field::Ordinal<>, GET(row)>("row", true),
                                      row<CellRef, field::Ordinal<>, GET(col)>("column", true)};
using CellCodec = field::Maybe<Object<kCellRows>>;

constexpr Row<Playhead> kPlayheadRows[] = {row<Playhead, field::StepName, GET(tag)>("step", true),
                                           row<Playhead, Share, GET(progress)>("progress", true)};

constexpr Row<Comparison> kComparisonRows[] = {row<Comparison, field::Text, GET(kind)>("kind"),
                                               row<Comparison, field::Text, GET(choice)>("choice"),
                                               row<Comparison, field::Ordinal<>, GET(first)>("first"),
                                               row<Comparison, field::Ordinal<>, GET(second)>("second"),
                                               row<Comparison, field::Text, GET(shown)>("shown"),
                                               row<Comparison, field::Text, GET(text)>("text"),
                                               row<Comparison, Link, GET(kept)>("kept")};

using Feature = field::Ordinal<0, attn::kMaxWidth>;
constexpr Row<HeadsChoice> kHeadsRows[] = {
    row<HeadsChoice, field::Text, GET(page)>("page"),
    row<HeadsChoice, field::StepName, GET(at)>("at"),
    row<HeadsChoice, field::Text, GET(measure)>("measure"),
    row<HeadsChoice, field::Text, GET(through)>("through"),
    row<HeadsChoice, field::Whole<0, attn::kMaxLayers>, GET(layers)>("layers"),
    row<HeadsChoice, field::Text, GET(shown)>("shown"),
    row<HeadsChoice, field::Text, GET(plane)>("plane"),
    row<HeadsChoice, field::Truth, GET(matrix)>("matrix"),
    row<HeadsChoice, field::Truth, GET(small_lines)>("small_lines"),
    row<HeadsChoice, field::Truth, GET(hide_first)>("hide_first"),
    row<HeadsChoice, field::Truth, GET(hide_special)>("hide_special"),
    row<HeadsChoice, field::Truth, GET(renormalise)>("renormalise"),
    row<HeadsChoice, Share, GET(keep)>("keep"),
    row<HeadsChoice, field::Ordinals, GET(only)>("only"),
    row<HeadsChoice, field::Ordinals, GET(queries)>("queries"),
    row<HeadsChoice, field::Ordinals, GET(keys)>("keys"),
    row<HeadsChoice, Feature, GET(first)>("first"),
    row<HeadsChoice, Feature, GET(second)>("second"),
};

using Temperature = field::Number<kTemperatureBounds>;
/// What was written here, and where, is of the moment.
constexpr Row<PredictionLook> kPredictionRows[] = {
    row<PredictionLook, field::Text, GET(page)>("page"),
    row<PredictionLook, field::Truth, GET(draw)>("draw"),
    row<PredictionLook, Temperature, GET(temperature)>("temperature"),
    row<PredictionLook, field::Whole<0, kMostTopK>, GET(top_k)>("top_k"),
    row<PredictionLook, Share, GET(top_p)>("top_p"),
    row<PredictionLook, field::Whole<0, 1 << 30>, GET(seed)>("seed"),
    row<PredictionLook, field::Whole<-1, 1 << 20>, GET(place)>("row"),
    row<PredictionLook, field::Whole<-1, 1 << 30>, GET(target)>("target"),
    row<PredictionLook, field::Text, GET(measure)>("measure"),
    row<PredictionLook, field::Whole<kNoOther, 1 << 30>, GET(against)>("against"),
};

using Steps = field::Whole<0, 1 << 20>;
constexpr Row<TrainingLook> kTrainingRows[] = {
    row<TrainingLook, field::Text, GET(task)>("task"),
    row<TrainingLook, field::Text, GET(size)>("size"),
    row<TrainingLook, field::Whole<0, 1 << 30>, GET(seed)>("seed"),
    row<TrainingLook, field::Text, GET(beside)>("beside"),
    row<TrainingLook, field::Ordinal<>, GET(example)>("example"),
    row<TrainingLook, field::Text, GET(text)>("text"),
    row<TrainingLook, Steps, GET(speed)>("speed"),
};
/// Of what is trained now; with the program it ends. A page of a chapter says what it trains: `steps` of it are taken.
constexpr Row<TrainingLook> kTrainedRows[] = {
    row<TrainingLook, field::Text, GET(task)>("task"),
    row<TrainingLook, field::Text, GET(size)>("size"),
    row<TrainingLook, field::Whole<0, 1 << 30>, GET(seed)>("seed"),
    row<TrainingLook, field::Text, GET(beside)>("beside"),
    row<TrainingLook, field::Ordinal<>, GET(example)>("example"),
    row<TrainingLook, field::Text, GET(text)>("text"),
    row<TrainingLook, Steps, GET(until)>("steps"),
    row<TrainingLook, field::Truth, GET(running)>("running"),
    row<TrainingLook, field::Whole<-1, 1 << 20>, GET(at)>("at"),
};

using Radius = field::Number<kRadiusBounds>;
constexpr Row<PathsLook> kPathsRows[] = {
    row<PathsLook, Odd, GET(dials.kernel)>("kernel"),
    row<PathsLook, field::Truth, GET(dials.dilated)>("dilated"),
    row<PathsLook, field::Whole<0, attn::kMostPathLayers>, GET(dials.layers)>("layers"),
    row<PathsLook, Radius, GET(dials.radius)>("radius"),
    row<PathsLook, field::Ordinal<>, GET(from)>("from"),
    row<PathsLook, field::Ordinal<0>, GET(to)>("to"),
    row<PathsLook, field::Maybe<PathName>, GET(only)>("only"),
};

constexpr Row<FlowLook> kFlowRows[] = {row<FlowLook, field::Number<kFlowZoomBounds>, GET(zoom)>("zoom"),
                                       row<FlowLook, field::Number<kFlowPlaceBounds>, GET(x)>("x"),
                                       row<FlowLook, field::Number<kFlowPlaceBounds>, GET(y)>("y"),
                                       row<FlowLook, field::Truth, GET(fan)>("fan"),
                                       row<FlowLook, field::Ordinal<0>, GET(asked)>("asked"),
                                       row<FlowLook, Share, GET(fanned)>("fanned")};

constexpr Row<MapLook> kMapRows[] = {row<MapLook, field::Number<kMapZoomBounds>, GET(zoom)>("zoom"),
                                     row<MapLook, Share, GET(row)>("row"), row<MapLook, Share, GET(col)>("column")};

constexpr Row<Presentation> kPresentRows[] = {row<Presentation, field::Truth, GET(on)>("on"),
                                              row<Presentation, field::Truth, GET(blank)>("blank"),
                                              row<Presentation, Count, GET(strokes)>("strokes")};

/// Words from 1; 0: none.
constexpr Row<Opening> kOpeningRows[] = {
    row<Opening, field::Number<kSecondsBounds>, GET(seconds)>("seconds"),
    row<Opening, field::Ordinal<0>, GET(guess)>("guess"),
    row<Opening, field::Ordinal<0>, GET(word)>("word"),
    row<Opening, Share, GET(swing)>("swing"),
    row<Opening, field::Truth, GET(why)>("why"),
};

constexpr Row<Search> kSearchRows[] = {row<Search, field::Truth, GET(open)>("open"),
                                       row<Search, field::Text, GET(text)>("text")};

/// Which page of a chapter, from 1; 0: none is open.
constexpr Row<CourseView> kCourseRows[] = {
    row<CourseView, field::Text, GET(chapter)>("chapter"),
    {"page", Told::read<CourseView>,
     [](const CourseView& s, JsonWriter& out) { out.integer(s.open() ? s.page + 1 : 0); }},
    row<CourseView, field::Whole<0, 1 << 20>, GET(shown)>("shown"),
    {"answered", Told::read<CourseView>,
     [](const CourseView& s, JsonWriter& out) {
         out.string(!s.checked ? "" : s.marked.right ? "right" : "wrong");
     }},
};

// -- the table

template <class Codec, auto kGet>
constexpr ViewField view_field(std::string_view key, std::string_view expected, unsigned uses) {
    return {key,
            expected,
            uses,
            [](const ViewState& v, JsonWriter& out) { Codec::write(kGet(v), out); },
            [](ViewState& v, const JsonValue& value) { return Codec::read(kGet(v), value); },
            [](ViewState& to, const ViewState& from) { kGet(to) = kGet(from); },
            [](const ViewState& a, const ViewState& b) { return kGet(a) == kGet(b); }};
}

/// What an arrow's hand does is of the moment.
HeadsChoice at_rest(HeadsChoice heads) {
    heads.held = false;
    heads.after = 1;
    return heads;
}
constexpr ViewField heads_field(unsigned uses) {
    ViewField out = view_field<Object<kHeadsRows>, GET(heads)>("heads", "an object", uses);
    out.copy = [](ViewState& to, const ViewState& from) { to.heads = at_rest(from.heads); };
    out.same = [](const ViewState& a, const ViewState& b) { return at_rest(a.heads) == at_rest(b.heads); };
    return out;
}

/// What the job was told is of the moment.
TrainingLook chosen_part(TrainingLook look) {
    look.at = -1;
    look.run = 0;
    look.running = false;
    look.until = 0;
    return look;
}
constexpr ViewField training_field(unsigned uses) {
    ViewField out = view_field<Object<kTrainingRows>, GET(training)>("training", "an object", uses);
    out.copy = [](ViewState& to, const ViewState& from) {
        const TrainingLook now = to.training;
        to.training = from.training;
        to.training.at = now.at;
        to.training.run = now.run;
        to.training.running = now.running;
        to.training.until = now.until;
    };
    out.same = [](const ViewState& a, const ViewState& b) { return chosen_part(a.training) == chosen_part(b.training); };
    return out;
}

/// 0, or a budget that a run can do something with.
struct MemoryCodec {
    static bool read(int& out, const JsonValue& v) {
        if (v.is_integer && v.integer == 0) return out = 0, true;
        return app::read(out, v, kLeastMemory, kMostMemory);
    }
    static void write(int memory, JsonWriter& out) { out.integer(memory); }
};

constexpr unsigned kChapter = kPlace | kOnPage | kPageStarts;
constexpr std::string_view kTruth = "true or false", kNumber = "a number", kObject = "an object", kName = "a name";

constexpr ViewField kFields[] = {
    view_field<LanguageName, GET(language)>("language", "\"en\" or \"zh\"", kSetting),
    view_field<ThemeName, GET(theme)>("theme", "the name of a theme", kSetting),
    view_field<field::Number<kScaleBounds>, GET(scale)>("scale", kNumber, kSetting),
    view_field<MemoryCodec, GET(memory)>("memory", "MiB, a whole number from 64 on, or 0", kSetting),
    view_field<field::Number<kSpeedBounds>, GET(speed)>("speed", kNumber, kSetting | kOnPage),
    view_field<PaceName, GET(pace)>("pace", "\"story\", \"deep\" or \"step\"", kSetting),
    view_field<field::Truth, GET(still)>("still", kTruth, kSetting),
    view_field<field::Truth, GET(shared_scale)>("shared_scale", kTruth, kSetting | kOnPage),
    view_field<ConventionName, GET(convention)>("convention", "\"rows\" or \"columns\"", kSetting | kOnPage),
    view_field<PoolingName, GET(pooling)>("pooling", "\"mean\" or \"largest\"", kSetting),
    view_field<field::Truth, GET(cube)>("cube", kTruth, kSetting),
    view_field<DetailName, GET(level)>("level", "\"first\", \"numbers\" or \"everything\"", kSetting),

    view_field<Object<kPlayheadRows>, GET(playhead)>("playhead", "a step and its progress", kPlace),
    view_field<field::Ordinal<1, attn::kMaxHeads>, GET(head)>("head", "a head's number", kPlace | kPageStarts),
    view_field<CellCodec, GET(pinned)>("pinned", "a step, a row and a column", kPlace | kPageStarts),
    view_field<ScreenName, GET(screen)>("screen", "the name of a screen", kPlace | kPageStarts),
    view_field<field::Text, GET(experiment_page)>("experiment_page", kName, kChapter),
    view_field<Object<kComparisonRows>, GET(comparison)>("comparison", kObject, kChapter),
    heads_field(kChapter),
    view_field<Object<kPredictionRows>, GET(prediction)>("prediction", kObject, kChapter),
    training_field(kPlace),
    view_field<field::Truth, GET(difference)>("difference", kTruth, kChapter),
    view_field<field::Whole<1, kWidestScaling>, GET(scaling_width)>("scaling_width", "a whole number", kChapter),
    view_field<field::Whole<0, 2147483647>, GET(scaling_seed)>("scaling_seed", "a whole number", kChapter),
    view_field<Object<kPathsRows>, GET(paths)>("paths", kObject, kChapter),

    view_field<Object<kFlowRows>, GET(flow)>("flow", kObject, kPageStarts),
    view_field<Object<kTrainedRows>, GET(training)>("trained", kObject, kOnPage),
    view_field<Object<kMapRows>, GET(map)>("map", kObject, kReported),
    view_field<Object<kSearchRows>, GET(search)>("search", kObject, kReported),
    view_field<Object<kPresentRows>, GET(present)>("present", kObject, kReported),
    view_field<Object<kCourseRows>, GET(course)>("course", kObject, kReported),
    view_field<Given, GET(passage)>("passing", kTruth, kPageStarts),
    view_field<CellCodec, GET(pointed)>("pointed", "a step, a row and a column", kPageStarts),
    view_field<CellCodec, GET(lit)>("lit", "a step, a row and a column", kReported),
    view_field<Share, GET(heads.after)>("after", kNumber, kPageStarts),
    view_field<field::Truth, GET(playing)>("playing", kTruth, kPageStarts),
    view_field<field::Truth, GET(filming)>("filming", kTruth, kReported),
    view_field<field::Truth, GET(one_step)>("one_step", kTruth, kPageStarts),
    view_field<SheetName, GET(sheet)>("sheet", kName, kReported),
    view_field<field::Ordinal<>, GET(tour)>("tour", "a whole number", kReported),
    view_field<field::Truth, GET(offers_tour)>("offers_tour", kTruth, kReported),
    view_field<AskingName, GET(asking)>("asking", "\"none\", \"asked\", \"answered\" or \"leaving\"", kReported),
    view_field<Object<kOpeningRows>, GET(opening)>("opening", kObject, kReported),
    view_field<field::Truth, GET(panels)>("panels", kTruth, kReported),
    view_field<field::Truth, GET(inspector)>("inspector", kTruth, kPlace),
    view_field<field::Truth, GET(full_screen)>("full_screen", kTruth, kReported),
    view_field<field::Text, GET(notice)>("notice", "a text", kReported),
    view_field<field::Text, GET(done)>("done", "a text", kReported),
};
static_assert(std::size(kFields) <= kMostViewFields);

#undef GET

}  // namespace

std::span<const ViewField> view_fields() { return kFields; }

}  // namespace app
