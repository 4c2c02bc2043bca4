// The fields of a timed kernel in a backend's memory, and the verification of its steps.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bench/case/workload.hpp"
#include "bench/catalog/kernel_problem.hpp"

namespace cfdmark {

// Compares every cell including ghosts, bit by bit or to a relative tolerance. Returns the first cell that
// differs; empty if none does. Both views are in host memory.
std::string first_difference(const AnyView& found, const AnyView& expected, double& max_error,
                             double tolerance = 0);
inline std::string first_difference(const HostField& found, const HostField& expected, double& max_error,
                                    double tolerance = 0) {
  return first_difference(found.view(), expected.view(), max_error, tolerance);
}

// Fields that cases of one problem on one device may share: reset() restores what a step writes, check()
// compares it. On a GPU both use device copies, made at the first reset() and the first check() if the memory
// suffices.
class KernelFields {
 public:
  KernelFields(Backend&, Precision storage, std::shared_ptr<const KernelProblem>);

  const std::vector<AnyView>& views() const { return views_; }
  const HostProblem& start() const { return problem_->start(); }
  // Returns copies of the fields that steps write.
  std::vector<HostField> written() const;
  double* result() const { return result_.data(); }
  // Returns the bytes of the fields.
  std::size_t bytes() const;
  const Backend* backend() const { return backend_; }
  // Returns the bytes of the copies for reset() and check().
  std::size_t bytes_of_copies() const;

  // Restores the fields that steps write; pure outputs are poisoned.
  void reset();
  // Compares the result of shape.steps steps with the reference. `roundoff` is a relative tolerance for
  // values that need not be bit-identical. Compares on the host the first time for `method`, and when the
  // device finds a difference.
  Verification check(double roundoff, const std::string& method, const ProblemShape& shape);
  // Returns true if the last failed check found inputs or copies overwritten. They are restored by then.
  bool had_been_spoiled() const { return had_been_spoiled_; }

 private:
  // A field that steps write.
  struct Written {
    std::size_t index;
    Field start;  // device copy of the initial values; empty if memory is short
  };
  // Reference on the device. Dropped together with the problem's reference on the host.
  struct ExpectedThere {
    std::weak_ptr<const Expected> on_host;
    std::vector<Field> fields;
    std::vector<std::function<bool()>> is_met;
  };

  const std::vector<HostProblem::Entry>& entries() const { return problem_->start().fields; }
  const HostField& start_of(const Written& w) const { return entries()[w.index].initial; }
  void make_copies();
  const ExpectedThere* on_device(const std::shared_ptr<const Expected>&);  // null if memory is short
  void compare_on_host(Verification&, double roundoff, const Expected&) const;
  void check_scalar(Verification&, const Expected&) const;
  void upload_all();
  bool is_spoiled() const;

  Backend* backend_;
  std::shared_ptr<const KernelProblem> problem_;
  std::vector<Field> fields_;
  std::vector<AnyView> views_;
  DeviceScalar result_;
  std::vector<Written> written_;
  std::list<ExpectedThere> device_reference_;
  bool copies_are_decided_ = false, has_copies_ = false, had_been_spoiled_ = false;
  std::set<std::tuple<std::string, Precision, int>> compared_on_host_;  // by method, precision and steps
};

// Returns fields for a case. On a GPU these are the previous case's fields if `key`, which identifies the
// problem, is the same. Old fields are freed first. On a host they are always new, because first touch
// decides the placement of memory.
std::shared_ptr<KernelFields> fields_for_case(
    Backend&, Precision storage, const std::string& key,
    const std::function<std::shared_ptr<const KernelProblem>()>& problem);
// Drops the kept fields; cases that use them still own them.
void release_kept_kernel_fields();

// The kept fields, for measurements of memory around a case.
struct KeptKernelFields {
  const Backend* on = nullptr;
  std::weak_ptr<const KernelFields> fields;
  std::size_t bytes = 0;  // bytes including the copies
};
// Returns the kept fields; `on` is null if there are none.
KeptKernelFields kept_kernel_fields_now();

}  // namespace cfdmark
