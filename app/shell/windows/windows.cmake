# What is different where the program is compiled for Windows (docs/installing.md; app/packaging/windows/build does it all).

# These have another in their place: what Windows has in its own way (EGL, other programs, signals, fontconfig, memory) is
# told in two folders, and nowhere else. The POSIX functions that its C library lacks are in core/windows/posix.h.
set(ATTN_PLATFORM app/shell/windows)
set(ATTN_PLATFORM_CORE core/windows)
set(ATTN_ELSEWHERE core/base/memory.cpp app/gfx/egl.cpp app/gfx/offscreen.cpp app/ui/font_system.cpp app/shell/child.cpp app/shell/interrupt.cpp
    app/shell/signals.cpp)
list(TRANSFORM ATTN_ELSEWHERE PREPEND ${CMAKE_SOURCE_DIR}/)

# Windows 10, whose C library takes UTF-8; files of any size; libraries that are linked in.
add_compile_definitions(_WIN32_WINNT=0x0A00 _FILE_OFFSET_BITS=64 PCRE2_STATIC UTF8PROC_STATIC)
# The stack is aligned to 16 bytes there, and GCC moves the vectors of 32 and 64 bytes that it keeps on it as if it were
# aligned to more.
add_compile_options(-fstack-protector-strong -Wa,-muse-unaligned-vector-move)
target_include_directories(attn_flags BEFORE INTERFACE ${CMAKE_SOURCE_DIR}/core/windows/include)
# Another compiler than those that the rest is checked with: it may warn.
target_compile_options(attn_flags INTERFACE -Wno-error)

enable_language(RC)
function(attn_windows_program program)
  set(resources ${CMAKE_BINARY_DIR}/generated/program.rc)
  configure_file(${CMAKE_SOURCE_DIR}/app/shell/windows/program.manifest ${CMAKE_BINARY_DIR}/generated/program.manifest @ONLY)
  configure_file(${CMAKE_SOURCE_DIR}/app/shell/windows/program.rc.in ${resources} @ONLY)
  target_sources(${program} PRIVATE ${resources})
  # A stack of the usual size, for every thread that asks for no other.
  target_link_options(${program} PRIVATE -static -Wl,--stack,8388608 -Wl,--no-insert-timestamp)
  find_library(ATTN_MATH attn_math REQUIRED)
  target_link_libraries(${program} PRIVATE ${ATTN_MATH} ZLIB::ZLIB imm32 gdi32 bcrypt)
endfunction()
