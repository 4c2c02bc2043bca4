// The axes of a sweep: what the keys of a block mean, and which values they take.
#pragma once

#include <string>
#include <vector>

#include "bench/catalog/catalog.hpp"
#include "bench/sweep/file.hpp"

namespace cfdmark {

struct Choice {
  Value value;
  YAML::Mark mark;
  bool must_serve = true;  // some row must have the value: the file names it. Values of `all` need not be had
};

// A row's part ("kernel", "backend", "method" ..), what is asked ("problem", "tolerance" ..) or a setting of
// methods, with the values that a block gives it.
struct Axis {
  std::string name;
  YAML::Mark mark;
  std::vector<Choice> choices;
  bool is_parameter = false;  // a setting of methods, perhaps of one that is not known where it was not built
};

class AxisReader {
 public:
  // Both must outlive it.
  AxisReader(const SweepFile&, const std::vector<Row>& rows);

  // The name of the axis that a key stands for, in the singular or the plural: "grid" for "grids". Empty if
  // there is none beside `parameters`.
  std::string axis_name(const std::string& key) const;
  // Names of all axes, in the order of expansion, the slowest first: cases that are checked against the same
  // reference follow each other. It depends on problem and grid for solvers, on kernel, grid, precision and
  // operator for kernels.
  const std::vector<std::string>& names() const { return names_; }
  // Of all settings of methods: what `parameters` may hold.
  const std::vector<std::string>& parameters() const { return parameters_; }
  Axis read(const std::string& name, const Entry&) const;

 private:
  void declare(const Setting&, std::vector<std::string>& names);
  Value value(const std::string& name, const std::string& text, const YAML::Node& item) const;
  std::string expected(const std::string& name) const;
  std::vector<std::string> words(const std::string& name) const;

  const SweepFile& file_;
  std::vector<std::string> names_, parameters_;
  std::vector<Setting> declarations_;  // of one name several may be: they take different values
};

}  // namespace cfdmark
