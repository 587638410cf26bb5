#pragma once
// Memory between one run and the next, and how the system gives it.

#include <cstddef>
#include <functional>
#include <optional>

namespace attn {

/// Asks the C library to keep up to 256 MB that are freed rather than give them back to the system. A run's matrices go
/// when the next run is there, which then takes as many anew: given back, each page is paid for again, and of a run over
/// 512 tokens that is two thirds of the time. For the whole process, at its start; does nothing where the library cannot.
void keep_freed_memory();

/// Asks the system for large pages for this memory, before it is written, and for what the heap gives next: a matrix of a
/// checkpoint has thousands of small ones, and each is paid for when it is first touched. Does nothing for a few.
void ask_large_pages(void* begin, std::size_t bytes);

/// Calls the program with a stack of the usual size for it and for every thread that it makes, whatever the limit of stacks is
/// (ulimit -s): below about 100 kB it would end by a signal in the middle of something. Gives back what `program` does.
int with_enough_stack(const std::function<int()>& program);

/// Bytes of memory that the machine has; 0 where the system does not say.
double all_memory();

/// Bytes that the system can give without swapping; nothing where it does not say.
std::optional<double> available_memory();

}  // namespace attn
