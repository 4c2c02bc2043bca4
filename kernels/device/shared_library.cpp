#include "kernels/device/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace cfdmark {

SharedLibrary::SharedLibrary(const std::vector<std::string>& files) {
  std::string complaints;
  for (const std::string& file : files) {
    if ((handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) {
      file_ = file;
      return;
    }
    complaints += fmt::format("{}{}", complaints.empty() ? "" : "; ", dlerror());
  }
  throw LibraryMissing(fmt::format("cannot open a library: {}", complaints));
}

void* SharedLibrary::address_of(const char* name) const { return dlsym(handle_, name); }

SharedLibrary open_cuda_library(const std::string& file) {
  return SharedLibrary({file, CFDMARK_CUDA_LIBRARIES "/" + file});
}

void check_version(const std::string& file, const std::string& built_with, const std::string& opened) {
  if (opened != built_with)
    throw std::runtime_error(fmt::format(
        "{} is version {}, but this program was built with {}, which its records state: rebuild it", file,
        opened, built_with));
}

}  // namespace cfdmark
