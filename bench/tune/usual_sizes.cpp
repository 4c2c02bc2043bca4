#include "bench/tune/usual_sizes.hpp"

#include "bench/case/row_settings.hpp"

namespace cfdmark {
namespace {

// Jacobi takes 7660 iterations on 64x64 and more than its limit of 10000 on 90x90.
bool is_slow(const Row& row) { return row.family && find_solver(*row.family, row.name)->is_slow; }

// Returns true if the fields on 256x256x256 take longer to fill, seconds per process, than to measure. 5x5
// blocks have 150 numbers per cell; on 128x128x128 they exceed all caches too.
bool has_large_fields(const Row& row) {
  constexpr double most_bytes = 8e9;
  return row.kind == RowKind::kernel && row.in_3d && row.field_bytes &&
         row.field_bytes(Grid{256, 256, 256}, workload_space(row).defaults()) > most_bytes;
}

}  // namespace

AskedSizes usual_size(const Row& row, TunedDims dims) {
  const bool solver = row.kind == RowKind::solver;
  AskedSizes sizes;
  if (dims.in_2d)
    sizes.grids = {is_slow(row) ? "64x64" : solver ? "513x513" : "2048x2048"};
  else
    sizes.grids = {solver ? "32x32x32" : has_large_fields(row) ? "128x128x128" : "256x256x256"};
  return sizes;
}

AskedSizes usual_ladders(const Row& row, TunedDims dims) {
  const bool solver = row.kind == RowKind::solver;
  AskedSizes sizes;
  if (dims.in_2d) sizes.ladders.push_back(is_slow(row) ? "32..64" : solver ? "128..1024" : "128..8192");
  if (dims.in_3d)
    sizes.ladders.push_back(is_slow(row)                      ? "16x16x16..32x32x32"
                            : solver || has_large_fields(row) ? "32x32x32..128x128x128"
                                                              : "32x32x32..256x256x256");
  return sizes;
}

AskedSizes sizes_to_check(const Row& row, TunedDims dims) {
  AskedSizes sizes;
  const auto take = [&](std::initializer_list<const char*> grids) {
    sizes.grids.insert(sizes.grids.end(), grids.begin(), grids.end());
  };
  const bool slow = is_slow(row), kernel = row.kind == RowKind::kernel;
  if (dims.in_2d && slow) take({"40x40", "57x57"});
  if (dims.in_2d && !slow) take({"200x200", "317x317", "431x433", "600x600", "901x900"});
  if (dims.in_2d && kernel)
    take({"1200x1201", "1500x1500", "2100x2099", "3000x3000", "4501x4500", "6001x6001", "9000x9000"});
  if (dims.in_3d && slow) take({"20x20x20", "27x27x27"});
  if (dims.in_3d && !slow) take({"50x50x50", "75x76x75", "101x101x101"});
  if (dims.in_3d && kernel) take({"150x150x150", "201x200x201"});
  return sizes;
}

}  // namespace cfdmark
