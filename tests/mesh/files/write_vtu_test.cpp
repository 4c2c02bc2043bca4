// Files for ParaView, read by a small parser of their own.
#include "kernels/mesh/files/write_vtu.hpp"

#include <cstring>
#include <map>
#include <regex>
#include <sstream>

#include "kernels/mesh/files/mesh_file_error.hpp"
#include "tests/mesh/files/mesh_texts.hpp"

using namespace cfdmark;

namespace {

std::string written(const Mesh& mesh, const std::vector<MeshField>& fields) {
  std::ostringstream out;
  write_vtu(mesh, fields, out);
  return out.str();
}

// An array as the XML describes it; the section is Points, PointData and so on.
struct ReadArray {
  std::string section, type;
  int components = 0;
  std::string bytes;
};

// Returns the arrays of a file by name.
std::map<std::string, ReadArray> arrays_in(const std::string& file) {
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::string xml = file.substr(0, file.find(mark));
  const std::string data = file.substr(file.find(mark) + mark.size());
  const std::regex line(
      "<(PointData|CellData|Points|Cells)>|<DataArray type=\"(\\w+)\" Name=\"([^\"]*)\" "
      "NumberOfComponents=\"(\\d+)\" format=\"appended\" offset=\"(\\d+)\"/>");
  std::map<std::string, ReadArray> arrays;
  std::string section;
  for (std::sregex_iterator found(xml.begin(), xml.end(), line), end; found != end; ++found) {
    if ((*found)[1].matched) {
      section = (*found)[1];
      continue;
    }
    const std::size_t offset = std::stoul((*found)[5]);
    std::uint64_t size = 0;
    REQUIRE(offset + sizeof size <= data.size());
    std::memcpy(&size, data.data() + offset, sizeof size);
    REQUIRE(offset + sizeof size + size <= data.size());
    arrays[(*found)[3]] = {section, (*found)[2], std::stoi((*found)[4]),
                           data.substr(offset + sizeof size, size)};
  }
  return arrays;
}

template <typename T>
std::vector<T> values_of(const ReadArray& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

}  // namespace

TEST_CASE("a VTK file holds nodes, cells and fields of a mesh") {
  for (const std::string& text : {square_2_2, pair_2_2}) {
    const Mesh mesh = read_msh(text, "test.msh").mesh;
    const std::vector<double> pressure{1.5, -2};
    std::vector<double> velocity(mesh.nodes.size() * 3);
    for (std::size_t n = 0; n < velocity.size(); ++n) velocity[n] = double(n) / 7;
    const std::string file =
        written(mesh, {{"p & <q>", Entity::cell, 1, pressure}, {"velocity", Entity::node, 3, velocity}});
    const auto arrays = arrays_in(file);
    REQUIRE(arrays.size() == 6);
    CHECK_THAT(file, ContainsSubstring("NumberOfPoints=\"" + std::to_string(mesh.nodes.size()) +
                                       "\" NumberOfCells=\"2\""));
    const std::vector<double> points = values_of<double>(arrays.at("Points"));
    CHECK(std::memcmp(points.data(), mesh.nodes.data(), mesh.nodes.size() * sizeof(Point)) == 0);
    CHECK(values_of<int>(arrays.at("connectivity")) == mesh.cell_nodes);
    const int each = mesh.dims + 1;
    CHECK(values_of<std::int64_t>(arrays.at("offsets")) == std::vector<std::int64_t>{each, 2 * each});
    const std::uint8_t type = mesh.dims == 2 ? 5 : 10;
    CHECK(values_of<std::uint8_t>(arrays.at("types")) == std::vector<std::uint8_t>{type, type});
    const ReadArray& cells = arrays.at("p &amp; &lt;q&gt;");
    CHECK((cells.section == "CellData" && cells.components == 1 && values_of<double>(cells) == pressure));
    const ReadArray& nodes = arrays.at("velocity");
    CHECK((nodes.section == "PointData" && nodes.components == 3 && values_of<double>(nodes) == velocity));
  }
}

TEST_CASE("fields of faces, and fields of the wrong length, are errors that name the field") {
  const Mesh mesh = read_msh(square_2_2, "test.msh").mesh;
  const std::vector<double> two{1, 2};
  const auto mentions = [&](const MeshField& field) {
    CHECK_THROWS_WITH(written(mesh, {field}), ContainsSubstring("field 'u'"));
  };
  mentions({"u", Entity::face, 1, two});
  mentions({"u", Entity::node, 1, two});
  mentions({"u", Entity::cell, 3, two});
  mentions({"u", Entity::cell, 0, {}});
}

TEST_CASE("a VTK file that cannot be written is an error") {
  const Mesh mesh = read_msh(square_2_2, "test.msh").mesh;
  CHECK_THROWS_AS(write_vtu(mesh, {}, std::string("/absent/mesh.vtu")), MeshFileError);
}
