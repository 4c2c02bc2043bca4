#include "kernels/mesh/files/write_vtu.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "kernels/mesh/files/file_bytes.hpp"

namespace cfdmark {

static_assert(std::endian::native == std::endian::little, "VTK files are written as LittleEndian");

namespace {

// An array that the XML describes, and its place after the XML.
struct VtuArray {
  std::string name, type;
  int components;
  std::string_view bytes;
};

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

void check(const Mesh& mesh, const MeshField& field) {
  if (field.entity != Entity::cell && field.entity != Entity::node)
    throw std::invalid_argument(
        fmt::format("field '{}': VTK files hold fields of cells and nodes only", field.name));
  const std::size_t expected = std::size_t(mesh.count(field.entity)) * std::size_t(field.components);
  if (field.components < 1 || field.values.size() != expected)
    throw std::invalid_argument(fmt::format("field '{}' has {} values: expected {} ({} times {} components)",
                                            field.name, field.values.size(), expected,
                                            mesh.count(field.entity), field.components));
}

// Describes arrays while adding up their places, then writes them.
class VtuWriter {
 public:
  explicit VtuWriter(std::ostream& out) : out_(out) {}

  void add(const char* element, const std::vector<VtuArray>& arrays) {
    fmt::print(out_, "      <{}>\n", element);
    for (const VtuArray& array : arrays) {
      fmt::print(out_,
                 "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                 "offset=\"{}\"/>\n",
                 array.type, escaped(array.name), array.components, offset_);
      offset_ += sizeof(std::uint64_t) + array.bytes.size();
      arrays_.push_back(array.bytes);
    }
    fmt::print(out_, "      </{}>\n", element);
  }

  void write_arrays() {
    for (const std::string_view bytes : arrays_) {
      const std::uint64_t size = bytes.size();
      out_.write(reinterpret_cast<const char*>(&size), sizeof size);
      out_.write(bytes.data(), std::streamsize(bytes.size()));
    }
  }

 private:
  std::ostream& out_;
  std::uint64_t offset_ = 0;
  std::vector<std::string_view> arrays_;
};

std::vector<VtuArray> arrays_of(Entity entity, const std::vector<MeshField>& fields) {
  std::vector<VtuArray> arrays;
  for (const MeshField& field : fields)
    if (field.entity == entity)
      arrays.push_back({field.name, "Float64", field.components, bytes_of(field.values)});
  return arrays;
}

// Where the list of nodes of each cell ends.
std::vector<std::int64_t> cell_ends(const Mesh& mesh) {
  std::vector<std::int64_t> ends(std::size_t(mesh.cells()));
  for (std::size_t c = 0; c < ends.size(); ++c) ends[c] = std::int64_t(c + 1) * (mesh.dims + 1);
  return ends;
}

}  // namespace

void write_vtu(const Mesh& mesh, const std::vector<MeshField>& fields, std::ostream& out) {
  for (const MeshField& field : fields) check(mesh, field);
  const std::vector<std::int64_t> ends = cell_ends(mesh);
  const std::vector<std::uint8_t> types(ends.size(), mesh.dims == 2 ? 5 : 10);
  const std::string_view points(reinterpret_cast<const char*>(mesh.nodes.data()),
                                mesh.nodes.size() * sizeof(Point));
  fmt::print(out,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
             "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n"
             "    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
             mesh.nodes.size(), mesh.cells());
  VtuWriter writer(out);
  writer.add("PointData", arrays_of(Entity::node, fields));
  writer.add("CellData", arrays_of(Entity::cell, fields));
  writer.add("Points", {{"Points", "Float64", 3, points}});
  writer.add("Cells", {{"connectivity", "Int32", 1, bytes_of<int>(mesh.cell_nodes)},
                       {"offsets", "Int64", 1, bytes_of<std::int64_t>(ends)},
                       {"types", "UInt8", 1, bytes_of<std::uint8_t>(types)}});
  fmt::print(out, "    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_");
  writer.write_arrays();
  fmt::print(out, "\n  </AppendedData>\n</VTKFile>\n");
}

void write_vtu(const Mesh& mesh, const std::vector<MeshField>& fields, const std::string& path) {
  for (const MeshField& field : fields) check(mesh, field);
  write_whole_file(path, [&](std::ostream& out) { write_vtu(mesh, fields, out); });
}

}  // namespace cfdmark
