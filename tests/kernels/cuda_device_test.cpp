// The CUDA backend with and without a device.
#include "kernels/device/cuda/runtime/cuda.hpp"

#include <cstring>
#include <map>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/device/cuda/jit/nvrtc.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/runtime/occupancy.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/smoothing/smoothing.hpp"
#include "solvers/linear/table.hpp"
#include "tests/catch.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

namespace {

CellArgs<Jacobi> small_jacobi(const Field& u, const Field& b, const Field& out) {
  return {Precision::fp64, {}, {{}, u.view(), b.view(), out.view()}};
}
Methods<CellArgs<Jacobi>> jacobi_cuda() { return CellKernel<Jacobi>::methods(BackendKind::cuda); }

}  // namespace

TEST_CASE("without a device every query returns the reason, and nothing ends the program", "[cuda]") {
  const std::string reason = cuda_unavailable();
  if (reason.empty()) {
    WARN("skipped: this machine has a device");
    return;
  }
  CHECK((reason == "no NVIDIA driver on this machine" ||
         reason == "no NVIDIA device on this machine, or none is visible" ||
         reason.find("CUDA") != std::string::npos || reason.find("sm_") != std::string::npos));
  CHECK_THROWS_WITH(backend(BackendKind::cuda), ContainsSubstring(reason));
  CHECK_THROWS_WITH(cuda_facts(), ContainsSubstring(reason));
}

TEST_CASE("a device reports its properties", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  const CudaFacts facts = cuda_facts();
  CHECK_FALSE(facts.name.empty());
  CHECK(facts.major >= 7);
  CHECK(facts.multiprocessors > 0);
  CHECK(facts.uuid.size() == 32);
  CHECK_THAT(facts.compiler_options, ContainsSubstring("--fmad=false") && ContainsSubstring("sm_"));
  CHECK(cuda_backend().last_level_cache() == facts.l2_bytes);
  CHECK(cuda_backend().device_memory()->total <= facts.memory_bytes);
  CHECK(cuda_backend().free_memory() > 0);
}

namespace {

// Compares at the corners of the space of every single-launch method of a kernel. Returns the number of
// comparisons.
template <class K>
int compare_occupancy(const CellArgs<K>& args) {
  const CudaFacts facts = cuda_facts();
  const std::string here = architecture_for(facts.major, facts.minor);
  CudaOffline offline;
  std::map<std::string, KernelResources> on_device;
  for (const auto& method : CellKernel<K>::methods(BackendKind::cuda))
    for (const Config& config : method.space.corners()) {
      const std::size_t before = offline.launches().size();
      method.prepare(offline, args, config);
      const Step step = method.prepare(cuda_backend(), args, config);
      if (offline.launches().size() == before + 1 && step.resources.kernels.size() == 1)
        on_device[offline.launches().back().function.expression] = step.resources.kernels.front();
    }
  int compared = 0;
  for (const CompiledFunction& f : offline.compile(here)) {
    const auto found = on_device.find(f.expression);
    if (found == on_device.end()) continue;
    INFO(f.expression);
    const Extent t = f.threads;
    const auto resident = resident_blocks(here, t.x * t.y * t.z, f.report.registers, f.shared_bytes);
    REQUIRE(resident);
    CHECK(f.report.registers == found->second.registers);
    CHECK(resident->blocks == found->second.resident_blocks);
    CHECK(resident->occupancy == Approx(found->second.occupancy));
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("registers and occupancy computed without a device match the device's own", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  const Grid g{64, 32, 8};
  const Field u(cuda_backend(), g, Precision::fp64), b(cuda_backend(), g, Precision::fp64),
      out(cuda_backend(), g, Precision::fp64);
  CHECK(compare_occupancy(small_jacobi(u, b, out)) >= 5);
  CHECK(compare_occupancy(CellArgs<Smoothing>{Precision::fp64, {}, {u.view(), out.view()}}) > 5);
}

TEST_CASE("a field returns from the device unchanged", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  const HostField there = noise_field({13, 7, 3}, Precision::fp32, 1);
  Field field(cuda_backend(), there.grid(), Precision::fp32);
  field.upload(there);
  const HostField back = field.download();
  CHECK(std::memcmp(back.data(), there.data(), there.bytes()) == 0);
}

// One, two and several turns of the pinned buffers, full and partial.
TEST_CASE("large memory returns from the device unchanged", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = cuda_backend();
  for (const std::size_t mebibytes : {8, 32, 64, 161}) {
    const std::size_t bytes = (mebibytes << 20) + mebibytes / 8 - 1;
    std::vector<unsigned char> there(bytes), back(bytes);
    for (std::size_t n = 0; n < bytes; ++n) there[n] = static_cast<unsigned char>(n * 2654435761u >> 24);
    const Buffer buffer(device, bytes);
    device.upload(buffer.data(), there.data(), bytes);
    device.download(back.data(), buffer.data(), bytes);
    INFO(mebibytes);
    CHECK(std::memcmp(back.data(), there.data(), bytes) == 0);
  }
}

TEST_CASE("an allocation that is too large reports the available memory", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  CHECK_THROWS_WITH(cuda_backend().allocate(std::size_t(1) << 46),
                    ContainsSubstring("67108864.0 MiB requested") && ContainsSubstring("MiB free of"));
  CHECK_NOTHROW(Buffer(cuda_backend(), 1024));
}

TEST_CASE("a step reports its registers and occupancy, and takes time", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = cuda_backend();
  const Grid g{256, 256};
  const Field u(device, g, Precision::fp64), b(device, g, Precision::fp64), out(device, g, Precision::fp64);
  const auto methods = jacobi_cuda();
  const auto& plain = find_method(methods, "plain");
  const Step step = plain.prepare(device, small_jacobi(u, b, out), plain.space.defaults());
  REQUIRE(step.resources.kernels.size() == 1);
  const KernelResources& r = step.resources.kernels[0];
  CHECK(step.resources.launches == 1);
  CHECK(r.name == "cells_plain");
  CHECK(r.block[0] * r.block[1] * r.block[2] == 256);
  CHECK(r.registers > 0);
  CHECK(r.occupancy > 0);
  CHECK(r.occupancy <= 1);
  step.run();
  const double seconds = device.seconds(step.run);
  CHECK(seconds > 0);
  CHECK(seconds < 1);
}

TEST_CASE("a launch that the device refuses is an ordinary error, and the device stays usable",
          "[cuda][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = cuda_backend();
  const Grid g{64, 64};
  const Field u(device, g, Precision::fp64), b(device, g, Precision::fp64), out(device, g, Precision::fp64);
  const auto methods = jacobi_cuda();
  const auto& plain = find_method(methods, "plain");
  auto& cuda = static_cast<CudaBackend&>(device);
  const CellArgs<Jacobi> args = small_jacobi(u, b, out);
  Plan too_large = cells_plain<Jacobi>(cuda, args, {{"block_x", 64}, {"block_y", 4}, {"block_z", 1}});
  std::get<Launch>(too_large.run[0]).threads = {64, 64};  // more than the function was compiled for
  auto run = [&] {
    cuda.prepare(too_large).run();
    device.fence();
  };
  CHECK_THROWS_WITH(run(), ContainsSubstring("CUDA: ") && ContainsSubstring("cells_plain"));
  CHECK_NOTHROW(plain.prepare(device, args, plain.space.defaults()).run());
  CHECK_NOTHROW(device.fence());
}

namespace {

const Grid grid_of_37_iterations{253, 187};

// Returns the residual and the solution after 37 iterations: three blocks of ten, of which the second and
// third may be a graph, and seven.
std::pair<double, HostField> after_37_iterations(int recorded, const std::string& solver_name,
                                                 const std::string& method) {
  const auto problem =
      std::make_shared<const LinearProblem>(make_problem("manufactured", grid_of_37_iterations));
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& m : solver.methods(BackendKind::cuda))
      if (solver.name == solver_name && m.name == method) {
        const Config config = m.space.complete({{"check_interval", 10}, {"graph_iterations", recorded}});
        PreparedSolver prepared(solver, m, cuda_backend(), Precision::fp64, config, problem);
        prepared.reset();
        const double residual = prepared.solve(1e-30, 37).relative_residual;
        return {residual, prepared.solution()};
      }
  throw std::invalid_argument(solver_name + " " + method);
}

}  // namespace

TEST_CASE("captured iterations give the bits of direct ones on a device, for every solver and method",
          "[cuda][gpu]") {
  if (skipped_without_device()) return;
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& method : solver.methods(BackendKind::cuda)) {
      if (!find_setting(method.space.settings, graph_iterations_setting.name) ||
          !method.why_unsupported({grid_of_37_iterations, true, Precision::fp64}).empty())
        continue;
      INFO(solver.name << " " << method.name);
      const auto [residual, u] = after_37_iterations(1, solver.name, method.name);
      const auto [recorded_residual, recorded_u] = after_37_iterations(10, solver.name, method.name);
      CHECK(recorded_residual == residual);
      CHECK(std::memcmp(recorded_u.data(), u.data(), u.bytes()) == 0);
    }
}

TEST_CASE("work that waits cannot be captured as a graph, is reported, and the device stays usable",
          "[cuda][gpu]") {
  if (skipped_without_device()) return;
  Backend& device = cuda_backend();
  CHECK_THROWS_WITH(device.recorded([&] { device.fence(); }), ContainsSubstring("CUDA: "));
  const HostField there = noise_field({13, 7}, Precision::fp64, 1);
  Field field(device, there.grid(), Precision::fp64);
  field.upload(there);
  const HostField back = field.download();
  CHECK(std::memcmp(back.data(), there.data(), there.bytes()) == 0);
}

// Hidden: it makes the device unusable for its process. CTest runs it by name.
TEST_CASE("a device that is lost in the middle of a run is reported as lost", "[.][device_lost]") {
  if (skipped_without_device()) return;
  Backend& device = cuda_backend();
  const Grid g{64, 64};
  const Field u(device, g, Precision::fp64), b(device, g, Precision::fp64), out(device, g, Precision::fp64);
  CellArgs<Jacobi> args = small_jacobi(u, b, out);
  args.fields.u.origin = reinterpret_cast<void*>(0x1000);  // an invalid address
  const auto methods = jacobi_cuda();
  const Step step =
      find_method(methods, "plain").prepare(device, args, find_method(methods, "plain").space.defaults());
  auto run = [&] {
    step.run();
    device.fence();
  };
  CHECK_THROWS_AS(run(), DeviceLost);
  CHECK_THROWS_AS(device.fence(), DeviceLost);
}
