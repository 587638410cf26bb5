#pragma once
#include_next <sys/stat.h>

#include "core/windows/posix.h"
