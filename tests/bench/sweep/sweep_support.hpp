// Shared by the tests of sweeps: a small catalog, and sweeps from text.
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

// Returns the error of a sweep of this text without the folder of the file, such as "sweep.yaml:3:5: unknown
// key ..."; empty if there is none.
std::string complaint(const std::string& text);
// Returns the error of a block; its first line is line 3 of the file, and its columns start at 5.
std::string complaint_of_block(const std::string& block);

}  // namespace cfdmark
