#pragma once
// Which fonts this system uses, recognised by the widths of letters, and which ones the goldens were made with.
//
//   golden/typefaces/goldens.txt     "body en 412.3": a sample's width in pixels in a role of type, in the light theme
//   golden/typefaces/NAME.txt        the same for other fonts, named after the systems that have them
//   golden/typefaces/NAME/...        the differences of each golden with those fonts: loose_changes' `known`

#include <filesystem>
#include <string>
#include <vector>

namespace frames {

struct SampleWidth {
    std::string role, language;
    float width = 0;
};
using Typefaces = std::vector<SampleWidth>;

/// The fonts of this machine. The first call opens the program: no other may be open then.
const Typefaces& typefaces_here();

std::string typefaces_to_text(const Typefaces& typefaces);
/// Empty if the text is not in this format.
Typefaces typefaces_from_text(std::string_view text);

/// The largest ratio of widths of the same words, 1 or more; 1 if all are equal to a tenth of a pixel. Infinite if the two do
/// not have the same samples.
double width_ratio(const Typefaces& one, const Typefaces& other);
/// The sample whose widths differ most, in words; empty if all are equal.
std::string furthest_apart(const Typefaces& golden, const Typefaces& here);

std::filesystem::path typefaces_folder();
Typefaces read_typefaces(const std::filesystem::path& file);
void write_typefaces(const std::filesystem::path& file, const Typefaces& typefaces);

/// The fonts of the goldens, and the name of this machine's fonts: empty if they are the same, "?" if no file has their
/// widths.
struct GoldenTypefaces {
    Typefaces golden;
    double ratio = 1;
    std::string name;
    bool same() const { return name.empty(); }
};
const GoldenTypefaces& golden_typefaces();

}  // namespace frames
