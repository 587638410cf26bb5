#include "app/state/view_fields.h"

#include <iterator>
#include <map>
#include <string>

#include "app/state/view_row.h"

namespace app {
namespace {

using attn::JsonKind;
using attn::JsonValue;
using attn::JsonWriter;
using field::Object;
using field::row;
using field::Row;

// -- codecs of single values

struct ThemeName : field::Text {
    static bool read(std::string& out, const JsonValue& v) { return !v.string.empty() && field::Text::read(out, v); }
};
/// For fields that are reported but not read.
struct ReportedOnly {
    template <class T>
    static bool read(T&, const JsonValue&) {
        return false;
    }
};
struct Count : ReportedOnly {
    template <class T>
    static void write(const T& all, JsonWriter& out) {
        out.natural(all.size());
    }
};
struct IsGiven : ReportedOnly {
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

// -- valid ranges

constexpr field::Bounds kSecondsBounds{0, kAnswerSeconds}, kFlowZoomBounds{kLeastFlowZoom, kMaxFlowZoom},
    kFlowPlaceBounds{-256, 256}, kMapZoomBounds{1, kMaxMapZoom}, kScaleBounds{kMinScale, kMaxScale}, kSpeedBounds{kMinSpeed, kMaxSpeed};

// -- structs

constexpr Row<CellRef> kCellRows[] = {row<CellRef, field::StepName, MEMBER(tag)>("step", true),
                                      row<CellRef, field::Ordinal<>, MEMBER(row)>("row", true),
                                      row<CellRef, field::Ordinal<>, MEMBER(col)>("column", true)};
using CellCodec = field::Maybe<Object<kCellRows>>;

constexpr Row<Playhead> kPlayheadRows[] = {row<Playhead, field::StepName, MEMBER(tag)>("step", true),
                                           row<Playhead, field::Share, MEMBER(progress)>("progress", true)};


constexpr Row<FlowLook> kFlowRows[] = {row<FlowLook, field::Number<kFlowZoomBounds>, MEMBER(zoom)>("zoom"),
                                       row<FlowLook, field::Number<kFlowPlaceBounds>, MEMBER(x)>("x"),
                                       row<FlowLook, field::Number<kFlowPlaceBounds>, MEMBER(y)>("y"),
                                       row<FlowLook, field::Truth, MEMBER(fan)>("fan"),
                                       row<FlowLook, field::Ordinal<0>, MEMBER(followed)>("asked"),
                                       row<FlowLook, field::Share, MEMBER(fanned)>("fanned")};

constexpr Row<MapLook> kMapRows[] = {row<MapLook, field::Number<kMapZoomBounds>, MEMBER(zoom)>("zoom"),
                                     row<MapLook, field::Share, MEMBER(row)>("row"), row<MapLook, field::Share, MEMBER(col)>("column")};

constexpr Row<Presentation> kPresentRows[] = {row<Presentation, field::Truth, MEMBER(on)>("on"),
                                              row<Presentation, field::Truth, MEMBER(blank)>("blank"),
                                              row<Presentation, Count, MEMBER(strokes)>("strokes")};

/// Words count from 1; 0: none.
constexpr Row<Opening> kOpeningRows[] = {
    row<Opening, field::Number<kSecondsBounds>, MEMBER(seconds)>("seconds"),
    row<Opening, field::Ordinal<0>, MEMBER(guess)>("guess"),
    row<Opening, field::Ordinal<0>, MEMBER(word)>("word"),
    row<Opening, field::Share, MEMBER(swing)>("swing"),
    row<Opening, field::Truth, MEMBER(why)>("why"),
};

constexpr Row<Search> kSearchRows[] = {row<Search, field::Truth, MEMBER(open)>("open"),
                                       row<Search, field::Text, MEMBER(text)>("text")};

/// The page of the open chapter, from 1; 0: none is open.
constexpr Row<CourseView> kCourseRows[] = {
    row<CourseView, field::Text, MEMBER(chapter)>("chapter"),
    {"page", ReportedOnly::read<CourseView>,
     [](const CourseView& s, JsonWriter& out) { out.integer(s.open() ? s.page + 1 : 0); }},
    // In a lesson or a quiz: the page, from 1, one past the last at its end; 0: none is open.
    {"lesson", ReportedOnly::read<CourseView>,
     [](const CourseView& s, JsonWriter& out) { out.integer(s.walk ? s.walk->at + 1 : 0); }},
    row<CourseView, field::Whole<0, 1 << 20>, MEMBER(shown)>("shown"),
    {"answered", ReportedOnly::read<CourseView>,
     [](const CourseView& s, JsonWriter& out) {
         out.string(!s.checked ? "" : s.marked.right ? "right" : "wrong");
     }},
};

// -- the table


/// A map from key to text. Entries that are not text are left out.
struct Texts {
    static bool read(std::map<std::string, std::string>& out, const JsonValue& v) {
        if (v.kind != JsonKind::Object) return false;
        out.clear();
        for (const attn::JsonMember& member : v.members)
            if (member.value.kind == JsonKind::String) out[member.key] = member.value.string;
        return true;
    }
    static void write(const std::map<std::string, std::string>& texts, JsonWriter& out) {
        out.begin_object();
        for (const auto& [key, text] : texts) {
            out.key(key);
            out.string(text);
        }
        out.end_object();
    }
};

/// "0" or "1", or "auto": as counts_from() says.
struct CountFromCodec {
    static bool read(std::optional<attn::CountFrom>& out, const JsonValue& v) {
        if (v.kind != JsonKind::String) return false;
        out = attn::find_count_from(v.string);
        return out || v.string == kCountAuto;
    }
    static void write(const std::optional<attn::CountFrom>& from, JsonWriter& out) { out.string(from ? attn::count_from_id(*from) : kCountAuto); }
    static constexpr std::string_view kCountAuto = "auto";
};

/// 0, or a budget that a run can use.
struct MemoryCodec {
    static bool read(int& out, const JsonValue& v) {
        if (v.is_integer && v.integer == 0) return out = 0, true;
        return app::read(out, v, kLeastMemory, kMostMemory);
    }
    static void write(int memory, JsonWriter& out) { out.integer(memory); }
};


}  // namespace

/// Built at the first call: rows that are defined elsewhere are no compile-time constants.
std::span<const ViewField> view_fields() {
    static const ViewField kFields[] = {
        view_field<LanguageName, MEMBER(language)>("language", "\"en\" or \"zh\"", kSetting),
        view_field<ThemeName, MEMBER(theme)>("theme", "the name of a theme", kSetting),
        view_field<field::Number<kScaleBounds>, MEMBER(scale)>("scale", kNumber, kSetting),
        view_field<MemoryCodec, MEMBER(memory)>("memory", "MiB, a whole number from 64 on, or 0", kSetting),
        view_field<field::Number<kSpeedBounds>, MEMBER(speed)>("speed", kNumber, kSetting | kOnPage),
        view_field<PaceName, MEMBER(pace)>("pace", "\"story\", \"deep\" or \"step\"", kSetting),
        view_field<field::Truth, MEMBER(still)>("still", kTruth, kSetting),
        view_field<field::Truth, MEMBER(shared_scale)>("shared_scale", kTruth, kSetting | kOnPage),
        view_field<ConventionName, MEMBER(convention)>("convention", "\"rows\" or \"columns\"", kSetting | kOnPage),
        view_field<CountFromCodec, MEMBER(count_from)>("count_from", "\"auto\", \"0\" or \"1\"", kSetting),
        view_field<PoolingName, MEMBER(pooling)>("pooling", "\"mean\" or \"largest\"", kSetting),
        view_field<field::Truth, MEMBER(cube)>("cube", kTruth, kSetting),
        view_field<DetailName, MEMBER(level)>("level", "\"first\", \"numbers\" or \"everything\"", kSetting),
        view_field<Texts, MEMBER(model_names)>("model_names", "an object of texts", kSetting),

        view_field<Object<kPlayheadRows>, MEMBER(playhead)>("playhead", "a step and its progress", kPlace),
        view_field<field::Ordinal<1, attn::kMaxHeads>, MEMBER(head)>("head", "a head's number", kPlace | kPageStarts),
        view_field<CellCodec, MEMBER(pinned)>("pinned", "a step, a row and a column", kPlace | kPageStarts),
        view_field<field::Maybe<field::StepName>, MEMBER(unfolded)>("unfolded", "the name of a step", kPlace | kPageStarts),
        view_field<ScreenName, MEMBER(screen)>("screen", "the name of a screen", kPlace | kPageStarts),
        kExperimentPageField,
        kComparisonField,
        kHeadsField,
        kPredictionField,
        kTrainingField,
        view_field<field::Truth, MEMBER(difference)>("difference", kTruth, kChapter),
        kScalingWidthField,
        kScalingSeedField,
        kPathsField,

        view_field<Object<kFlowRows>, MEMBER(flow)>("flow", kObject, kOnPage | kPageStarts),
        kTrainedField,
        view_field<Object<kMapRows>, MEMBER(map)>("map", kObject, kReported),
        view_field<Object<kSearchRows>, MEMBER(search)>("search", kObject, kReported),
        view_field<Object<kPresentRows>, MEMBER(present)>("present", kObject, kReported),
        view_field<Object<kCourseRows>, MEMBER(course)>("course", kObject, kReported),
        view_field<IsGiven, MEMBER(passage)>("passing", kTruth, kPageStarts),
        view_field<CellCodec, MEMBER(pointed)>("pointed", "a step, a row and a column", kPageStarts),
        view_field<CellCodec, MEMBER(lit)>("lit", "a step, a row and a column", kReported),
        kHeadsAfterField,
        view_field<field::Truth, MEMBER(playing)>("playing", kTruth, kPageStarts),
        view_field<field::Truth, MEMBER(filming)>("filming", kTruth, kReported),
        view_field<field::Truth, MEMBER(one_step)>("one_step", kTruth, kPageStarts),
        view_field<SheetName, MEMBER(sheet)>("sheet", kName, kReported),
        view_field<field::Ordinal<>, MEMBER(tour)>("tour", "a whole number", kReported),
        view_field<field::Truth, MEMBER(offers_tour)>("offers_tour", kTruth, kReported),
        view_field<AskingName, MEMBER(asking)>("asking", "\"none\", \"asked\", \"answered\" or \"leaving\"", kReported),
        view_field<Object<kOpeningRows>, MEMBER(opening)>("opening", kObject, kReported),
        view_field<field::Truth, MEMBER(panels)>("panels", kTruth, kReported),
        view_field<field::Truth, MEMBER(inspector)>("inspector", kTruth, kPlace),
        view_field<field::Truth, MEMBER(full_screen)>("full_screen", kTruth, kReported),
        view_field<field::Text, MEMBER(notice)>("notice", "a text", kReported),
        view_field<field::Text, MEMBER(done)>("done", "a text", kReported),
    };
    static_assert(std::size(kFields) <= kMostViewFields);
    return kFields;
}

}  // namespace app
