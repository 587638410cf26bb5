#pragma once
#include_next <unistd.h>

#include "core/windows/posix.h"
