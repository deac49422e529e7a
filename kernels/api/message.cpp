#include "kernels/api/message.hpp"

#include <cstdarg>
#include <cstdio>

namespace toposim::kernels {
namespace {

thread_local char message[512] = "";

}  // namespace

tk_status fail(tk_status status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return status;
}

tk_status succeed() {
  message[0] = '\0';
  return TK_OK;
}

}  // namespace toposim::kernels

extern "C" {

const char* tk_message(void) {
  return toposim::kernels::message;
}

const char* tk_status_name(tk_status status) {
  switch (status) {
    case TK_OK:
      return "TK_OK";
    case TK_BAD_ARGUMENT:
      return "TK_BAD_ARGUMENT";
    case TK_ZERO_WEIGHTS:
      return "TK_ZERO_WEIGHTS";
    case TK_WORKSPACE:
      return "TK_WORKSPACE";
    case TK_WRONG_MEMORY:
      return "TK_WRONG_MEMORY";
    case TK_NO_DEVICE:
      return "TK_NO_DEVICE";
    case TK_NO_ISA:
      return "TK_NO_ISA";
    case TK_CUDA_ERROR:
      return "TK_CUDA_ERROR";
  }
  return "unknown status";
}
}
