#include "kernels/backends/cuda_plan.hpp"

#include <cxxabi.h>

#include <cstdlib>

namespace cfdmark {

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.name();
}

std::string Arguments::types() const {
  std::string list;
  for (const auto& a : arguments_) list += (list.empty() ? "" : ", ") + type_name(*a.type);
  return list;
}

std::vector<void*> Arguments::addresses() const {
  std::vector<void*> out;
  for (const auto& a : arguments_) out.push_back(a.value.get());
  return out;
}

}  // namespace cfdmark
