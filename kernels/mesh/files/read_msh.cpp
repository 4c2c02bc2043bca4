#include "kernels/mesh/files/read_msh.hpp"

#include "kernels/mesh/files/check_content.hpp"
#include "kernels/mesh/files/file_bytes.hpp"
#include "kernels/mesh/files/msh_2_2.hpp"
#include "kernels/mesh/files/msh_4_1.hpp"
#include "kernels/mesh/files/msh_sections.hpp"

namespace cfdmark {

MeshFile read_msh(std::string_view bytes, const std::string& file) {
  TokenSource source(bytes, file);
  const MshHeader header = read_msh_header(source);
  MshBuilder builder(source);
  (header.is_4_1 ? read_msh_4_1 : read_msh_2_2)(source, builder);
  return checked_mesh(builder.take());
}

MeshFile read_msh_file(const std::string& path) {
  const FileBytes bytes(path);
  return read_msh(bytes.view(), path);
}

}  // namespace cfdmark
