#include "kernels/mesh/files/mesh_cache.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <ostream>
#include <utility>

#include "kernels/mesh/files/check_content.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "kernels/mesh/files/file_bytes.hpp"
#include "kernels/mesh/files/token_source.hpp"

namespace cfdmark {

static_assert(std::endian::native == std::endian::little, "mesh files are little-endian");

namespace {

constexpr std::string_view magic = "cfdmesh\n";
constexpr int version = 1;
constexpr std::size_t checked_from = 16;  // behind the magic and the checksum

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class CacheReader {
 public:
  CacheReader(std::string_view bytes, const std::string& file) : bytes_(bytes), source_(bytes, file) {
    source_.set_binary();
  }

  MeshFile read() {
    check_header();
    for (std::int64_t* count : {&nodes_, &cells_, &faces_, &groups_}) *count = source_.int64();
    check_counts();
    check_checksum();
    read_nodes();
    ElementList& cells = dims_ == 3 ? content_.tetrahedra : content_.triangles;
    read_elements(cells, cells_);
    ElementList& faces = dims_ == 3 ? content_.triangles : content_.lines;
    read_elements(faces, faces_);
    read_face_tags(faces);
    read_groups();
    content_.origin = source_.origin();
    return checked_mesh(std::move(content_));
  }

 private:
  void check_header() {
    if (bytes_.substr(0, magic.size()) != magic)
      source_.fail(MeshFault::unknown_format, "not a mesh cache; make one with this program");
    for (int i = 0; i < 2; ++i) stored_checksum_ = source_.int64();  // the first 8 bytes are the magic
    const int found = source_.int32();
    if (found != version)
      source_.fail(MeshFault::unknown_format,
                   fmt::format("a mesh cache of version {}, not {}; make it again", found, version));
    dims_ = source_.int32();
    if (dims_ != 2 && dims_ != 3)
      source_.fail(MeshFault::unknown_format, fmt::format("{} dimensions: expected 2 or 3", dims_));
  }

  // Lengths of names are not announced: they are checked when they are read, after the checksum.
  void check_counts() {
    const std::int64_t each[] = {24, 4 * (dims_ + 1), 4 * (dims_ + 1), 12};
    std::int64_t announced = 0, n = 0;
    for (const std::int64_t count : {nodes_, cells_, faces_, groups_}) {
      source_.check_promise(count, 1, int(each[n]), "records");
      announced += count * each[n++];
    }
    const std::int64_t room = std::int64_t(bytes_.size()) - source_.place() - 8;
    if (announced > room)
      source_.fail(MeshFault::truncated,
                   fmt::format("{} bytes announced, {} found; the file is incomplete", announced, room));
  }

  void check_checksum() const {
    if (checksum(bytes_.substr(checked_from)) != std::uint64_t(stored_checksum_))
      source_.origin().fail(std::int64_t(magic.size()), MeshFault::wrong_checksum,
                            "the content differs from what was written; make the file again");
  }

  void read_nodes() {
    content_.nodes.points.resize(std::size_t(nodes_));
    for (std::int64_t n = 0; n < nodes_; ++n) {
      content_.nodes.numbers.push_back(n);
      for (double& x : content_.nodes.points[std::size_t(n)]) {
        x = source_.real();
        if (!(std::abs(x) <= largest_coordinate))
          source_.fail(MeshFault::bad_coordinate, fmt::format("coordinate {} of node {}", x, n));
      }
      content_.nodes.places.push_back(source_.place());
    }
  }

  void read_elements(ElementList& list, std::int64_t count) {
    for (std::int64_t e = 0; e < count; ++e) {
      for (int i = 0; i < list.nodes_each; ++i) {
        const int node = source_.int32();
        if (node < 0 || node >= nodes_)
          source_.fail(MeshFault::unknown_node,
                       fmt::format("element {} names node {} of {}", e, node, nodes_));
        if (i == 0) list.places.push_back(source_.place());
        list.nodes.push_back(node);
      }
      list.numbers.push_back(e);
    }
  }

  void read_face_tags(ElementList& faces) {
    std::map<int, int> sets;
    for (std::int64_t e = 0; e < faces_; ++e) {
      const int tag = source_.int32();
      const auto [found, is_new] = sets.try_emplace(tag, int(content_.tag_sets.size()));
      if (is_new) content_.tag_sets.push_back({tag});
      faces.tag_sets.push_back(found->second);
    }
  }

  void read_groups() {
    for (std::int64_t n = 0; n < groups_; ++n) {
      PhysicalGroup group;
      group.dims = source_.int32();
      group.tag = source_.int32();
      const int length = source_.int32();
      source_.check_promise(length, 1, 1, "bytes of a name");
      for (int i = 0; i < length; ++i) group.name += source_.byte();
      content_.groups.push_back(group);
    }
    if (!source_.is_at_end())
      source_.fail(MeshFault::wrong_count, "more bytes than the file announces; make it again");
  }

  std::string_view bytes_;
  TokenSource source_;
  MeshContent content_;
  int dims_ = 0;
  std::int64_t stored_checksum_ = 0, nodes_ = 0, cells_ = 0, faces_ = 0, groups_ = 0;
};

}  // namespace

std::string mesh_cache_bytes(const MeshFile& file) {
  std::string bytes(magic);
  append(bytes, std::uint64_t(0));
  append(bytes, std::int32_t(version));
  append(bytes, std::int32_t(file.mesh.dims));
  append(bytes, std::int64_t(file.mesh.nodes.size()));
  append(bytes, std::int64_t(file.mesh.cells()));
  append(bytes, std::int64_t(file.group_face_tags.size()));
  append(bytes, std::int64_t(file.groups.size()));
  append(bytes, file.mesh.nodes);
  append(bytes, file.mesh.cell_nodes);
  append(bytes, file.group_face_nodes);
  append(bytes, file.group_face_tags);
  for (const PhysicalGroup& group : file.groups) {
    for (const int value : {group.dims, group.tag, int(group.name.size())}) append(bytes, value);
    bytes += group.name;
  }
  const std::uint64_t sum = checksum(std::string_view(bytes).substr(checked_from));
  bytes.replace(magic.size(), sizeof sum, reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

void write_mesh_cache(const std::string& path, const MeshFile& file) {
  const std::string bytes = mesh_cache_bytes(file);
  write_whole_file(path, [&](std::ostream& out) { out.write(bytes.data(), std::streamsize(bytes.size())); });
}

MeshFile mesh_of_cache(std::string_view bytes, const std::string& file) {
  return CacheReader(bytes, file).read();
}

MeshFile read_mesh_cache(const std::string& path) {
  const FileBytes bytes(path);
  return mesh_of_cache(bytes.view(), path);
}

}  // namespace cfdmark
