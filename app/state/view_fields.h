#pragma once
// How the program is looked at, field by field: one row has a field's name, what it must be, and who keeps it.
// Settings, the last view, what a page of a chapter sets and resets, and the report of the window all go through this
// table.

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

/// Who keeps a field; every one is in the window's report.
enum FieldUse : unsigned {
    kReported = 0,
    kSetting = 1,     ///< kept whatever the document
    kPlace = 2,       ///< where the learner is in this document
    kOnPage = 4,      ///< a page of a chapter may set it
    kPageStarts = 8,  ///< a page of a chapter begins with its default
};

struct ViewField {
    std::string_view key;
    std::string_view expected;  ///< "true or false"
    unsigned uses;
    void (*write)(const ViewState&, attn::JsonWriter&);
    bool (*read)(ViewState&, const attn::JsonValue&);  ///< false, and nothing is changed: it is something else
    void (*copy)(ViewState& to, const ViewState& from);
    bool (*same)(const ViewState&, const ViewState&);
};
std::span<const ViewField> view_fields();
inline constexpr std::size_t kMostViewFields = 64;
/// Rows that stand in the folders of the screens that own what they are of.
extern const ViewField kExperimentPageField, kScalingWidthField, kScalingSeedField, kPathsField, kComparisonField, kHeadsField,
    kHeadsAfterField, kPredictionField, kTrainingField, kTrainedField;

/// Some fields of a view; the others have their defaults.
struct ViewPart {
    ViewState values;
    std::bitset<kMostViewFields> named;  ///< by their places in view_fields()

    bool has(std::string_view key) const;
    bool operator==(const ViewPart& other) const;
};

/// All fields with one of these uses.
ViewPart part_of(const ViewState& view, unsigned uses);
void use_part(ViewState& view, const ViewPart& part);
/// Fields that changed from `before` to `now` are as they are now.
void use_changes(ViewPart& stored, const ViewPart& before, const ViewPart& now);
/// Fields with one of these uses are at their defaults again.
void reset_fields(ViewState& view, unsigned uses);

/// What is no field with one of these uses, or not as it must be, is left out and named.
struct ReadPart {
    ViewPart part;
    std::vector<attn::Error> problems;
};
void read_member(ReadPart& out, const attn::JsonMember& member, unsigned uses, std::string_view where);
/// The error is that it is no JSON object.
attn::Result<ReadPart> part_from_json(std::string_view bytes, unsigned uses, std::string_view where);
/// Its fields as members of an object that has been begun.
void write_part(const ViewPart& part, attn::JsonWriter& out);
std::string part_to_json(const ViewPart& part);

}  // namespace app
