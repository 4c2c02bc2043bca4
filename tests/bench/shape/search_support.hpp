// Searches in a folder of their own, with scripted drags or flows.
#pragma once

#include <fstream>
#include <functional>

#include "bench/shape/shape_search.hpp"
#include "tests/bench/temporary_folder.hpp"

namespace cfdmark {

// The drag is a function of the outline instead of a flow's.
class ScriptedDrag final : public OutlineEvaluator {
 public:
  explicit ScriptedDrag(std::function<double(const Outline&)> drag) : drag_(std::move(drag)) {}
  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    // From the last to the first: the order in which flows end must not matter.
    for (std::size_t n = outlines.size(); n-- > 0;) {
      FlowAround flow;
      flow.status = EvaluationStatus::ok, flow.iterations = 1, flow.drag = drag_(outlines[n]);
      ++solved;
      ended(n, flow);
    }
  }
  int solved = 0;

 private:
  std::function<double(const Outline&)> drag_;
};

struct StudyFile {
  TemporaryFolder folder;
  std::string records = folder / "e.jsonl";

  ShapeStudy study(const std::string& text) const {
    std::ofstream(folder / "s.yaml") << "question: Which?\nbackend: serial\nconfirm: none\n" << text;
    return read_shape_study(folder / "s.yaml");
  }
};

inline ShapeProgress searched(const ShapeStudy& study, const std::string& records,
                              OutlineEvaluator& evaluator) {
  EvaluationFile file(records, study.file, study.facts(), false);
  ShapeEngine engine(study, file, evaluator);
  ShapeProgress progress;
  search_shape(study, engine, progress, [](const ShapeProgress&) { return true; });
  return progress;
}

}  // namespace cfdmark
