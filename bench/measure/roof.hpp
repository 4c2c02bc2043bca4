// The roof: the bandwidth of copy or triad, whichever is higher, on fields larger than the caches.
#pragma once

#include <functional>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// Identifies a roof: device, storage precision, and threads where a method has that setting.
struct RoofKey {
  DeviceId device;
  Precision storage = Precision::fp64;
  Config config;  // {"threads": n} or empty

  bool operator==(const RoofKey&) const = default;
};
RoofKey roof_key(const Case&);
// Returns, for example, "openmp/fp64:threads=2" or "cuda:1/fp64".
std::string roof_name(const RoofKey&);

// Returns the square grid on which a roof is measured. A field is at least twice the last-level cache, and at
// least 64 MB on a host or 512 MB on a device, so that launches are negligible. All three together take at
// most a quarter of the free memory.
Grid roof_grid(const Backend&, Precision storage);

// Returns entries of the environment's `roofs`: the fastest method each for copy and triad. On a host the
// bytes include write-allocate traffic, as `write_allocate` says. `entering` is called from time to time.
Json measure_roof(
    const RoofKey&, const std::function<void()>& entering = [] {});

// Returns one entry, with the interval of its bandwidth.
Json roof_entry(const RoofKey&, const std::string& kernel, const MedianInterval& bytes_per_second);
// Returns the key of an entry.
RoofKey roof_key_of(const Json& entry);

// Returns the `roof` object of a record: the highest of the entries for this key; null if not measured.
Json find_roof(const Json& roofs, const RoofKey&);

}  // namespace cfdmark
