// Mesh files that are refused: the reason, and the line or byte.
#include <fmt/format.h>

#include "tests/mesh/files/mesh_texts.hpp"

using namespace cfdmark;

namespace {

Refusal refusal_of_square(const std::string& part, const std::string& replacement) {
  return refusal_of(with(square_2_2, part, replacement));
}

Refusal refusal_of_square_4_1(const std::string& part, const std::string& replacement) {
  return refusal_of(with(square_4_1, part, replacement));
}

Refusal refusal_of_pair(const std::string& part, const std::string& replacement) {
  return refusal_of(with(pair_2_2, part, replacement));
}

}  // namespace

TEST_CASE("an error begins with file and line, and has a reason in words") {
  try {
    read_msh(with(square_2_2, "2 1 0 0", "2 1 x 0"), "test.msh");
    FAIL("the file was accepted");
  } catch (const MeshFileError& error) {
    CHECK(std::string(error.what()) == "test.msh:12: expected a number, found 'x'");
    CHECK(error.unit == PlaceUnit::line);
  }
}

TEST_CASE("what is not version 2.2 or 4.1 is refused") {
  CHECK(refusal_of("") == Refusal{MeshFault::unknown_format, 1});
  CHECK(refusal_of("\x7f"
                   "ELF") == Refusal{MeshFault::unknown_format, 1});
  CHECK(refusal_of_square("2.2 0 8", "4.0 0 8") == Refusal{MeshFault::unknown_format, 2});
  CHECK(refusal_of_square("2.2 0 8", "2.2 0 4") == Refusal{MeshFault::unknown_format, 2});
  CHECK(refusal_of_square("2.2 0 8", "2.2 2 8") == Refusal{MeshFault::unknown_format, 2});
}

TEST_CASE("counts that differ from what follows are refused") {
  CHECK(refusal_of_square("$Nodes\n4", "$Nodes\n5") == Refusal{MeshFault::wrong_count, 15});
  CHECK(refusal_of_square("$Nodes\n4", "$Nodes\n3") == Refusal{MeshFault::wrong_count, 14});
  CHECK(refusal_of_square("$Nodes\n4", "$Nodes\n-4") == Refusal{MeshFault::wrong_count, 10});
  CHECK(refusal_of_square("ts\n5", "ts\n6") == Refusal{MeshFault::wrong_count, 23});
  CHECK(refusal_of_square("ts\n5", "ts\n4") == Refusal{MeshFault::wrong_count, 22});
  CHECK(refusal_of_square("Names\n2", "Names\n3") == Refusal{MeshFault::wrong_count, 8});
  CHECK(refusal_of_square("Names\n2", "Names\n1") == Refusal{MeshFault::wrong_count, 7});
}

TEST_CASE("counts of blocks that differ from those of the section are refused") {
  CHECK(refusal_of_square_4_1("2 4 1 4", "2 5 1 4") == Refusal{MeshFault::wrong_count, 27});
  CHECK(refusal_of_square_4_1("2 4 1 4", "2 3 1 4") == Refusal{MeshFault::wrong_count, 21});
  CHECK(refusal_of_square_4_1("2 4 1 4", "3 4 1 4") == Refusal{MeshFault::wrong_count, 28});
  CHECK(refusal_of_square_4_1("2 4 1 4", "2 4 1 3") == Refusal{MeshFault::wrong_count, 24});
  CHECK(refusal_of_square_4_1("4 5 1 5", "4 6 1 5") == Refusal{MeshFault::wrong_count, 39});
  CHECK(refusal_of_square_4_1("4 5 1 5", "4 5 2 5") == Refusal{MeshFault::wrong_count, 32});
  CHECK(refusal_of_square_4_1("1 2 1 0", "1 3 1 0") == Refusal{MeshFault::wrong_count, 15});
}

TEST_CASE("a file that announces more than it holds is refused at once") {
  CHECK(refusal_of_square("$Nodes\n4", "$Nodes\n1000000000") == Refusal{MeshFault::truncated, 10});
  CHECK(refusal_of_square("ts\n5", "ts\n1000000000") == Refusal{MeshFault::truncated, 17});
  CHECK(refusal_of_square("ts\n5", "ts\n9223372036854775807") == Refusal{MeshFault::truncated, 17});
  CHECK(refusal_of_square_4_1("2 4 1 4", "1000000000 4 1 4") == Refusal{MeshFault::truncated, 17});
  CHECK(refusal_of_square_4_1("2 4 1 4", "2 1000000000 1 4") == Refusal{MeshFault::truncated, 17});
  CHECK(refusal_of_square_4_1("4 5 1 5", "4 1000000000 1 5") == Refusal{MeshFault::truncated, 30});
  CHECK(refusal_of_square_4_1("1 2 1 0", "1 1000000000 1 0") == Refusal{MeshFault::truncated, 10});
  CHECK(refusal_of_square_4_1("1 7 2 3", "1000000000 7 2 3") == Refusal{MeshFault::truncated, 13});
}

TEST_CASE("every proper part of a file that begins it is refused") {
  for (const std::string& whole : {square_2_2, square_4_1, pair_2_2})
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
      INFO(whole.substr(0, size));
      CHECK_THROWS_AS(read_msh(whole.substr(0, size), "test.msh"), MeshFileError);
    }
}

TEST_CASE("a file that ends within nodes or elements is truncated") {
  CHECK(refusal_of(square_2_2.substr(0, square_2_2.find("4 0 1 0"))) == Refusal{MeshFault::truncated, 10});
  CHECK(refusal_of(square_2_2.substr(0, square_2_2.find("$EndElements"))) ==
        Refusal{MeshFault::truncated, 23});
  CHECK(refusal_of(square_2_2.substr(0, square_2_2.find("3 4\n$End"))) == Refusal{MeshFault::truncated, 22});
}

TEST_CASE("lines with too little, too much or other text are refused") {
  CHECK(refusal_of_square("2 1 0 0", "2 1 0") == Refusal{MeshFault::bad_token, 12});
  CHECK(refusal_of_square("2 1 0 0", "2 1 0 0 0") == Refusal{MeshFault::bad_token, 12});
  CHECK(refusal_of_square("2 1 0 0", "2.5 1 0 0") == Refusal{MeshFault::bad_token, 12});
  CHECK(refusal_of_square("2 1 0 0", "2 1 0,0 0") == Refusal{MeshFault::bad_token, 12});
  CHECK(refusal_of_square("$Nodes\n4", "$Nodes\nfour") == Refusal{MeshFault::bad_token, 10});
  CHECK(refusal_of_square("1 2 3\n", "1 2 99999999999999999999\n") == Refusal{MeshFault::bad_token, 21});
  CHECK(refusal_of_square("4 2 2 0", "4 2 -1 0") == Refusal{MeshFault::bad_token, 21});
  CHECK(refusal_of_square("4 2 2 0", "4 2 2 3000000000") == Refusal{MeshFault::bad_token, 21});
  CHECK(refusal_of_square("1 7 \"lid\"", "1 7 lid") == Refusal{MeshFault::bad_token, 6});
  CHECK(refusal_of_square("1 7 \"lid\"", "4 7 \"lid\"") == Refusal{MeshFault::bad_token, 6});
  CHECK(refusal_of_square_4_1("0 1 0 1\n", "4 1 0 1\n") == Refusal{MeshFault::bad_token, 18});
  CHECK(refusal_of_square_4_1("0 1 0 1\n", "0 1 2 1\n") == Refusal{MeshFault::bad_token, 18});
}

TEST_CASE("missing, repeated, misplaced and stray sections are refused") {
  const std::string elements = square_2_2.substr(square_2_2.find("$Elements"));
  const std::string before = square_2_2.substr(0, square_2_2.find("$Nodes"));
  CHECK(refusal_of(before) == Refusal{MeshFault::bad_section, 9});
  CHECK(refusal_of(before + elements) == Refusal{MeshFault::bad_section, 9});
  CHECK(refusal_of(square_2_2.substr(0, square_2_2.find("$Elements"))) ==
        Refusal{MeshFault::bad_section, 16});
  CHECK(refusal_of(square_2_2 + elements) == Refusal{MeshFault::bad_section, 24});
  CHECK(refusal_of(square_2_2 + "1 2 3\n") == Refusal{MeshFault::bad_section, 24});
  CHECK(refusal_of(square_2_2 + "$EndNodes\n") == Refusal{MeshFault::bad_section, 24});
  CHECK(refusal_of(square_2_2 + "$NodeData\n1\n") == Refusal{MeshFault::truncated, 24});
  CHECK(refusal_of_square("$Nodes\n", "$ParametricNodes\n") == Refusal{MeshFault::bad_section, 9});
  CHECK(refusal_of_square_4_1("$Entities", "$PartitionedEntities") == Refusal{MeshFault::bad_section, 9});
  CHECK(refusal_of(square_4_1 + "$Entities\n0 0 0 0\n$EndEntities\n") == Refusal{MeshFault::bad_section, 41});
}

TEST_CASE("coordinates that are not finite or beyond 1e100 are refused") {
  for (const char* x : {"nan", "-nan", "inf", "-inf", "1e101", "1e400"})
    CHECK(refusal_of_square("2 1 0 0", fmt::format("2 {} 0 0", x)) == Refusal{MeshFault::bad_coordinate, 12});
  CHECK(refusal_of_square_4_1("\n1 0 0\n1 1 0", "\n1 0 nan\n1 1 0") ==
        Refusal{MeshFault::bad_coordinate, 25});
}

TEST_CASE("two nodes of one number are refused, with and without wide gaps") {
  CHECK(refusal_of_square("2 1 0 0", "4 1 0 0") == Refusal{MeshFault::repeated_number, 14});
  const std::string wide = with(square_2_2, "\n3 1 1 0", "\n900000000000 1 1 0");
  CHECK(refusal_of(with(wide, "2 1 0 0", "4 1 0 0")) == Refusal{MeshFault::repeated_number, 14});
}

TEST_CASE("an element that names a node twice, or one that is absent, is refused") {
  CHECK(refusal_of_square("1 3 4\n$", "1 3 5\n$") == Refusal{MeshFault::unknown_node, 22});
  CHECK(refusal_of_square("1 3 4\n$", "1 3 -1\n$") == Refusal{MeshFault::unknown_node, 22});
  CHECK(refusal_of_square("1 3 4\n$", "1 3 3\n$") == Refusal{MeshFault::repeated_node, 22});
  CHECK(refusal_of_square("3 3 4\n", "3 3 3\n") == Refusal{MeshFault::repeated_node, 20});
  CHECK(refusal_of_square("15 2 0 1 1", "15 2 0 1 6") == Refusal{MeshFault::unknown_node, 18});
  CHECK(refusal_of_square_4_1("5 1 3 4", "5 1 3 5") == Refusal{MeshFault::unknown_node, 39});
}

TEST_CASE("elements of other shapes or of higher order are refused") {
  CHECK(refusal_of_square("5 2 2 0 1 1 3 4", "5 3 2 0 1 1 2 3 4") ==
        Refusal{MeshFault::unsupported_element, 22});
  CHECK(refusal_of_square("5 2 2 0 1 1 3 4", "5 9 2 0 1 1 3 4 1 3 4") ==
        Refusal{MeshFault::unsupported_element, 22});
  CHECK(refusal_of_square_4_1("2 1 2 2", "2 1 -2 2") == Refusal{MeshFault::unsupported_element, 37});
}

TEST_CASE("a file without triangles and tetrahedra is refused") {
  const std::string nodes = square_2_2.substr(0, square_2_2.find("$Elements"));
  CHECK(refusal_of(nodes + "$Elements\n0\n$EndElements\n") == Refusal{MeshFault::no_cells, 0});
  CHECK(refusal_of(nodes + "$Elements\n1\n1 1 0 1 2\n$EndElements\n") == Refusal{MeshFault::no_cells, 0});
}

TEST_CASE("triangles out of a plane of constant z are refused") {
  CHECK(refusal_of_square("3 1 1 0", "3 1 1 1e-9") == Refusal{MeshFault::not_planar, 13});
}

TEST_CASE("cells without area or volume are refused") {
  CHECK(refusal_of_square("4 0 1 0", "4 3 3 0") == Refusal{MeshFault::zero_volume, 22});
  CHECK(refusal_of_square("4 0 1 0", "4 1 1 0") == Refusal{MeshFault::zero_volume, 22});
  CHECK(refusal_of_pair("5 1 1 1", "5 .5 .5 0") == Refusal{MeshFault::zero_volume, 16});
  CHECK(refusal_of_pair("5 1 1 1", "5 .1 .7 .2") == Refusal{MeshFault::zero_volume, 16});
}

TEST_CASE("flat cells of an aspect ratio of a million are accepted") {
  CHECK_NOTHROW(
      read_msh(with(with(square_2_2, "3 1 1 0", "3 1 1e-6 0"), "4 0 1 0", "4 0 1e-6 0"), "test.msh"));
  CHECK_NOTHROW(read_msh(with(pair_2_2, "4 0 0 1", "4 0 0 1e-6"), "test.msh"));
}

TEST_CASE("two elements of the same nodes are refused, whatever their orientation") {
  const std::string more = with(square_2_2, "ts\n5", "ts\n6");
  CHECK(refusal_of(with(more, "5 2 2 0 1 1 3 4\n", "5 2 2 0 1 1 3 4\n6 2 2 0 1 3 1 4\n")) ==
        Refusal{MeshFault::duplicate_element, 23});
  CHECK(refusal_of(with(more, "3 1 2 7 3 3 4\n", "3 1 2 7 3 3 4\n6 1 2 7 3 4 3\n")) ==
        Refusal{MeshFault::duplicate_element, 21});
  CHECK(refusal_of_pair("3 4 2 0 1 2 3 4 5", "3 4 2 0 1 4 3 1 2") ==
        Refusal{MeshFault::duplicate_element, 16});
}

TEST_CASE("the numbers of both duplicates are named") {
  try {
    read_msh(with(pair_2_2, "3 4 2 0 1 2 3 4 5", "77 4 2 0 1 4 3 1 2"), "test.msh");
    FAIL("the file was accepted");
  } catch (const MeshFileError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("element 77") && ContainsSubstring("element 2 at line 15"));
  }
}

TEST_CASE("two cells on the same side of their common face are refused") {
  CHECK(refusal_of_square("4 0 1 0", "4 .9 .1 0") == Refusal{MeshFault::overlapping_cells, 22});
  CHECK(refusal_of_pair("5 1 1 1", "5 .1 .1 .1") == Refusal{MeshFault::overlapping_cells, 16});
}

TEST_CASE("a face of three cells is refused") {
  const std::string square = with(with(square_2_2, "ts\n5", "ts\n6"), "$Nodes\n4\n", "$Nodes\n5\n5 -1 2 0\n");
  CHECK(refusal_of(with(square, "5 2 2 0 1 1 3 4\n", "5 2 2 0 1 1 3 4\n6 2 2 0 1 1 3 5\n")) ==
        Refusal{MeshFault::non_manifold, 24});
  const std::string pair = with(with(pair_2_2, "ts\n3", "ts\n4"), "$Nodes\n5\n", "$Nodes\n6\n6 2 2 2\n");
  CHECK(refusal_of(with(pair, "2 3 4 5\n", "2 3 4 5\n4 4 2 0 1 2 3 4 6\n")) ==
        Refusal{MeshFault::non_manifold, 18});
}

TEST_CASE("a boundary element that is not a face of a cell is refused") {
  CHECK(refusal_of_square("3 3 4\n", "3 2 4\n") == Refusal{MeshFault::loose_face, 20});
  CHECK(refusal_of_pair("1 3 2\n", "1 3 5\n") == Refusal{MeshFault::loose_face, 14});
}

TEST_CASE("a face of very many cells is refused in linear time") {
  constexpr int many = 200000;
  std::string nodes, cells;
  for (int n = 5; n < many; ++n) {
    nodes += fmt::format("{} {} 2 0\n", n, n);
    cells += fmt::format("{} 2 0 3 4 {}\n", n + 5, n);
  }
  const std::string text =
      with(with(square_2_2, "$Nodes\n4\n", fmt::format("$Nodes\n{}\n", many - 1) + nodes), "ts\n5\n",
           fmt::format("ts\n{}\n", many) + cells);
  CHECK(refusal_of(text).fault == MeshFault::non_manifold);
}
