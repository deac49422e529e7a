#pragma once
#include "kernels/topokernels.h"

namespace toposim::kernels {

/// Keeps the words for tk_message() of this thread (printf form) and returns the status.
tk_status fail(tk_status status, const char* format, ...) __attribute__((format(printf, 2, 3)));
tk_status succeed();

}  // namespace toposim::kernels
