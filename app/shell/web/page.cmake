# Differences when the program is compiled for a page in a browser (docs/page.md; app/packaging/web/build does the whole).

# These files are replaced by others in ATTN_PLATFORM, which deal with what a page does not have (EGL, windows, other
# programs, signals, fontconfig); no other code knows about it.
set(ATTN_PLATFORM app/shell/web)
set(ATTN_ELSEWHERE app/gfx/egl.cpp app/gfx/gl_debug.cpp app/gfx/offscreen.cpp app/gfx/platform.cpp app/gfx/window.cpp app/screens/training/elsewhere.cpp
    app/ui/font_system.cpp
    app/shell/child.cpp app/shell/child_thread.cpp app/shell/delivery.cpp app/shell/own_program.cpp app/shell/signals.cpp app/shell/waker.cpp app/shell/window_loop.cpp)
list(TRANSFORM ATTN_ELSEWHERE PREPEND ${CMAKE_SOURCE_DIR}/)

# Only a server that isolates a page allows it threads. (A program that was compiled for threads cannot be linked without
# them: the linker places its thread_local variables wrongly.)
option(ATTN_PAGE_THREADS "A program with threads" OFF)
if(ATTN_PAGE_THREADS)
  add_compile_options(-pthread)
endif()

# The same flags as for the libraries. With SSE2's vectors Eigen computes the same numbers as on a desktop.
add_compile_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm -msimd128 -msse2 -fexperimental-library)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_SOURCE_DIR}/core/base/float_from_chars.h>")
add_link_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm)

# Warnings are not errors here: all other builds are checked with other compilers.
target_compile_options(attn_flags INTERFACE -Wno-error)

# OpenGL ES under OpenGL's names, and GLFW's names of keys.
add_library(glad INTERFACE)
include_directories(SYSTEM app/shell/web/include)
add_library(glfw INTERFACE)
target_link_options(glfw INTERFACE -sUSE_GLFW=3)

function(attn_page program)
  set(script ${CMAKE_SOURCE_DIR}/app/shell/web/page.js)
  target_link_options(${program} PRIVATE --pre-js ${script} -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=128MB -sMAXIMUM_MEMORY=4GB
    -sSTACK_SIZE=8MB -sENVIRONMENT=web,worker,node -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sFULL_ES3=0 -sEXIT_RUNTIME=0
    -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS,UTF8ToString -sEXPORTED_FUNCTIONS=_main,_malloc,_free
    -sINCOMING_MODULE_JS_API=arguments,canvas,instantiateWasm,mainScriptUrlOrBlob,noInitialRun,onRuntimeInitialized,preRun,print,printErr
    -lidbfs.js)
  target_compile_definitions(attn_ui PRIVATE "ImDrawIdx=unsigned int")  # as in the library (app/packaging/libraries)
  set_target_properties(${program} PROPERTIES LINK_DEPENDS ${script} SUFFIX .js)
  # A page may not wait for a thread to begin, so as many are started before the program. A further one is refused, as by a
  # system that has no more, and then its work is done without.
  if(ATTN_PAGE_THREADS)
    target_link_options(${program} PRIVATE -pthread -sPTHREAD_POOL_SIZE=8 -sPTHREAD_POOL_SIZE_STRICT=2)
  endif()
endfunction()
