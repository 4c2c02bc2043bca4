#include "bench/catalog/kernel_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/device/built.hpp"
#include "kernels/device/cuda/primitives/same_bits.hpp"

namespace cfdmark {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Returns true if every cell including ghosts has the same bits. Compares whole rows on all cores, because
// this dominates verification of large cases.
bool identical(const AnyView& a, const AnyView& b) {
  const Grid& g = a.grid;
  const std::size_t value = stored_bytes(a.storage), row = std::size_t(g.nx + 2 * g.halo) * value;
  const auto start = [&](const AnyView& f, int j, int k) {
    return static_cast<const char*>(f.origin) + (j * f.pitch + k * f.plane - g.halo) * Index(value);
  };
  bool same = true;
#pragma omp parallel for collapse(2) schedule(static) reduction(&& : same) if (g.cells() > 10000)
  for (int k = -g.halo_z(); k < g.nz + g.halo_z(); ++k)
    for (int j = -g.halo; j < g.ny + g.halo; ++j)
      same = same && std::memcmp(start(a, j, k), start(b, j, k), row) == 0;
  return same;
}

double value_at(const AnyView& view, int i, int j, int k) {
  return view.storage == Precision::fp64 ? view.as<const double>()(i, j, k)
                                         : double(view.as<const float>()(i, j, k));
}

struct KeptFields {
  std::string key;
  std::shared_ptr<KernelFields> fields;
};
// The last fields used on a GPU.
KeptFields& kept_fields() {
  static auto& kept = *new KeptFields;  // never destroyed: at exit the device may be gone first
  return kept;
}

}  // namespace

std::string first_difference(const AnyView& found, const AnyView& expected, double& max_error,
                             double tolerance) {
  max_error = 0;
  if (identical(found, expected)) return "";
  std::string first;
  for_each_cell(found.grid, true, [&](int i, int j, int k) {
    const double a = value_at(found, i, j, k), b = value_at(expected, i, j, k);
    if (same_bits(a, b)) return;
    const double error = std::abs(a - b);
    if (!(error <= max_error)) max_error = error;
    if (tolerance > 0 && error <= tolerance * std::abs(b)) return;  // false for NaN
    if (first.empty()) first = fmt::format("cell ({}, {}, {}) is {} where {} was expected", i, j, k, a, b);
  });
  return first;
}

KernelFields::KernelFields(Backend& backend, Precision storage, std::shared_ptr<const KernelProblem> problem)
    : backend_(&backend), problem_(std::move(problem)), result_(backend) {
  for (const auto& entry : entries()) {
    if (entry.is_written) written_.push_back({fields_.size(), {}});
    fields_.emplace_back(backend, entry.initial.grid(), storage);
    views_.push_back(fields_.back().view());
  }
  upload_all();
}

void KernelFields::upload_all() {
  for (std::size_t n = 0; n < fields_.size(); ++n) fields_[n].upload(entries()[n].initial);
  for (Written& w : written_)
    if (has_copies_) w.start.upload(start_of(w));
  for (ExpectedThere& there : device_reference_)
    if (const auto expected = there.on_host.lock())
      for (std::size_t n = 0; n < there.fields.size(); ++n) there.fields[n].upload(expected->fields[n]);
}

std::vector<HostField> KernelFields::written() const {
  std::vector<HostField> fields;
  for (const Written& w : written_) fields.push_back(fields_[w.index].download());
  return fields;
}

std::size_t KernelFields::bytes() const {
  std::size_t bytes = 0;
  for (const Field& field : fields_) bytes += field.bytes();
  return bytes;
}
std::size_t KernelFields::bytes_of_copies() const {
  std::size_t bytes = 0;
  for (const Written& w : written_)
    if (has_copies_) bytes += w.start.bytes();
  for (const ExpectedThere& there : device_reference_)
    for (const Field& field : there.fields) bytes += field.bytes();
  return bytes;
}

void KernelFields::reset() {
  make_copies();
  for (const Written& w : written_)
    if (has_copies_)
      fields_[w.index].copy_from(w.start);
    else
      fields_[w.index].upload(start_of(w));
  result_.set(std::nan(""));
}

// Makes copies only if a reference also fits, and as much as the fields take stays free for the methods.
void KernelFields::make_copies() {
  if (copies_are_decided_ || backend_->kind() != BackendKind::cuda) return;
  copies_are_decided_ = true;
  if constexpr (built_with_cuda) {
    std::size_t copies = 0;
    for (const Written& w : written_) copies += 2 * fields_[w.index].bytes();
    if (copies + bytes() > backend_->free_memory()) return;
    for (Written& w : written_) {
      const Field& field = fields_[w.index];
      w.start = Field(*backend_, field.grid(), field.storage());
      w.start.upload(start_of(w));
    }
    has_copies_ = true;
  }
}

const KernelFields::ExpectedThere* KernelFields::on_device(
    [[maybe_unused]] const std::shared_ptr<const Expected>& expected) {
  if constexpr (built_with_cuda) {
    std::erase_if(device_reference_, [](const ExpectedThere& there) { return there.on_host.expired(); });
    for (const ExpectedThere& there : device_reference_)
      if (there.on_host.lock() == expected) return &there;
    std::size_t needed = 0;
    for (const Written& w : written_) needed += fields_[w.index].bytes();
    if (!has_copies_ || needed + bytes() > backend_->free_memory()) return nullptr;
    ExpectedThere& there = device_reference_.emplace_back();
    there.on_host = expected;
    there.fields.reserve(written_.size());  // the comparisons hold references to elements
    for (std::size_t n = 0; n < written_.size(); ++n) {
      const Field& field = fields_[written_[n].index];
      there.fields.emplace_back(*backend_, field.grid(), field.storage());
      there.fields.back().upload(expected->fields[n]);
      there.is_met.push_back(SameBits(static_cast<CudaBackend&>(*backend_), field, there.fields.back()));
    }
    return &there;
  }
  return nullptr;
}

Verification KernelFields::check(double roundoff, const std::string& method, const ProblemShape& shape) {
  backend_->fence();
  Verification v{true, problem_->start().check, 0, ""};
  if (roundoff > 0) v.check += fmt::format(", but to within a relative {:.2g}", roundoff);
  const std::shared_ptr<const Expected> expected = problem_->expected(shape);
  const bool first = compared_on_host_.insert({method, shape.precision, shape.steps}).second;
  const ExpectedThere* const there = roundoff == 0 ? on_device(expected) : nullptr;
  const bool right = there && std::all_of(there->is_met.begin(), there->is_met.end(),
                                          [](const auto& is_met) { return is_met(); });
  if (first || !right) compare_on_host(v, roundoff, *expected);
  const bool disagree = there && v.passed != right;
  if (expected->expected_scalar && v.passed) check_scalar(v, *expected);
  had_been_spoiled_ = !(v.passed && !disagree) && is_spoiled();
  if (had_been_spoiled_) upload_all();
  if (disagree && !had_been_spoiled_)
    throw std::logic_error("device and host disagree on whether the fields equal the reference");
  v.passed = v.passed && !disagree;
  return v;
}

// Returns true if inputs, or the copies for reset and comparison, were overwritten.
bool KernelFields::is_spoiled() const {
  const auto is = [](const Field& field, const HostField& as) {
    return std::memcmp(field.download().data(), as.data(), as.bytes()) == 0;
  };
  for (std::size_t n = 0; n < fields_.size(); ++n)
    if (!entries()[n].is_written && !is(fields_[n], entries()[n].initial)) return true;
  for (const Written& w : written_)
    if (has_copies_ && !is(w.start, start_of(w))) return true;
  for (const ExpectedThere& there : device_reference_)
    if (const auto expected = there.on_host.lock())
      for (std::size_t n = 0; n < there.fields.size(); ++n)
        if (!is(there.fields[n], expected->fields[n])) return true;
  return false;
}

void KernelFields::compare_on_host(Verification& v, double roundoff, const Expected& expected) const {
  for (std::size_t n = 0; n < written_.size(); ++n) {
    const Field& field = fields_[written_[n].index];
    const AnyView wanted = expected.fields[n].view();
    v.reason = backend_->host_accessible()
                   ? first_difference(field.view(), wanted, v.max_error, roundoff)
                   : first_difference(field.download().view(), wanted, v.max_error, roundoff);
    v.passed = v.reason.empty();
    if (!v.passed) return;
  }
}

void KernelFields::check_scalar(Verification& v, const Expected& expected) const {
  const double found = result_.get(), wanted = *expected.expected_scalar;
  v.max_error = std::abs(found - wanted);
  v.passed = v.max_error <= expected.scalar_tolerance;  // false for NaN
  if (!v.passed)
    v.reason = fmt::format("result {} where {} was expected, to within {:.3g}", found, wanted,
                           expected.scalar_tolerance);
}

std::shared_ptr<KernelFields> fields_for_case(
    Backend& on, Precision storage, const std::string& key,
    const std::function<std::shared_ptr<const KernelProblem>()>& problem) {
  const auto made = [&] { return std::make_shared<KernelFields>(on, storage, problem()); };
  if (on.host_accessible()) return made();
  // A backend that only compiles, for example, does not live as long as the kept fields.
  if (!unavailable_reason(on.id()).empty() || &on != &backend(on.id())) return made();
  KeptFields& kept = kept_fields();
  const std::string here = fmt::format("{} on {}", key, to_string(on.id()));
  if (kept.key != here) {
    kept = {};
    kept = {here, made()};
  }
  return kept.fields;
}

void release_kept_kernel_fields() { kept_fields() = {}; }

KeptKernelFields kept_kernel_fields_now() {
  const auto& fields = kept_fields().fields;
  if (!fields) return {};
  return {fields->backend(), fields, fields->bytes() + fields->bytes_of_copies()};
}

}  // namespace cfdmark
