// The parts of a shape file that are maps: outline, constraints, objective, optimiser and limits.
#pragma once

#include "bench/shape/key_reader.hpp"
#include "bench/shape/shape_study.hpp"

namespace cfdmark {

class StudyParts : protected KeyReader {
 protected:
  using KeyReader::KeyReader;

  // Returns a grid of the tunnel, which is 2-D.
  Grid grid(const YAML::Node&) const;
  void read_outline(const Entry&);
  // The grid of the study must be known.
  void read_constraints(const Entry&);
  // The outline of the study must be known.
  void read_objective(const Entry&);
  void read_optimiser(const Entry&);
  void read_until(const Entry&);
  void read_stop(const Entry&);
  void read_known(const Entry&);

  ShapeStudy study_;

 private:
  // A range is searched, a number is fixed; parameters that are not named keep their start.
  void read_parameters(const Entry&);
  // Returns the index of a parameter of the study's outline.
  std::size_t parameter(const Entry&) const;
  void read_hidden(const Entry&);
  // Fails if flows are to be stopped early.
  void refuse_stops(const YAML::Mark&) const;
  double thickness(const YAML::Node&) const;
  // Returns a polygon from a file, whose name may be relative to the shape file.
  Outline frame(const YAML::Node&) const;
  double share(const YAML::Node&) const;
};

}  // namespace cfdmark
