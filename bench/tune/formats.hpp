// Recorded spaces in the formats that autotuners share: T1 describes a tuning problem, T4 the results of a
// search (github.com/odgaard/TuningSchema, read 2026; van Werkhoven and others use both in Kernel Tuner, and
// Willemsen and others in A methodology for comparing auto-tuning optimization algorithms, 2024).
#pragma once

#include "bench/tune/recorded_space.hpp"

namespace cfdmark::tuning {

// Parameters with their values and the condition that leaves exactly the recorded configs, and how the kernel
// is launched. A method is the string parameter `method`; a parameter that a method lacks is 0 there. Throws
// std::invalid_argument for a space that is not of CUDA: T1 has no other language of ours.
Json t1_json(const RecordedSpace&);

// One result a candidate: its samples in seconds, what it cost besides, and how it ended. Any backend.
Json t4_json(const RecordedSpace&);

}  // namespace cfdmark::tuning
