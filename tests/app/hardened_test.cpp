// The program file: the hardening that compiler and linker were told to add is there, and there is no instruction whose
// result depends on the processor's maker.

#include <elf.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "places.h"

namespace {

class Binary {
public:
    explicit Binary(const char* path) {
        std::ifstream file(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
    }
    template <class T>
    T at(std::size_t offset) const {
        T out{};
        if (offset + sizeof(T) <= bytes_.size()) std::memcpy(&out, bytes_.data() + offset, sizeof(T));
        return out;
    }
    Elf64_Ehdr head() const { return at<Elf64_Ehdr>(0); }
    std::optional<Elf64_Phdr> segment(Elf64_Word type) const {
        for (int i = 0; i < head().e_phnum; ++i) {
            const auto found = at<Elf64_Phdr>(head().e_phoff + static_cast<std::size_t>(i) * sizeof(Elf64_Phdr));
            if (found.p_type == type) return found;
        }
        return std::nullopt;
    }
    /// All flags of a dynamic entry together; 0 where there is none.
    Elf64_Xword dynamic(Elf64_Sxword tag) const {
        const auto table = segment(PT_DYNAMIC);
        Elf64_Xword out = 0;
        for (std::size_t at_ = 0; table && at_ < table->p_filesz; at_ += sizeof(Elf64_Dyn))
            if (const auto entry = at<Elf64_Dyn>(table->p_offset + at_); entry.d_tag == tag) out |= entry.d_un.d_val;
        return out;
    }
    bool mentions(std::string_view name) const { return bytes_.find(name) != std::string::npos; }

private:
    std::string bytes_;
};

TEST(Hardened, TheProgramOnDisk) {
    const Binary program(ATTN_PROGRAM);
    ASSERT_EQ(program.head().e_ident[EI_CLASS], ELFCLASS64);
    EXPECT_EQ(program.head().e_type, ET_DYN) << "not position independent";
    EXPECT_TRUE(program.dynamic(DT_FLAGS_1) & DF_1_PIE) << "not position independent";
    EXPECT_TRUE(program.segment(PT_GNU_RELRO)) << "no read-only relocations";
    EXPECT_TRUE((program.dynamic(DT_FLAGS) & DF_BIND_NOW) || (program.dynamic(DT_FLAGS_1) & DF_1_NOW))
        << "relocations are read-only in part: names are bound late";
    const auto stack = program.segment(PT_GNU_STACK);
    ASSERT_TRUE(stack);
    EXPECT_FALSE(stack->p_flags & PF_X) << "the stack can be run";
    EXPECT_TRUE(program.mentions("__stack_chk_fail")) << "no stack protector";
    if (sanitized()) return;
    EXPECT_TRUE(program.mentions("_chk@GLIBC") || program.mentions("__memcpy_chk") || program.mentions("__read_chk") ||
                program.mentions("__snprintf_chk"))
        << "_FORTIFY_SOURCE guards nothing";
}

/// Approximate reciprocals and reciprocal square roots: their last bits differ between processors' makers, so a training with
/// the same seed would end with different weights. (Dear ImGui draws lines with them, which changes no number.)
TEST(Hardened, NoInstructionIsAnApproximationOfTheProcessors) {
    if (sanitized()) return;  // another optimisation uses other instructions
    FILE* listing = ::popen(("objdump --disassemble --no-show-raw-insn --no-addresses '" + std::string(ATTN_PROGRAM) + "'").c_str(), "r");
    ASSERT_TRUE(listing);
    const std::regex approximation(R"(\tv?(rsqrt|rcp)(14|28)?[ps][sd]\b)");
    std::array<char, 4096> line{};
    std::string function;
    std::vector<std::string> found;
    std::size_t functions = 0;
    while (std::fgets(line.data(), line.size(), listing)) {
        const std::string_view text(line.data());
        if (text.starts_with('<')) {
            function = text.substr(0, text.find('>') + 1);
            ++functions;
        } else if ((text.find("rsqrt") != text.npos || text.find("rcp") != text.npos) && function.find("ImDraw") == function.npos &&
                   std::regex_search(line.data(), approximation)) {
            found.push_back(function + std::string(text));
        }
    }
    EXPECT_EQ(::pclose(listing), 0);
    EXPECT_GT(functions, 1000u);
    EXPECT_TRUE(found.empty()) << found.size() << ", the first: " << found.front();
}

}  // namespace
