#pragma once
// The view's settings as a table: each row has a field's name, its valid values and its uses. Settings, the last view,
// what a page of a chapter sets and resets, and the window's report are all read and written with this table.

#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"
#include "core/base/result.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace app {

/// The uses of a field; every field is in the window's report.
enum FieldUse : unsigned {
    kReported = 0,
    kSetting = 1,     ///< stored independently of the document
    kPlace = 2,       ///< the learner's position in this document
    kOnPage = 4,      ///< a page of a chapter may set it
    kPageStarts = 8,  ///< a page of a chapter resets it
};

struct ViewField {
    std::string_view key;
    std::string_view expected;  ///< "true or false"
    unsigned uses;
    void (*write)(const ViewState&, attn::JsonWriter&);
    bool (*read)(ViewState&, const attn::JsonValue&);  ///< false: an invalid value, and nothing is changed
    void (*copy)(ViewState& to, const ViewState& from);
    bool (*same)(const ViewState&, const ViewState&);
};
std::span<const ViewField> view_fields();
inline constexpr std::size_t kMostViewFields = 64;
/// Rows that are defined in the folders of the screens that own the data.
extern const ViewField kExperimentPageField, kScalingWidthField, kScalingSeedField, kPathsField, kComparisonField, kHeadsField,
    kHeadsAfterField, kPredictionField, kTrainingField, kTrainedField;

/// Some fields of a view; the others are at their defaults.
struct ViewPart {
    ViewState values;
    std::bitset<kMostViewFields> named;  ///< by index in view_fields()

    bool has(std::string_view key) const;
    bool operator==(const ViewPart& other) const;
};

/// All fields with one of these uses.
ViewPart part_of(const ViewState& view, unsigned uses);
void use_part(ViewState& view, const ViewPart& part);
/// Copies into `stored` the fields that differ between `before` and `now`, as they are now.
void use_changes(ViewPart& stored, const ViewPart& before, const ViewPart& now);
/// Resets the fields with one of these uses.
void reset_fields(ViewState& view, unsigned uses);

/// Members that are no field with one of these uses, or are invalid, are left out and reported.
struct ReadPart {
    ViewPart part;
    std::vector<attn::Error> problems;
};
void read_member(ReadPart& out, const attn::JsonMember& member, unsigned uses, std::string_view where);
/// Fails only if the text is no JSON object.
attn::Result<ReadPart> part_from_json(std::string_view bytes, unsigned uses, std::string_view where);
/// Writes its fields as members of an object that the caller has begun.
void write_part(const ViewPart& part, attn::JsonWriter& out);
std::string part_to_json(const ViewPart& part);

}  // namespace app
