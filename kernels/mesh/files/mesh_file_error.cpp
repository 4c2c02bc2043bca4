#include "kernels/mesh/files/mesh_file_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace cfdmark {

namespace {

std::string message(const std::string& file, PlaceUnit unit, std::int64_t place, const std::string& text) {
  switch (unit) {
    case PlaceUnit::line: return fmt::format("{}:{}: {}", file, place, text);
    case PlaceUnit::byte: return fmt::format("{}: byte {}: {}", file, place, text);
    case PlaceUnit::file: break;
  }
  return fmt::format("{}: {}", file, text);
}

}  // namespace

std::string_view to_string(MeshFault fault) {
  switch (fault) {
    case MeshFault::unreadable: return "unreadable";
    case MeshFault::unwritable: return "unwritable";
    case MeshFault::unknown_format: return "unknown_format";
    case MeshFault::byte_order: return "byte_order";
    case MeshFault::truncated: return "truncated";
    case MeshFault::bad_token: return "bad_token";
    case MeshFault::bad_section: return "bad_section";
    case MeshFault::wrong_count: return "wrong_count";
    case MeshFault::bad_coordinate: return "bad_coordinate";
    case MeshFault::repeated_number: return "repeated_number";
    case MeshFault::unknown_node: return "unknown_node";
    case MeshFault::repeated_node: return "repeated_node";
    case MeshFault::unsupported_element: return "unsupported_element";
    case MeshFault::no_cells: return "no_cells";
    case MeshFault::not_planar: return "not_planar";
    case MeshFault::zero_volume: return "zero_volume";
    case MeshFault::duplicate_element: return "duplicate_element";
    case MeshFault::overlapping_cells: return "overlapping_cells";
    case MeshFault::non_manifold: return "non_manifold";
    case MeshFault::loose_face: return "loose_face";
    case MeshFault::wrong_checksum: return "wrong_checksum";
    case MeshFault::too_large: break;
  }
  return "too_large";
}

MeshFileError::MeshFileError(std::string file_name, PlaceUnit unit_of_place, std::int64_t place_in_file,
                             MeshFault why, const std::string& text)
    : std::runtime_error(message(file_name, unit_of_place, place_in_file, text)),
      file(std::move(file_name)),
      unit(unit_of_place),
      place(place_in_file),
      fault(why) {}

void MeshOrigin::fail(std::int64_t place, MeshFault fault, const std::string& text) const {
  throw MeshFileError(file, unit, place, fault, text);
}

std::string MeshOrigin::describe(std::int64_t place) const {
  return fmt::format("{} {}", unit == PlaceUnit::byte ? "byte" : "line", place);
}

}  // namespace cfdmark
