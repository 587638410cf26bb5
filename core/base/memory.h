#pragma once
// Reusing memory from one run to the next, and huge pages.

#include <cstddef>
#include <functional>
#include <optional>

namespace attn {

/// Makes the C library retain up to 256 MB of freed memory rather than return it to the system. A run's matrices are
/// freed when the next run has its own, of the same sizes; returned memory would have to be faulted in again page by
/// page, which takes two thirds of the time of a run over 512 tokens. For the whole process, at its start; does nothing
/// where the library cannot.
void keep_freed_memory();

/// Asks the system for huge pages for this memory, before it is written, and for what the heap gives out next: a
/// checkpoint's matrix has thousands of small pages, each of which costs a fault when first touched. Does nothing for
/// small sizes.
void ask_large_pages(void* begin, std::size_t bytes);

/// Runs the program with a stack of the usual size for it and for every thread that it makes, whatever the stack limit
/// (ulimit -s): below about 100 kB it would be killed by a signal midway. Returns what `program` returns.
int with_enough_stack(const std::function<int()>& program);

/// Bytes of memory in the machine; 0 if the system does not report it.
double all_memory();

/// Bytes that the system can give without swapping; nullopt if it does not report that.
std::optional<double> available_memory();

}  // namespace attn
