// Launches of launches.cu.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

inline Launch block_shares_launch(const Buffer& values, int n, const Buffer& shares, const Buffer& arrived,
                                  int blocks) {
  return {.function = {"tests/cuda_emulation/launches.cu", instance<double>("block_shares", {64})},
          .blocks = {blocks},
          .threads = {64},
          .arguments =
              Arguments(static_cast<const double*>(values.data()), n,
                        static_cast<volatile double*>(shares.data()), static_cast<unsigned*>(arrived.data())),
          .cooperative = true};
}

constexpr int transposed_side = 96;
constexpr int transposed_bytes = transposed_side * (transposed_side + 1) * int(sizeof(double));  // > 48 KiB

inline Launch transpose_launch(const Buffer& in, const Buffer& out, int nx, int ny) {
  const auto tiles = [](int n) { return (n + transposed_side - 1) / transposed_side; };
  return {
      .function = {"tests/cuda_emulation/launches.cu", instance<double>("transpose", {transposed_side})},
      .blocks = {tiles(nx), tiles(ny)},
      .threads = {32, 8},
      .arguments = Arguments(static_cast<const double*>(in.data()), static_cast<double*>(out.data()), nx, ny),
      .shared_bytes = transposed_bytes};
}

inline Launch affine_launch(const Buffer& out, const Buffer& in, double factor, double shift, int n,
                            int stream) {
  return {.function = {"tests/cuda_emulation/launches.cu", instance<double>("affine", {})},
          .blocks = {(n + 127) / 128},
          .threads = {128},
          .arguments = Arguments(static_cast<double*>(out.data()), static_cast<const double*>(in.data()),
                                 factor, shift, n),
          .stream = stream};
}

inline std::vector<Launch> one_of_each_launch() {
  return {block_shares_launch({}, 0, {}, {}, 1), transpose_launch({}, {}, 1, 1),
          affine_launch({}, {}, 1, 0, 1, 0)};
}

}  // namespace cfdmark
