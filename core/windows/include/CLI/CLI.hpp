#pragma once
// On Windows the library brings the system's header along, whose names are words of ours.
#include_next <CLI/CLI.hpp>
#undef near
#undef far
