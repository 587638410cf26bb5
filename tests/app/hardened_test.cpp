// The program as it is on disk: what the compiler and the linker were asked to guard it with is there.

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
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

}  // namespace
