// The fields that a kernel is timed on, in a backend's memory, and the check of what its steps leave there.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bench/catalog/workload.hpp"
#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

// Compares every cell, ghosts too: bit by bit, or to a relative tolerance. Empty if equal, else the first
// cell that differs. Both in host memory.
std::string first_difference(const AnyView& found, const AnyView& expected, double& max_error,
                             double tolerance = 0);
inline std::string first_difference(const HostField& found, const HostField& expected, double& max_error,
                                    double tolerance = 0) {
  return first_difference(found.view(), expected.view(), max_error, tolerance);
}

// Expectations that fields keep at once: methods of several steps take turns.
inline constexpr std::size_t most_expectations = 4;

// Cases of one problem on one device may share them: what a step writes is brought back to its start by
// reset(), and compared by check(). On a device both go without the host, by copies that are made at the
// first reset() and the first check(), if the memory is there.
class KernelFields {
 public:
  // What runs of so many steps must leave.
  using Expecting = std::function<Expected(const HostProblem& start, int steps)>;
  // Without `expecting` the problem itself says what is expected, for the number of steps that all cases
  // make.
  KernelFields(Backend&, Precision, std::shared_ptr<const HostProblem>, Expecting expecting = {});

  const std::vector<AnyView>& views() const { return views_; }
  double* result() const { return result_.data(); }
  std::size_t bytes() const;  // of the fields
  const Backend* backend() const { return backend_; }
  std::size_t bytes_of_copies() const;  // beside them, for resetting and comparing

  // What steps write, as it was at first: poisoned where it is an output alone.
  void reset();
  // What a run of so many steps has left, against what the problem expects of it. `roundoff`: relative, of
  // values that need not have the same bits. The first time for `method`, and where the device finds a
  // difference, on the host.
  Verification check(double roundoff, const std::string& method, int steps = 1);
  // Whether the last check that failed found that others than a step's outputs were not what they had been.
  // They are again.
  bool had_been_spoiled() const { return had_been_spoiled_; }

 private:
  // Of a field that steps write.
  struct Written {
    std::size_t index;
    Field start;  // on the device; empty if its memory is short
  };
  // What runs of so many steps must leave.
  struct Expectation {
    int steps;
    Expected made;  // without fields where these are the problem's own
    std::vector<const HostField*> on_host;
    std::vector<Field> on_device;  // none if its memory is short
    std::vector<std::function<bool()>> is_met;
  };

  const HostProblem::Entry& entry(const Written& w) const { return host_->fields[w.index]; }
  Expectation made(int steps) const;
  void make_copies();
  const Expectation& expectation(int steps);
  void upload(Expectation&);
  void compare_on_host(Verification&, double roundoff, const Expectation&) const;
  void check_scalar(Verification&, const Expectation&) const;
  void upload_all();
  bool is_spoiled() const;

  Backend* backend_;
  std::shared_ptr<const HostProblem> host_;
  Expecting expecting_;
  std::vector<Field> fields_;
  std::vector<AnyView> views_;
  DeviceScalar result_;
  std::vector<Written> written_;
  std::list<Expectation> expectations_;  // the last that was asked for is the last
  bool copies_are_decided_ = false, has_copies_ = false, had_been_spoiled_ = false;
  std::set<std::pair<std::string, int>> compared_on_host_;  // methods and their steps
};

// Fields for a case on a device: those of the case before, if they were made for the same problem; `key` says
// all that this depends on. What is given up is freed before there are others.
std::shared_ptr<KernelFields> kept_kernel_fields(Backend&, Precision, const std::string& key,
                                                 const std::function<HostProblem()>& problem,
                                                 KernelFields::Expecting);
void release_kept_kernel_fields();  // no longer kept; a case that uses them still has them

// For who measures memory around a case.
struct KeptKernelFields {
  const Backend* on = nullptr;
  std::weak_ptr<const KernelFields> fields;
  std::size_t bytes = 0;  // with the copies
};
KeptKernelFields kept_kernel_fields_now();  // on null: none

}  // namespace cfdmark
