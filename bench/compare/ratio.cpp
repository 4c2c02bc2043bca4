#include "bench/compare/ratio.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

using StudentsT = boost::math::students_t;

constexpr int resamplings = 500;  // enough for an error known to about 3 %

// Draws blocks of neighbouring samples with replacement, since neighbours are correlated: the circular block
// bootstrap (D. Politis and J. Romano, A circular block-resampling procedure for stationary data, 1992).
// Blocks are about the cube root of the number of samples long.
class Resampler {
 public:
  explicit Resampler(std::uint64_t seed) : random_(seed) {}

  std::size_t index(std::size_t n) { return std::size_t(random_() % n); }

  Samples operator()(const Samples& samples) {
    const std::size_t n = samples.size(), block = std::size_t(std::ceil(std::cbrt(double(n)) - 1e-9));
    Samples drawn(n);
    for (std::size_t k = 0, start = 0; k < n; ++k) {
      if (k % block == 0) start = index(n);
      drawn[k] = samples[(start + k % block) % n];
    }
    return drawn;
  }

 private:
  std::mt19937_64 random_;
};

double log_time(const Samples& samples, std::size_t processes) {
  return std::log(step_time(samples, processes));
}

// The processes of the sides, paired.
class Pairs {
 public:
  Pairs(const Processes& base, const Processes& now, const Processes* again, Pairing pairing)
      : base_(base), now_(now), again_(again) {
    if (pairing == Pairing::samples)
      for (std::size_t n = 0; n < count(); ++n) logs_of_samples_.push_back(logs_of_samples(n));
  }

  std::size_t count() const { return base_.size(); }

  // Returns the logarithm of pair n's ratio, after `drawn` has resampled its samples.
  template <class Drawn>
  double log(std::size_t n, Drawn&& drawn) const {
    if (!logs_of_samples_.empty()) return median(drawn(logs_of_samples_[n]));
    double of_base = log_time(drawn(base_[n]), count());
    if (again_) of_base = (of_base + log_time(drawn((*again_)[n]), count())) / 2;
    return log_time(drawn(now_[n]), count()) - of_base;
  }
  double log(std::size_t n) const {
    return log(n, [](const Samples& all) { return all; });
  }

 private:
  Samples logs_of_samples(std::size_t n) const {
    Samples logs;
    for (std::size_t k = 0; k < base_[n].size(); ++k) {
      double of_base = std::log(base_[n][k]);
      if (again_) of_base = (of_base + std::log((*again_)[n][k])) / 2;
      logs.push_back(std::log(now_[n][k]) - of_base);
    }
    return logs;
  }

  const Processes &base_, &now_;
  const Processes* again_;
  std::vector<Samples> logs_of_samples_;  // by pair; only if samples are paired
};

double standard_deviation(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / double(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / double(values.size() - 1));
}

double bootstrap_error(const Pairs& pairs, std::uint64_t seed) {
  Resampler draw(seed);
  std::vector<double> estimates(resamplings), logs(pairs.count());
  for (double& estimate : estimates) {
    for (double& log : logs) log = pairs.log(draw.index(pairs.count()), draw);
    estimate = median(logs);
  }
  return standard_deviation(estimates);
}

double tail(double difference, double error, double degrees_of_freedom) {
  if (error > 0) return cdf(complement(StudentsT(degrees_of_freedom), difference / error));
  return difference > 0 ? 0 : difference < 0 ? 1 : 0.5;
}

void check(const Processes& base, const Processes& now, Pairing pairing) {
  if (base.empty() || base.size() != now.size())
    throw std::invalid_argument("the two sides must have the same number of processes, and at least one");
  for (const Processes* side : {&base, &now})
    for (const Samples& samples : *side)
      if (samples.empty()) throw std::invalid_argument("a process has no samples");
  for (std::size_t n = 0; pairing == Pairing::samples && n < base.size(); ++n)
    if (base[n].size() != now[n].size())
      throw std::invalid_argument("paired processes must have equally many samples");
}

}  // namespace

double step_time(Samples samples, std::size_t processes) {
  if (processes == 1) return median(std::move(samples));
  // The value that a quarter of the others do not exceed; of 1 to 4 values the minimum.
  const auto quarter = samples.begin() + std::ptrdiff_t((samples.size() - 1) / 4);
  std::nth_element(samples.begin(), quarter, samples.end());
  return *quarter;
}

double Ratio::ratio() const { return std::exp(log); }

Ratio::Interval Ratio::interval(double confidence) const {
  if (!error_is_known()) return {0, std::numeric_limits<double>::infinity()};
  const double half =
      standard_error * quantile(complement(StudentsT(degrees_of_freedom), (1 - confidence) / 2));
  return {std::exp(log - half), std::exp(log + half)};
}

double Ratio::p_above(double log_ratio) const {
  return error_is_known() ? tail(log - log_ratio, standard_error, degrees_of_freedom) : 1;
}

double Ratio::p_below(double log_ratio) const {
  return error_is_known() ? tail(log_ratio - log, standard_error, degrees_of_freedom) : 1;
}

// With few units the plain bootstrap's intervals are too narrow: its error lacks a factor of sqrt(n/(n-1)),
// and its quantiles are those of the normal distribution (T. Hesterberg, What teachers should know about the
// bootstrap, The American Statistician 69 (2015) 371). So the bootstrap supplies the error only, and
// Student's t the probabilities.
Ratio estimate_ratio(const Processes& base, const Processes& now, std::uint64_t seed,
                     const Processes* base_again, Pairing pairing) {
  check(base, now, pairing);
  if (base_again) check(*base_again, now, pairing);
  const Pairs pairs(base, now, base_again, pairing);
  std::vector<double> logs;
  std::size_t units = pairs.count();
  for (std::size_t n = 0; n < units; ++n) logs.push_back(pairs.log(n));
  if (units == 1) units = std::min(base[0].size(), now[0].size());
  Ratio ratio{median(logs), 0, double(units) - 1};
  if (units > 1)
    ratio.standard_error = bootstrap_error(pairs, seed) * std::sqrt(double(units) / double(units - 1));
  return ratio;
}

}  // namespace cfdmark::compare
