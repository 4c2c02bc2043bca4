#include "kernels/cells/recorded_reads.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cfdmark {

std::string halo_text(const std::string& kernel, const ReadOffset& read, int dims, int halo, int needed,
                      const SourcePlace& described_at) {
  const auto& [di, dj, dk] = read.offset;
  const std::string offset =
      dims == 3 ? fmt::format("{}, {}, {}", di, dj, dk) : fmt::format("{}, {}", di, dj);
  const std::string header = std::filesystem::path(described_at.file).stem().string() + ".hpp";
  return fmt::format("{} reads {}({}) outside its halo of {}: add `static constexpr int halo = {};` in {}",
                     kernel, read.field, offset, halo, needed, header);
}

}  // namespace cfdmark
