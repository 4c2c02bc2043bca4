// What the tests of sweeps share: a small catalog of their own, and sweeps from text.
#pragma once

#include <string>
#include <vector>

#include "bench/sweep/sweep.hpp"

namespace cfdmark {

// Kernels jacobi (serial, openmp, cuda), red_black_sor (the same, and the cuda method split) and smoothing
// (serial, 3-D only); solvers cg (serial, openmp) and sor (serial). In fp32 and fp64. OpenMP has 4 threads;
// cuda has block_x, block_y and no device; kokkos was not built.
const std::vector<Row>& small_catalog();

// Expands a sweep file of this text.
Sweep sweep_of(const std::string& text, const SweepOptions& = {}, const std::vector<Row>& = small_catalog());

// Expands a sweep with one block of this text, whose lines need no indentation.
Sweep sweep_of_block(const std::string& block, const SweepOptions& = {},
                     const std::vector<Row>& = small_catalog());

std::vector<std::string> names(const Sweep&);

// The complaint that the text earns, without the file's folder: "sweep.yaml:3:5: unknown key ...". "" if
// none.
std::string complaint(const std::string& text);
// The same for a block; its first line is line 3 of the file, and its columns begin at 5.
std::string complaint_of_block(const std::string& block);

}  // namespace cfdmark
