#pragma once
// Which fonts this system uses, recognised by the widths of letters, and which the goldens were made with.
//
//   golden/typefaces/goldens.txt     "body en 412.3": pixels that a sample takes in a role of type, in the light theme
//   golden/typefaces/NAME.txt        the same of other typefaces, by what has them
//   golden/typefaces/NAME/...        what else is drawn of each golden with those: loose_changes' `known`

#include <filesystem>
#include <string>
#include <vector>

namespace frames {

struct SampleWidth {
    std::string role, language;
    float width = 0;
};
using Typefaces = std::vector<SampleWidth>;

/// Of this machine. The first call opens the program: no other may be open then.
const Typefaces& typefaces_here();

std::string typefaces_to_text(const Typefaces& typefaces);
/// Empty where the text is not such.
Typefaces typefaces_from_text(std::string_view text);

/// How much wider the same words are at most in one than in the other, 1 or more; 1 where all are as wide to a tenth of
/// a pixel. Infinite where they are not of the same samples.
double width_ratio(const Typefaces& one, const Typefaces& other);
/// The sample whose widths are furthest apart, in words; empty where none are.
std::string furthest_apart(const Typefaces& golden, const Typefaces& here);

std::filesystem::path typefaces_folder();
Typefaces read_typefaces(const std::filesystem::path& file);
void write_typefaces(const std::filesystem::path& file, const Typefaces& typefaces);

/// Those that goldens were made with, and what they are called here: empty where they are the same, "?" where no file
/// has their widths.
struct GoldenTypefaces {
    Typefaces golden;
    double ratio = 1;
    std::string name;
    bool same() const { return name.empty(); }
};
const GoldenTypefaces& golden_typefaces();

}  // namespace frames
