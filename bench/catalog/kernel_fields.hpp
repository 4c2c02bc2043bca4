// The fields that a kernel is timed on, in a backend's memory, and the check of what its steps leave there.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bench/catalog/kernel_problem.hpp"
#include "bench/catalog/workload.hpp"

namespace cfdmark {

// Compares every cell, ghosts too: bit by bit, or to a relative tolerance. Empty if equal, else the first
// cell that differs. Both in host memory.
std::string first_difference(const AnyView& found, const AnyView& expected, double& max_error,
                             double tolerance = 0);
inline std::string first_difference(const HostField& found, const HostField& expected, double& max_error,
                                    double tolerance = 0) {
  return first_difference(found.view(), expected.view(), max_error, tolerance);
}

// Cases of one problem on one device may share them: what a step writes is brought back to its start by
// reset(), and compared by check(). On a device both go without the host, by copies that are made at the
// first reset() and the first check(), if the memory is there.
class KernelFields {
 public:
  KernelFields(Backend&, Precision storage, std::shared_ptr<const KernelProblem>);

  const std::vector<AnyView>& views() const { return views_; }
  double* result() const { return result_.data(); }
  std::size_t bytes() const;  // of the fields
  const Backend* backend() const { return backend_; }
  std::size_t bytes_of_copies() const;  // beside them, for resetting and comparing

  // What steps write, as it was at first: poisoned where it is an output alone.
  void reset();
  // What a run of shape.steps has left, against what the problem expects of it. `roundoff`: relative, of
  // values that need not have the same bits. The first time for `method`, and where the device finds a
  // difference, on the host.
  Verification check(double roundoff, const std::string& method, const ProblemShape& shape);
  // Whether the last check that failed found that others than a step's outputs were not what they had been.
  // They are again.
  bool had_been_spoiled() const { return had_been_spoiled_; }

 private:
  // Of a field that steps write.
  struct Written {
    std::size_t index;
    Field start;  // on the device; empty if its memory is short
  };
  // What a run must leave, on the device. It goes with what the problem keeps of it.
  struct ExpectedThere {
    std::weak_ptr<const Expected> on_host;
    std::vector<Field> fields;
    std::vector<std::function<bool()>> is_met;
  };

  const std::vector<HostProblem::Entry>& entries() const { return problem_->start().fields; }
  const HostField& start_of(const Written& w) const { return entries()[w.index].initial; }
  void make_copies();
  const ExpectedThere* on_device(const std::shared_ptr<const Expected>&);  // null if its memory is short
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
  std::list<ExpectedThere> expected_there_;
  bool copies_are_decided_ = false, has_copies_ = false, had_been_spoiled_ = false;
  std::set<std::tuple<std::string, Precision, int>> compared_on_host_;  // methods with their steps
};

// Fields for a case. On a device those of the case before, if they were made for the same problem; `key` says
// all that this depends on. What is given up is freed before there are others. On a host always new ones, as
// who touches memory first decides where it lies.
std::shared_ptr<KernelFields> fields_for_case(
    Backend&, Precision storage, const std::string& key,
    const std::function<std::shared_ptr<const KernelProblem>()>& problem);
void release_kept_kernel_fields();  // no longer kept; a case that uses them still has them

// For who measures memory around a case.
struct KeptKernelFields {
  const Backend* on = nullptr;
  std::weak_ptr<const KernelFields> fields;
  std::size_t bytes = 0;  // with the copies
};
KeptKernelFields kept_kernel_fields_now();  // on null: none

}  // namespace cfdmark
