// The axes of a sweep: the keys of a block and their values.
#pragma once

#include <string>
#include <vector>

#include "bench/case/row.hpp"
#include "bench/sweep/file.hpp"

namespace cfdmark {

struct Choice {
  Value value;  // of the axis grid: its text
  YAML::Mark mark;
  // True if the file names the value, so some row must have it; false for values from `all`.
  bool must_serve = true;
  Domain domain = {};  // of the axis grid
};

// A property of the row ("kernel", "backend", "method", ...), a setting of the problem or solve ("problem",
// "tolerance", ...) or a setting of methods, with its values in a block.
struct Axis {
  std::string name;
  YAML::Mark mark;
  std::vector<Choice> choices;
  bool is_parameter = false;  // a setting of methods, possibly of one that was not built
};

class AxisReader {
 public:
  // Both arguments must outlive the reader.
  AxisReader(const SweepFile&, const std::vector<Row>& rows);

  // Returns the axis of a key in singular or plural, such as "grid" for "grids", "meshes" and "matrices".
  // Empty if there is none outside `parameters`.
  std::string axis_name(const std::string& key) const;
  // Returns the names of all axes in the order of expansion, slowest first. Cases with the same reference
  // solution follow each other: it depends on problem and grid for solvers, and on kernel, grid, precision
  // and operator for kernels. Those of one mesh and numbering follow each other.
  const std::vector<std::string>& names() const { return names_; }
  // Returns the settings of all methods, which `parameters` may contain.
  const std::vector<std::string>& parameters() const { return parameters_; }
  Axis read(const std::string& name, const Entry&) const;

 private:
  void declare(const Setting&, std::vector<std::string>& names);
  Value value(const std::string& name, const std::string& text, const YAML::Node& item) const;
  Choice choice(const Domain&, const YAML::Node& item) const;
  std::vector<Choice> domains(const YAML::Node& item) const;
  std::vector<Choice> choices(const std::string& name, const YAML::Node& item) const;
  std::string expected(const std::string& name) const;
  std::vector<std::string> words(const std::string& name) const;

  const SweepFile& file_;
  std::vector<std::string> names_, parameters_;
  std::vector<Setting> declarations_;  // several for one name if they take different values
};

}  // namespace cfdmark
