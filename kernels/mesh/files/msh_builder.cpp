#include "kernels/mesh/files/msh_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cfdmark {

namespace {

std::string_view name_of(int type) {
  switch (type) {
    case 3: return "quadrangles";
    case 5: return "hexahedra";
    case 6: return "prisms";
    case 7: return "pyramids";
    case 8: return "lines of 2nd order";
    case 9: return "triangles of 2nd order";
    case 11: return "tetrahedra of 2nd order";
    default: return "elements of an unknown type";
  }
}

}  // namespace

int nodes_of(int type, const TokenSource& source) {
  switch (MshElement(type)) {
    case MshElement::point: return 1;
    case MshElement::line: return 2;
    case MshElement::triangle: return 3;
    case MshElement::tetrahedron: return 4;
  }
  source.fail(
      MeshFault::unsupported_element,
      fmt::format("element type {} ({}): only points, lines, triangles and tetrahedra of 1st order can be "
                  "read; mesh with these alone",
                  type, name_of(type)));
}

ElementList* MshBuilder::list_of(MshElement type) {
  switch (type) {
    case MshElement::line: return &content_.lines;
    case MshElement::triangle: return &content_.triangles;
    case MshElement::tetrahedron: return &content_.tetrahedra;
    case MshElement::point: break;
  }
  return nullptr;
}

void MshBuilder::reserve_nodes(std::int64_t count) {
  content_.nodes.numbers.reserve(std::size_t(count));
  content_.nodes.places.reserve(std::size_t(count));
  content_.nodes.points.reserve(std::size_t(count));
}

void MshBuilder::read_point() {
  Point point;
  for (double& x : point) {
    x = source_.real();
    if (!(std::abs(x) <= largest_coordinate))
      source_.fail(MeshFault::bad_coordinate,
                   fmt::format("coordinate {}: expected a finite number up to {}", x, largest_coordinate));
  }
  content_.nodes.points.push_back(point);
}

void MshBuilder::add_node_number(std::int64_t number) {
  content_.nodes.numbers.push_back(number);
  content_.nodes.places.push_back(source_.place());
}

void MshBuilder::end_nodes() { numbers_.emplace(content_.nodes, source_.origin()); }

void MshBuilder::reserve_elements(MshElement type, std::int64_t count) {
  ElementList* list = list_of(type);
  if (!list) return;
  const std::size_t size = list->size() + std::size_t(count);
  // At least doubled, so that many small blocks do not copy what came before them each time.
  const std::size_t wanted = size <= list->numbers.capacity() ? 0 : std::max(size, 2 * list->size());
  if (wanted == 0) return;
  list->nodes.reserve(wanted * std::size_t(list->nodes_each));
  list->numbers.reserve(wanted);
  list->places.reserve(wanted);
  list->tag_sets.reserve(wanted);
}

void MshBuilder::read_element(MshElement type, std::int64_t number, std::int64_t place, int tag_set,
                              bool wide) {
  ElementList* list = list_of(type);
  const int count = list ? list->nodes_each : 1;
  for (int i = 0; i < count; ++i) {
    const std::int64_t node = wide ? source_.int64() : source_.id();
    const int index = numbers_->index_of(node);
    if (index < 0)
      source_.fail(MeshFault::unknown_node,
                   fmt::format("element {} names node {}, which the file lacks", number, node));
    if (list) list->nodes.push_back(index);
  }
  if (!list) return;
  list->numbers.push_back(number);
  list->places.push_back(place);
  list->tag_sets.push_back(tag_set);
}

int MshBuilder::tag_set(const std::vector<int>& tags) {
  const auto [found, is_new] = tag_sets_.try_emplace(tags, int(content_.tag_sets.size()));
  if (is_new) content_.tag_sets.push_back(tags);
  return found->second;
}

int MshBuilder::tag_set(int tag) {
  if (last_set_ >= 0 && tag == last_tag_) return last_set_;
  last_set_ = tag_set(std::vector<int>{tag});
  last_tag_ = tag;
  return last_set_;
}

MeshContent MshBuilder::take() {
  content_.origin = source_.origin();
  return std::move(content_);
}

}  // namespace cfdmark
