#pragma once
#include "core/windows/posix.h"
