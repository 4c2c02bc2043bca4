#include "bench/worker/messages.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "bench/record/config_json.hpp"

namespace cfdmark {
namespace {

Json domain_message(const Domain& domain) {
  if (domain.is_mesh()) {
    const MeshRef& m = domain.mesh();
    return {{"dims", m.dims}, {"sides", m.sides},       {"extra", m.extra},        {"seed", m.seed},
            {"file", m.file}, {"checksum", m.checksum}, {"cells", m.cells_of_file}};
  }
  if (domain.is_matrix()) {
    const MatrixRef& m = domain.matrix();
    return {{"generator", m.generator},
            {"sides", m.sides},
            {"file", m.file},
            {"checksum", m.checksum},
            {"rhs", m.rhs},
            {"rhs_checksum", m.rhs_checksum},
            {"rows", m.rows},
            {"entries", m.entries},
            {"symmetric", m.is_symmetric},
            {"sign", m.diagonal_sign},
            {"zero", m.zero_diagonal_row}};
  }
  const Grid& g = domain.box();
  return {g.nx, g.ny, g.nz, g.dims};
}
Domain domain_from_message(const Json& message) {
  if (message.is_array()) return Grid{message.at(0), message.at(1), message.at(2), message.at(3)};
  if (message.contains("generator"))
    return MatrixRef{message.at("generator"), message.at("sides"),   message.at("file"),
                     message.at("checksum"),  message.at("rhs"),     message.at("rhs_checksum"),
                     message.at("rows"),      message.at("entries"), message.at("symmetric"),
                     message.at("sign"),      message.at("zero")};
  return MeshRef{message.at("dims"), message.at("sides"),    message.at("extra"), message.at("seed"),
                 message.at("file"), message.at("checksum"), message.at("cells")};
}

Json case_message(const Case& c, const WorkerRows& rows) {
  return {{"row", rows.index_of(*c.row)},        {"device", c.device},
          {"domain", domain_message(c.domain)},  {"config", config_json(c.config)},
          {"workload", config_json(c.workload)}, {"routines", c.routines}};
}

Case case_from_message(const Json& message, const std::vector<Row>& rows) {
  Case c;
  c.row = &rows.at(message.at("row").get<std::size_t>());
  c.device = message.at("device");
  c.domain = domain_from_message(message.at("domain"));
  c.config = config_from_json(message.at("config"));
  c.workload = config_from_json(message.at("workload"));
  c.routines = message.at("routines");
  return c;
}

// Objects of a result that have the same form in a message and in a record.
constexpr std::pair<const char*, Json CaseResult::*> objects[] = {{"verification", &CaseResult::verification},
                                                                  {"resources", &CaseResult::resources},
                                                                  {"memory", &CaseResult::memory},
                                                                  {"device_state", &CaseResult::device_state},
                                                                  {"solver", &CaseResult::solver},
                                                                  {"energy", &CaseResult::energy},
                                                                  {"instructions", &CaseResult::instructions},
                                                                  {"mesh_facts", &CaseResult::mesh_facts}};

}  // namespace

void set_cases(Json& request, const std::vector<Case>& cases, const WorkerRows& rows) {
  request["catalog"] = rows.id();
  request["cases"] = Json::array();
  for (const Case& c : cases) request["cases"].push_back(case_message(c, rows));
}

std::vector<Case> cases_from_request(const Json& request, const std::vector<Row>& rows,
                                     const WorkerRows& own) {
  if (!request.contains("catalog"))
    throw std::runtime_error(
        fmt::format("the request is of an older protocol than the worker's, {}; send it from a newer build",
                    worker_protocol));
  if (request["catalog"] != own.id())
    throw std::runtime_error(
        "the request refers to another catalog than the worker's; was the program rebuilt meanwhile?");
  std::vector<Case> cases;
  for (const Json& message : request.at("cases")) cases.push_back(case_from_message(message, rows));
  return cases;
}

Json to_message(std::size_t index, const CaseResult& r) {
  Json message = {{"event", "result"}, {"index", index}, {"status", r.status}};
  if (!r.reason.empty()) message["reason"] = r.reason;
  if (!r.failure.empty()) message["failure"] = r.failure;
  if (!r.samples.empty())
    message.update({{"samples", r.samples.front()},
                    {"steps_per_sample", r.steps_per_sample},
                    {"stopped_by", r.stopped_by},
                    {"sample_iterations", r.sample_iterations}});
  if (r.cost) message["cost"] = cost_json(*r.cost);
  if (r.cache) message["cache"] = cache_json(*r.cache);
  if (r.overhead) message["overhead"] = overhead_json(*r.overhead);
  if (!r.pci_bus_id.empty()) message["pci_bus_id"] = r.pci_bus_id;
  for (const auto& [name, member] : objects)
    if (!(r.*member).is_null()) message[name] = r.*member;
  message["fresh"] = r.fresh;
  return message;
}

CaseResult case_result_from_message(const Json& message) {
  CaseResult r;
  r.status = message.at("status");
  r.reason = message.value("reason", "");
  r.failure = message.value("failure", "");
  if (message.contains("samples")) {
    r.samples = {message["samples"].get<std::vector<double>>()};
    r.steps_per_sample = message.at("steps_per_sample");
    r.stopped_by = message.value("stopped_by", "");
    r.sample_iterations = message.value("sample_iterations", std::vector<int>());
  }
  read_sizes(message, r);
  r.pci_bus_id = message.value("pci_bus_id", "");
  for (const auto& [name, member] : objects)
    if (message.contains(name)) r.*member = message[name];
  r.fresh = message.value("fresh", true);
  return r;
}

Json to_message(const RoofKey& key) {
  Json message = to_message(key.device);
  message["storage"] = to_string(key.storage);
  message["config"] = config_json(key.config);
  return message;
}

Json to_message(DeviceId id) { return {{"backend", to_string(id.kind)}, {"device", id.index}}; }

DeviceId device_id_from_message(const Json& message) {
  return {backend_from(message.at("backend").get<std::string>()), message.at("device").get<int>()};
}

RoofKey roof_key_from_message(const Json& message) {
  return {device_id_from_message(message), precision_from(message.at("storage").get<std::string>()),
          config_from_json(message.at("config"))};
}

}  // namespace cfdmark
