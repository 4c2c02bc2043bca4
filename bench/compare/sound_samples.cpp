#include "bench/compare/sound_samples.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/compare/record_facts.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

constexpr double absurd = 1000;  // times the median, or a part of it

bool is_time(const Json& sample) {
  return sample.is_number() && std::isfinite(sample.get<double>()) && sample.get<double>() > 0;
}

}  // namespace

SoundSamples sound_samples(const Json& record) {
  SoundSamples sound;
  const Json* samples = fact(record, "/time/samples");
  if (!samples || !samples->is_array()) return sound;
  for (const Json& sample : *samples)
    if (is_time(sample)) sound.kept.push_back(sample.get<double>());
  const std::size_t no_times = samples->size() - sound.kept.size();
  std::size_t far_off = 0;
  if (!sound.kept.empty()) {
    const double middle = median(sound.kept);
    far_off = std::erase_if(sound.kept, [&](double s) { return s > absurd * middle || s < middle / absurd; });
  }
  if (no_times > 0)
    sound.left_out = fmt::format("{} of {} samples are no times above zero", no_times, samples->size());
  if (far_off > 0)
    sound.left_out +=
        fmt::format("{}{} of {} samples are a thousand times longer or shorter than their median",
                    no_times > 0 ? ", " : "", far_off, samples->size());
  return sound;
}

}  // namespace cfdmark::compare
