// The roof: the bandwidth that the better of copy and triad reaches here and now, on fields that leave the
// caches.
#pragma once

#include <functional>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// What one roof holds for: a device, how values are stored, and the threads where a method has that choice.
struct RoofKey {
  DeviceId device;
  Precision storage = Precision::fp64;
  Config config;  // {"threads": n} or nothing

  bool operator==(const RoofKey&) const = default;
};
RoofKey roof_key(const Case&);
// "openmp/fp64:threads=2", "cuda:1/fp64"
std::string roof_name(const RoofKey&);

// Cells a side of the square fields that a roof is measured on. A field is twice the last cache, and at least
// 64 MiB on the host, 512 MiB on a device, so that launches cost nothing; but all three never take more than
// a quarter of the free memory.
Grid roof_grid(const Backend&, Precision storage);

// Entries of the environment's `roofs`: for copy and for triad the best of the device's methods. On a host
// their bytes include the lines that stores read first, which `write_allocate` says. `entering` is called now
// and then while it runs.
Json measure_roof(
    const RoofKey&, const std::function<void()>& entering = [] {});

// One of them. `bytes_per_second`: with its interval, from the times.
Json roof_entry(const RoofKey&, const std::string& kernel, const MedianInterval& bytes_per_second);
// What an entry holds for.
RoofKey roof_key_of(const Json& entry);

// The `roof` object of a record: the best of the entries for this key; null if it was not measured.
Json find_roof(const Json& roofs, const RoofKey&);

}  // namespace cfdmark
