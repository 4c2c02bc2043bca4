#include "kernels/mesh/files/write_msh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>

#include "kernels/mesh/files/file_bytes.hpp"

namespace cfdmark {

static_assert(std::endian::native == std::endian::little, "binary mesh files are little-endian");

namespace {

// Writes numbers as text, one record a line, or binary. Bytes are collected and written in large pieces.
class NumberWriter {
 public:
  NumberWriter(std::ostream& out, bool is_binary) : out_(out), is_binary_(is_binary) {}
  ~NumberWriter() { flush(); }
  NumberWriter(const NumberWriter&) = delete;
  NumberWriter& operator=(const NumberWriter&) = delete;

  bool is_binary() const { return is_binary_; }
  void text(std::string_view line) { buffer_.append(line), buffer_ += '\n'; }
  template <typename T>
  NumberWriter& operator<<(T value) {
    if (is_binary_) {
      const char* const bytes = reinterpret_cast<const char*>(&value);
      buffer_.append(bytes, bytes + sizeof value);
    } else {
      fmt::format_to(std::back_inserter(buffer_), "{} ", value);
    }
    return *this;
  }
  void end_record() {
    if (!is_binary_) buffer_.back() = '\n';
    if (buffer_.size() > flush_size) flush();
  }
  // Ends the data of a section.
  void end_section(std::string_view name) {
    if (is_binary_) buffer_ += '\n';
    text(fmt::format("$End{}", name));
  }

 private:
  static constexpr std::size_t flush_size = 1 << 20;
  void flush() {
    out_.write(buffer_.data(), std::streamsize(buffer_.size()));
    buffer_.clear();
  }

  std::ostream& out_;
  bool is_binary_;
  std::string buffer_;
};

// Elements of Gmsh: 1 line, 2 triangle, 4 tetrahedron.
int face_type(const Mesh& mesh) { return mesh.dims == 2 ? 1 : 2; }
int cell_type(const Mesh& mesh) { return mesh.dims == 2 ? 2 : 4; }

// Returns the physical tag of all cells: that of the first group of cells, else 1. Programs drop or refuse
// elements without a tag in a file that has tags.
int cell_tag(const MeshFile& file) {
  for (const PhysicalGroup& group : file.groups)
    if (group.dims == file.mesh.dims) return group.tag;
  return 1;
}

void write_header(NumberWriter& out, const char* version) {
  out.text("$MeshFormat");
  out.text(fmt::format("{} {} 8", version, int(out.is_binary())));
  if (out.is_binary()) out << std::int32_t(1);
  if (out.is_binary()) out.text("");
  out.text("$EndMeshFormat");
}

void write_names(NumberWriter& out, const std::vector<PhysicalGroup>& groups) {
  if (groups.empty()) return;
  out.text("$PhysicalNames");
  out.text(fmt::format("{}", groups.size()));
  for (const PhysicalGroup& group : groups)
    out.text(fmt::format("{} {} \"{}\"", group.dims, group.tag, group.name));
  out.text("$EndPhysicalNames");
}

void write_nodes_2_2(NumberWriter& out, const Mesh& mesh) {
  out.text("$Nodes");
  out.text(fmt::format("{}", mesh.nodes.size()));
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Point& point = mesh.nodes[n];
    out << std::int32_t(n + 1) << point[0] << point[1] << point[2];
    out.end_record();
  }
  out.end_section("Nodes");
}

// Writes elements with a physical and an elementary tag, both of the same value: one of `tags` per element,
// or `tag_of_all` if that is nullptr.
void write_elements_2_2(NumberWriter& out, int type, const std::vector<int>& nodes, int each,
                        const std::vector<int>* tags, int tag_of_all, std::int32_t first) {
  const std::size_t count = nodes.size() / std::size_t(each);
  if (out.is_binary() && count > 0) out << std::int32_t(type) << std::int32_t(count) << std::int32_t(2);
  for (std::size_t e = 0; e < count; ++e) {
    const std::int32_t tag = tags ? (*tags)[e] : tag_of_all;
    out << std::int32_t(first + std::int32_t(e));
    if (!out.is_binary()) out << std::int32_t(type) << std::int32_t(2);
    out << tag << tag;
    for (int i = 0; i < each; ++i) out << std::int32_t(nodes[e * std::size_t(each) + std::size_t(i)] + 1);
    out.end_record();
  }
}

void write_2_2(const MeshFile& file, NumberWriter& out) {
  const Mesh& mesh = file.mesh;
  write_header(out, "2.2");
  write_names(out, file.groups);
  write_nodes_2_2(out, mesh);
  out.text("$Elements");
  out.text(fmt::format("{}", file.group_face_tags.size() + std::size_t(mesh.cells())));
  write_elements_2_2(out, face_type(mesh), file.group_face_nodes, mesh.dims, &file.group_face_tags, 0, 1);
  write_elements_2_2(out, cell_type(mesh), mesh.cell_nodes, mesh.dims + 1, nullptr, cell_tag(file),
                     std::int32_t(file.group_face_tags.size()) + 1);
  out.end_section("Elements");
}

// The lowest and the highest corner of a box around points.
std::array<Point, 2> bounding_box(const Mesh& mesh) {
  constexpr double inf = std::numeric_limits<double>::max();
  std::array<Point, 2> box{{{inf, inf, inf}, {-inf, -inf, -inf}}};
  for (const Point& point : mesh.nodes)
    for (std::size_t k = 0; k < 3; ++k) {
      box[0][k] = std::min(box[0][k], point[k]);
      box[1][k] = std::max(box[1][k], point[k]);
    }
  return box;
}

// Faces of one tag, which make an entity of their own.
using FacesByTag = std::map<int, std::vector<std::size_t>>;

void write_entity(NumberWriter& out, int tag, const std::array<Point, 2>& box) {
  out << std::int32_t(tag);
  for (const Point& corner : box) out << corner[0] << corner[1] << corner[2];
  out << std::int64_t(1) << std::int32_t(tag);  // physical tags
  out << std::int64_t(0);                       // bounding entities
  out.end_record();
}

// One entity per tag of faces, and one for all cells, each with its physical tag. The boxes are that of the
// mesh.
void write_entities(NumberWriter& out, const Mesh& mesh, const FacesByTag& faces, int tag_of_cells) {
  std::array<std::int64_t, 4> counts{};
  counts[std::size_t(mesh.dims - 1)] = std::int64_t(faces.size());
  counts[std::size_t(mesh.dims)] = 1;
  out.text("$Entities");
  for (const std::int64_t count : counts) out << count;
  out.end_record();
  const std::array<Point, 2> box = bounding_box(mesh);
  for (const auto& [tag, list] : faces) write_entity(out, tag, box);
  write_entity(out, tag_of_cells, box);
  out.end_section("Entities");
}

void write_nodes_4_1(NumberWriter& out, const Mesh& mesh, int tag_of_cells) {
  const std::int64_t count = std::int64_t(mesh.nodes.size());
  out.text("$Nodes");
  out << std::int64_t(1) << count << std::int64_t(1) << count;
  out.end_record();
  out << std::int32_t(mesh.dims) << std::int32_t(tag_of_cells) << std::int32_t(0) << count;
  out.end_record();
  for (std::int64_t n = 1; n <= count; ++n) {
    out << n;
    out.end_record();
  }
  for (const Point& point : mesh.nodes) {
    out << point[0] << point[1] << point[2];
    out.end_record();
  }
  out.end_section("Nodes");
}

void write_element_4_1(NumberWriter& out, std::int64_t number, const int* nodes, int count) {
  out << number;
  for (int i = 0; i < count; ++i) out << std::int64_t(nodes[i] + 1);
  out.end_record();
}

void write_elements_4_1(NumberWriter& out, const MeshFile& file, const FacesByTag& faces) {
  const Mesh& mesh = file.mesh;
  const std::int64_t count = std::int64_t(file.group_face_tags.size()) + mesh.cells();
  out.text("$Elements");
  out << std::int64_t(faces.size() + 1) << count << std::int64_t(1) << count;
  out.end_record();
  std::int64_t number = 0;
  for (const auto& [tag, list] : faces) {
    out << std::int32_t(mesh.dims - 1) << std::int32_t(tag) << std::int32_t(face_type(mesh))
        << std::int64_t(list.size());
    out.end_record();
    for (const std::size_t face : list)
      write_element_4_1(out, ++number, file.group_face_nodes.data() + face * std::size_t(mesh.dims),
                        mesh.dims);
  }
  out << std::int32_t(mesh.dims) << std::int32_t(cell_tag(file)) << std::int32_t(cell_type(mesh))
      << std::int64_t(mesh.cells());
  out.end_record();
  for (std::size_t c = 0; c < std::size_t(mesh.cells()); ++c)
    write_element_4_1(out, ++number, mesh.cell_nodes.data() + c * std::size_t(mesh.dims + 1), mesh.dims + 1);
  out.end_section("Elements");
}

void write_4_1(const MeshFile& file, NumberWriter& out) {
  FacesByTag faces;
  for (std::size_t face = 0; face < file.group_face_tags.size(); ++face)
    faces[file.group_face_tags[face]].push_back(face);
  write_header(out, "4.1");
  write_names(out, file.groups);
  write_entities(out, file.mesh, faces, cell_tag(file));
  write_nodes_4_1(out, file.mesh, cell_tag(file));
  write_elements_4_1(out, file, faces);
}

}  // namespace

void write_msh(const MeshFile& file, MshFormat format, std::ostream& stream) {
  NumberWriter out(stream, format == MshFormat::binary_2_2 || format == MshFormat::binary_4_1);
  (format == MshFormat::text_2_2 || format == MshFormat::binary_2_2 ? write_2_2 : write_4_1)(file, out);
}

void write_msh(const MeshFile& file, MshFormat format, const std::string& path) {
  write_whole_file(path, [&](std::ostream& out) { write_msh(file, format, out); });
}

}  // namespace cfdmark
