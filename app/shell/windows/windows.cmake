# Differences when the program is compiled for Windows (docs/installing.md; app/packaging/windows/build does the whole).

# These files are replaced by others in three folders, which deal with what Windows does differently (EGL, other programs,
# signals, fontconfig, memory); no other code knows about it. The POSIX functions that its C library lacks are in core/windows/posix.h.
set(ATTN_PLATFORM app/shell/windows app/shell/no_egl)
set(ATTN_PLATFORM_CORE core/windows)
set(ATTN_ELSEWHERE core/base/memory.cpp app/gfx/egl.cpp app/gfx/offscreen.cpp app/ui/font_system.cpp app/shell/child.cpp app/shell/interrupt.cpp
    app/shell/own_program.cpp app/shell/signals.cpp)
list(TRANSFORM ATTN_ELSEWHERE PREPEND ${CMAKE_SOURCE_DIR}/)

# For Windows 10, whose C library supports UTF-8; files of any size; static libraries.
add_compile_definitions(_WIN32_WINNT=0x0A00 _FILE_OFFSET_BITS=64 PCRE2_STATIC UTF8PROC_STATIC)
# The stack is aligned to 16 bytes there, and GCC moves the vectors of 32 and 64 bytes that it keeps on it as if it were
# aligned to more.
add_compile_options(-fstack-protector-strong -Wa,-muse-unaligned-vector-move)
target_include_directories(attn_flags BEFORE INTERFACE ${CMAKE_SOURCE_DIR}/core/windows/include)
# Warnings are not errors here: all other builds are checked with other compilers.
target_compile_options(attn_flags INTERFACE -Wno-error)

enable_language(RC)
function(attn_windows_program program)
  set(resources ${CMAKE_BINARY_DIR}/generated/program.rc)
  configure_file(${CMAKE_SOURCE_DIR}/app/shell/windows/program.manifest ${CMAKE_BINARY_DIR}/generated/program.manifest @ONLY)
  configure_file(${CMAKE_SOURCE_DIR}/app/shell/windows/program.rc.in ${resources} @ONLY)
  # The icon is drawn by app/packaging/windows/program before this; a build without it has none.
  if(EXISTS ${CMAKE_BINARY_DIR}/attenscope.ico)
    file(APPEND ${resources} "GLFW_ICON ICON \"${CMAKE_BINARY_DIR}/attenscope.ico\"\n")
  endif()
  target_sources(${program} PRIVATE ${resources})
  # The usual stack size, for every thread that does not set another.
  target_link_options(${program} PRIVATE -static -Wl,--stack,8388608 -Wl,--no-insert-timestamp)
  find_library(ATTN_MATH attn_math REQUIRED)
  target_link_libraries(${program} PRIVATE ${ATTN_MATH} ZLIB::ZLIB imm32 gdi32 bcrypt)
endfunction()
