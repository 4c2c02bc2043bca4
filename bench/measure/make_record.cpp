#include "bench/measure/make_record.hpp"

#include "bench/case/case_record.hpp"
#include "bench/measure/roof.hpp"

namespace cfdmark {

Record make_record(const Case& c, CaseResult result, const Json& environment) {
  Record record;
  record.id = id_of(c);
  record.result = std::move(result);
  record.environment = environment.at("id");
  if (!record.result.samples.empty()) record.roof = find_roof(environment.at("roofs"), roof_key(c));
  record.derive();
  return record;
}

}  // namespace cfdmark
