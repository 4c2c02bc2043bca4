// Collects the nodes and elements of a Gmsh file while it is parsed.
#pragma once

#include <map>
#include <optional>

#include "kernels/mesh/files/mesh_content.hpp"
#include "kernels/mesh/files/node_numbers.hpp"
#include "kernels/mesh/files/token_source.hpp"

namespace cfdmark {

// The element types of Gmsh that a mesh of triangles or tetrahedra may contain.
enum class MshElement { line = 1, triangle = 2, tetrahedron = 4, point = 15 };

// Returns the number of nodes of a type. Throws MeshFileError (unsupported_element) for any other type.
int nodes_of(int type, const TokenSource&);

class MshBuilder {
 public:
  explicit MshBuilder(TokenSource& source) : source_(source) {}

  void reserve_nodes(std::int64_t count);
  void add_node_number(std::int64_t number);  // at the source's place
  // Reads x, y and z of the next node. Throws MeshFileError (bad_coordinate, bad_token, truncated).
  void read_point();
  // Ends the list of nodes; elements follow. Throws MeshFileError (repeated_number).
  void end_nodes();
  bool has_nodes() const { return numbers_.has_value(); }

  // Reads the nodes of an element. Throws MeshFileError (unknown_node, bad_token, truncated). `wide`: in
  // binary numbers are of 64 bits, not 32.
  void read_element(MshElement type, std::int64_t number, std::int64_t place, int tag_set, bool wide);
  void reserve_elements(MshElement type, std::int64_t count);

  // Returns the index of a set of physical tags, which is added if it is new.
  int tag_set(const std::vector<int>& tags);
  int tag_set(int tag);  // of one tag
  void add_group(const PhysicalGroup& group) { content_.groups.push_back(group); }

  // Returns everything that was added, with the places of the source.
  MeshContent take();

 private:
  ElementList* list_of(MshElement type);

  TokenSource& source_;
  MeshContent content_;
  std::optional<NodeNumbers> numbers_;
  std::map<std::vector<int>, int> tag_sets_{{{}, 0}};
  int last_tag_ = 0, last_set_ = -1;  // neighbours in a file mostly have one tag
};

}  // namespace cfdmark
