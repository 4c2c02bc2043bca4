// A catalog of cases that go wrong, each in its own way, and of sound ones beside them.
#pragma once

#include <vector>

#include "bench/catalog/case.hpp"

// Kernels, all serial, fp64, plain:
//   sound              counts
//   wrong              fails its verification with NaN
//   throws             throws std::runtime_error in its step, in verification
//   refuses            throws std::invalid_argument while it is prepared
//   crashes_preparing, crashes_measured   SIGSEGV while it is prepared; when it has run for the fourth time
//   hangs              for ever, in verification
//   loses_device       throws DeviceLost in verification
//   too_large          claims 10^18 bytes, and crashes if anybody prepares it nevertheless
//   lucky              far slower in every process but the first ($CFDMARK_TEST_SEEN: a file to note it in)
//   crashes_again      SIGSEGV in every process but the first
//   impossible         claims to move 10^15 bytes a step, of 10^13 bytes of fields
//   solves             sound; a step takes 50 ms, and is measured from a new start each time
//   copy               sound, but throws DeviceLost if $CFDMARK_TEST_DEVICE_IS_GONE is set
//   tunable            has most of these as methods, does_not_compile, and
//                      slow, the default: six times the time of sound
//                      quick_if_small, quick_if_large: as sound up to 16 cells a side, or from there on; else
//                      twice the time of slow
//                      prepares_slowly: up to 16 cells a side in a second; a file tells in which
//                      processes ($CFDMARK_TEST_PROCESSES)
const std::vector<cfdmark::Row>& faulty_rows();

// The case of that row on a grid of n x n. Fails the test if there is none.
cfdmark::Case faulty_case(const std::string& name, int n = 8);
