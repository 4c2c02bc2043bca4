#include "solvers/flow/saved_flow.hpp"

#include <cstring>
#include <stdexcept>

namespace cfdmark {

double SavedFlow::number(const std::string& name) const {
  for (const NamedValue& value : numbers)
    if (value.name == name) return value.value;
  throw std::invalid_argument("the saved flow has no " + name + ": save it again with this solver");
}

void SavedFlow::add(const std::string& name, const Field& field) {
  const HostField values = field.download();
  fields.emplace_back(name, std::string(static_cast<const char*>(values.data()), values.bytes()));
}

void SavedFlow::restore(const std::string& name, Field& field) const {
  for (const auto& [known, bytes] : fields) {
    if (known != name || bytes.size() != field.bytes()) continue;
    HostField values = HostField::unset(field.grid(), field.storage());
    std::memcpy(values.data(), bytes.data(), bytes.size());
    field.upload(values);
    return;
  }
  throw std::invalid_argument("the saved flow has no field " + name +
                              " of this size: save it again with this solver and grid");
}

}  // namespace cfdmark
