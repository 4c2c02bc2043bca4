#include "kernels/device/cuda/plan/cuda_plan.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "kernels/device/cuda/plan/stream_call.hpp"

namespace cfdmark {

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.name();
}

std::string instance(std::string_view name, const std::vector<const std::type_info*>& types,
                     const std::vector<int>& numbers) {
  std::string arguments;
  const auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
  for (const std::type_info* type : types) add(type_name(*type));
  for (int n : numbers) add(std::to_string(n));
  return "cfdmark::" + std::string(name) + "<" + arguments + ">";
}

Argument::Argument(const void* value, std::size_t bytes, const std::type_info& type)
    : value_(operator new(bytes), [](void* memory) { operator delete(memory); }), type_(&type) {
  std::memcpy(value_.get(), value, bytes);
}

std::string Arguments::types() const {
  std::string list;
  for (const Argument& a : arguments_) list += (list.empty() ? "" : ", ") + type_name(a.type());
  return list;
}

std::vector<void*> Arguments::addresses() const {
  std::vector<void*> out;
  for (const Argument& a : arguments_) out.push_back(a.address());
  return out;
}

std::vector<Work> between_joins(std::vector<Work> work) {
  std::set<int> streams;
  for (const Work& w : work) {
    if (const auto* launch = std::get_if<Launch>(&w)) streams.insert(launch->stream);
    if (const auto* call = std::get_if<HostCall>(&w)) streams.insert(stream_of(*call));
    if (const auto* upload = std::get_if<Upload>(&w)) streams.insert(upload->stream);
    if (const auto* join = std::get_if<Join>(&w)) streams.insert({join->from, join->to});
  }
  if (!streams.empty() && *streams.begin() < 0)
    throw std::invalid_argument(fmt::format("stream {} of a plan: streams count from 0", *streams.begin()));
  streams.erase(0);
  std::vector<Work> whole;
  for (int stream : streams) whole.emplace_back(Join{0, stream});
  whole.insert(whole.end(), work.begin(), work.end());
  for (int stream : streams) whole.emplace_back(Join{stream, 0});
  return whole;
}

namespace {

int launches_of(const HostCall& call) {
  const auto* of_stream = call.call.target<StreamCall>();
  return of_stream ? of_stream->launches : call.uses_blas;
}

}  // namespace

int count_launches(const std::vector<Work>& work) {
  int launches = 0;
  for (const Work& w : work) {
    const auto* call = std::get_if<HostCall>(&w);
    launches += call ? launches_of(*call) : std::holds_alternative<Launch>(w);
  }
  return launches;
}

void check_shared_memory(const Launch& launch, int declared, int most) {
  if (declared + launch.shared_bytes > most)
    throw std::invalid_argument(
        fmt::format("{} needs {} bytes of shared memory per block, but the device has {}",
                    launch.function.expression, declared + launch.shared_bytes, most));
}

void check_all_resident(const Launch& launch, int resident) {
  const long long blocks = 1ll * launch.blocks.x * launch.blocks.y * launch.blocks.z;
  if (launch.cooperative && blocks > resident)
    throw std::invalid_argument(
        fmt::format("{} has {} blocks in a cooperative launch, but the device holds {} at once",
                    launch.function.expression, blocks, resident));
}

}  // namespace cfdmark
