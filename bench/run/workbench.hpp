// Cases that are alive together: prepared and verified one by one, measured side by side.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "bench/run/prepared_case.hpp"

namespace cfdmark {

// What is wanted of each case.
struct Wanted {
  double seconds = 1;      // that its samples may take
  double interval = 0.02;  // see MeasureOptions
  // So many samples and no more; the case then stays prepared, since more are asked for again and again. 0:
  // until the median is known well enough.
  int samples = 0;
  bool instructions = true;
  // Of each case, whether another process has told all but the time already: it is not verified again, nor
  // its energy measured. Empty: of none.
  std::vector<bool> again;
  // Whether the code of a batch may be compiled before its first case is prepared. Not where a process has
  // ended: then it must show at which case.
  bool ahead = true;
  // Seconds that preparing a batch may take before what is ready of it is measured: so much may be lost where
  // a run ends. Solves can take as long each.
  double preparing = 10;
  // Seconds after which no more of them are begun: those have no record. Where so many samples would take
  // longer a batch has fewer cases, and each of them fewer samples, but one.
  double within = std::numeric_limits<double>::infinity();
};

// Called while it measures, with the index of the case.
struct WorkbenchEvents {
  std::function<void(std::size_t, Stage)> entering;
  std::function<void(const Json& record)> record;
};

class Workbench {
 public:
  // Measures all cases, in as few batches as memory and time allow, and gives each its record. `environment`:
  // the run's environment line. Of a few samples the record says with `fresh` whether the case was prepared
  // just now; its instructions are counted then only. Throws DeviceLost after the record of the case that
  // found its device gone; the cases without a record have not been measured then. False: time was over
  // before the last.
  bool measure(const std::vector<Case>& cases, const Wanted& wanted, const Json& environment,
               const WorkbenchEvents& events);
  // Gives back what is kept of all cases.
  void release();

 private:
  struct Request;
  struct Kept {
    std::string name;
    std::unique_ptr<PreparedCase> ready;
  };

  // Returns the first case that was left, for want of memory or time.
  std::size_t fill(const Request&, std::size_t first, std::vector<std::size_t>& indices);
  std::vector<const Case*> to_prepare(const Request&, std::size_t first);
  bool prepare(const Request&, std::size_t index);
  void measure_batch(const Request&, const std::vector<std::size_t>& indices);
  Kept* find(const Case&);
  void make_room(const Case&, const std::vector<std::size_t>& in_use, const Request&);

  std::vector<Kept> kept_;  // the least recently used first
};

}  // namespace cfdmark
