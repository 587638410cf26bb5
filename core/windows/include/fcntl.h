#pragma once
#include_next <fcntl.h>

#include "core/windows/posix.h"
