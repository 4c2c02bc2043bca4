// Fuzzes a mesh file of Gmsh, text or binary.
#include "kernels/mesh/files/read_msh.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    cfdmark::read_msh(cfdmark::text_of(data, size), "fuzzed.msh");
  } catch (const cfdmark::MeshFileError&) {
  }
  return 0;
}
