#pragma once
// Memory for small blocks of one size that come and go by the dozen: a run asks for one a step, and all are freed at once.

#include <cstddef>
#include <new>

#if defined(__SANITIZE_ADDRESS__)  // GCC's word for it
#define ATTN_KEPT_BLOCKS 0
#elif defined(__has_feature)  // Clang's
#if __has_feature(address_sanitizer)
#define ATTN_KEPT_BLOCKS 0
#endif
#endif
#ifndef ATTN_KEPT_BLOCKS
#define ATTN_KEPT_BLOCKS 256
#endif

namespace attn {

/// An allocator of single blocks. A thread keeps some of those that it frees, whoever asked for them, and hands them out again:
/// a fifth of the time of a run on eight tokens. (The C library's own lists keep seven of a size.)
template <class Block>
class KeptBlocks {
public:
    using value_type = Block;

    KeptBlocks() = default;
    template <class Other>
    KeptBlocks(const KeptBlocks<Other>&) {}

    Block* allocate(std::size_t count) {
        Kept& kept = kept_;
        if (count != 1 || !kept.first) return static_cast<Block*>(::operator new(count * kSize));
        Link* const taken = kept.first;
        kept.first = taken->next;
        --kept.count;
        return reinterpret_cast<Block*>(taken);
    }
    void deallocate(Block* block, std::size_t count) {
        static thread_local Ending ending;
        Kept& kept = kept_;
        if (count != 1 || ending.over() || kept.count == kMost) return ::operator delete(block);
        ++kept.count;
        kept.first = new (static_cast<void*>(block)) Link{kept.first};
    }
    bool operator==(const KeptBlocks&) const { return true; }

private:
    struct Link {
        Link* next;
    };
    /// Without a destructor: what is freed after a thread's variables have gone still finds it.
    struct Kept {
        Link* first = nullptr;
        int count = 0;
        bool over = false;
    };
    /// Gives all back when the thread ends, and has the rest freed at once.
    struct Ending {
        ~Ending() {
            while (Link* const one = kept_.first) {
                kept_.first = one->next;
                ::operator delete(one);
            }
            kept_.over = true;
        }
        bool over() const { return kept_.over; }
    };
    /// None under the address sanitizer: a block that is used after it was freed must be seen.
    static constexpr int kMost = ATTN_KEPT_BLOCKS;
    static constexpr std::size_t kSize = sizeof(Block) < sizeof(Link) ? sizeof(Link) : sizeof(Block);
    static_assert(alignof(Block) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    inline static thread_local constinit Kept kept_;
};

}  // namespace attn
