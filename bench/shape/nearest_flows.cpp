#include "bench/shape/nearest_flows.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "bench/record/output_file.hpp"
#include "bench/text/printable.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = "cfdflow";

// The fields of a file, in this order.
template <class Known>
auto fields_of(Known& known) {
  return std::array{&known.flow.u,      &known.flow.v,      &known.flow.p,
                    &known.flow.mass_x, &known.flow.mass_y, &known.faces};
}

struct FieldHeader {
  int nx = 0, ny = 0;
  int is_single = 0;  // fp32
};

KnownFlow read_flow(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char found[sizeof magic] = {};
  in.read(found, sizeof found);
  KnownFlow known;
  bool is_good = in && std::memcmp(found, magic, sizeof magic) == 0;
  for (HostField* field : fields_of(known)) {
    FieldHeader header;
    in.read(reinterpret_cast<char*>(&header), sizeof header);
    is_good = is_good && in && header.nx > 0 && header.ny > 0 && header.nx < 1 << 20 && header.ny < 1 << 20;
    if (!is_good) break;
    *field =
        HostField::unset(Grid{header.nx, header.ny}, header.is_single ? Precision::fp32 : Precision::fp64);
    in.read(static_cast<char*>(field->data()), std::streamsize(field->bytes()));
    is_good = bool(in);
  }
  if (!is_good)
    throw std::runtime_error(fmt::format(
        "{}: a flow from which this search has to start others is missing or spoiled: use --restart",
        printable(path)));
  return known;
}

void write_flow(std::ostream& out, const KnownFlow& known) {
  out.write(magic, sizeof magic);
  for (const HostField* field : fields_of(known)) {
    const FieldHeader header{field->grid().nx, field->grid().ny, field->storage() == Precision::fp32};
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    out.write(static_cast<const char*>(field->data()), std::streamsize(field->bytes()));
  }
}

std::string prefix_of(int generation) { return fmt::format("{}-", generation); }

}  // namespace

std::string NearestFlows::path(int generation, const std::string& name) const {
  return fmt::format("{}/{}{:016x}.flow", folder_, prefix_of(generation), std::hash<std::string>()(name));
}

void NearestFlows::write(int generation, const std::string& name, const KnownFlow& known) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw WriteError(fmt::format("cannot create {}: {}", printable(folder_), failed.message()));
  if (generation > 1 && noted_.count(generation) == 0) {
    for (const auto& entry : fs::directory_iterator(folder_, failed)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with(prefix_of(generation)) && !file.starts_with(prefix_of(generation - 1)))
        fs::remove(entry.path(), failed);
    }
  }
  replace_file(path(generation, name), [&](std::ostream& out) { write_flow(out, known); });
}

void NearestFlows::note(int generation, const std::string& name, const std::vector<double>& place) {
  noted_[generation].push_back({name, place});
}

std::shared_ptr<const KnownFlow> NearestFlows::nearest(int generation, const std::vector<double>& place) {
  const Noted* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Noted& one : noted_[generation]) {
    double distance = 0;
    for (std::size_t n = 0; n < place.size(); ++n)
      distance += (one.place[n] - place[n]) * (one.place[n] - place[n]);
    if (distance < least) least = distance, best = &one;
  }
  if (!best) return nullptr;
  const std::string file = path(generation, best->name);
  std::erase_if(read_, [&](const auto& one) {
    return !fs::path(one.first).filename().string().starts_with(prefix_of(generation));
  });
  auto& known = read_[file];
  if (!known) known = std::make_shared<KnownFlow>(read_flow(file));
  return known;
}

}  // namespace cfdmark
