// A catalog of cases that fail, each in its own way, and of sound ones.
#pragma once

#include <vector>

#include "bench/case/case.hpp"
#include "bench/worker/worker_rows.hpp"

// Kernels, all serial, fp64, plain:
//   sound              works
//   wrong              fails its verification with NaN
//   throws             throws std::runtime_error in its step, in verification
//   refuses            throws std::invalid_argument in preparation
//   crashes_preparing, crashes_measured   SIGSEGV in preparation; in the fourth run
//   hangs              forever, in verification
//   loses_device       throws DeviceLost in verification
//   too_large          claims 10^18 bytes, and crashes if it is prepared nevertheless
//   lucky              far slower in every process but the first ($CFDMARK_TEST_SEEN: a file that marks it)
//   crashes_again      SIGSEGV in every process but the first
//   impossible         claims to move 10^15 bytes per step, of 10^13 bytes of fields
//   solves             sound; a step takes 50 ms and starts from a reset
//   copy               sound, but throws DeviceLost if $CFDMARK_TEST_DEVICE_IS_GONE is set
//   tunable            has most of these as methods, and does_not_compile, and
//                      slow, the default: six times the time of sound
//                      quick_if_small, quick_if_large: like sound up to 16 cells per side, or above; else
//                      twice the time of slow
//                      prepares_slowly: takes a second up to 16 cells per side; a file lists the processes
//                      ($CFDMARK_TEST_PROCESSES)
const std::vector<cfdmark::Row>& faulty_rows();
// Returns the same as the catalog of a worker.
const cfdmark::WorkerRows& faulty_worker_rows();

// Returns the case of that row on a grid of n x n. Throws if there is none.
cfdmark::Case faulty_case(const std::string& name, int n = 8);
