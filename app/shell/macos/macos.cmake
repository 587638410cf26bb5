# Differences when the program is compiled on macOS (docs/installing.md; app/packaging/macos/bundle makes the application of it).
# Not tried on macOS itself yet: app/packaging/macos/compile compiles all other files with Clang and LLVM's library on Debian.

# These files are replaced by others in two folders: macOS has no EGL and no /proc, and the application has its own typefaces.
set(ATTN_PLATFORM app/shell/macos app/shell/no_egl)
set(ATTN_ELSEWHERE app/gfx/egl.cpp app/gfx/offscreen.cpp app/ui/font_system.cpp app/shell/own_program.cpp)
list(TRANSFORM ATTN_ELSEWHERE PREPEND ${CMAKE_SOURCE_DIR}/)

# Its sockets have no such flags: writing to one whose reader has gone raises a signal, which begin_process() ignores.
add_compile_definitions(SOCK_CLOEXEC=0 MSG_NOSIGNAL=0 GL_SILENCE_DEPRECATION)
add_compile_options(-fexperimental-library)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_SOURCE_DIR}/core/base/float_from_chars.h>")
add_link_options(-fexperimental-library)
# Warnings are not errors here: all other builds are checked with other compilers.
target_compile_options(attn_flags INTERFACE -Wno-error)
