// generate FOLDER: writes, for each .cu file, a C++ file that defines its functions in the form that the
// emulation calls.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>

#include "kernels/cells/cuda/brick_parts.hpp"
#include "kernels/cg_iteration/cg_iteration_bricks.hpp"
#include "kernels/device/cuda/jit/cuda_sources.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/primitives/link_rates.hpp"
#include "kernels/device/cuda/primitives/same_bits.hpp"
#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "kernels/device/cuda/runtime/peer_launch.hpp"
#include "kernels/ranks/scattered_values.hpp"
#include "tests/cuda_emulation/block_cases.hpp"
#include "tests/cuda_emulation/cases.hpp"
#include "tests/cuda_emulation/csr_cases.hpp"
#include "tests/cuda_emulation/launches.hpp"
#include "tests/cuda_emulation/leg_cases.hpp"
#include "tests/cuda_emulation/level_cases.hpp"
#include "tests/cuda_emulation/line_transform.hpp"
#include "tests/cuda_emulation/part_cases.hpp"
#include "tests/cuda_emulation/persistent_cases.hpp"
#include "tests/cuda_emulation/step_cases.hpp"
#include "tests/cuda_emulation/sweeps_cases.hpp"
#include "tests/mesh/kernels/mesh_cases.hpp"

using namespace cfdmark;

namespace {

// Returns "smoothing" for "kernels/smoothing/smoothing.cu".
std::string stem(const std::string& source) {
  const auto begin = source.rfind('/') + 1;
  return source.substr(begin, source.rfind('.') - begin);
}

std::string cpp_text(const std::string& source, const std::set<std::string>& expressions) {
  std::string text = fmt::format(
      "#include \"tests/cuda_emulation/emulated_device.hpp\"\n\n#include \"{}\"\n\n"
      "namespace cfdmark::emulation {{\n\nvoid add_{}([[maybe_unused]] FunctionTable& table) {{\n",
      source, stem(source));
  for (const auto& e : expressions) text += fmt::format("  table[\"{}\"] = callable(&{});\n", e, e);
  return text + "}\n\n}  // namespace cfdmark::emulation\n";
}

// Prepares a box without the first column, so that no row begins at a multiple of 16 bytes
// (tests/kernels/boxes.hpp).
template <class Args>
void prepare_on_box(const KernelDescription<Args>& kernel, const Method<Args>& method, CudaOffline& offline,
                    ProblemShape shape, const HostProblem& start, const Config& config) {
  std::vector<AnyView> boxes;
  for (const AnyView& whole : views_of(start)) {
    if (whole.grid.nx == 1) return;
    boxes.push_back(whole.box(1, 0, 0, whole.grid.nx - 1, whole.grid.ny, whole.grid.nz));
  }
  --shape.grid.nx;
  double result = 0;
  const Args args = kernel.bind(shape, boxes, &result);
  if (method.why_unsupported(args).empty()) method.prepare(offline, args, config);
}

using Expressions = std::map<std::string, std::set<std::string>>;

void add_launch(Expressions& all, const Launch& launch) {
  all[launch.function.source].insert(launch.function.expression);
}

// Adds the functions of a reduction in bricks, which ranks run.
void add_bricks(Expressions& all, const BrickParts& bricks) {
  add_launch(all, bricks.reduce(nullptr));
  add_launch(all, bricks.join(nullptr, 1, nullptr));
}
template <class Args>
void add_bricks_of(Expressions&, const Args&, const Config&) {}
template <class K>
void add_bricks_of(Expressions& all, const CellArgs<K>& args, const Config&) {
  if constexpr (is_reduction<K>) add_bricks(all, bricks_of(RowPartsOf<K>::make(args)));
}
void add_bricks_of(Expressions& all, const CgIterationArgs& args, Config config) {
  if (args.grid.is_3d()) return;
  for (const int cells : {4, 8}) {
    config.set("cells", cells);
    add_bricks(all, cg_iteration_bricks(args, config));
  }
}

Expressions expressions_by_source() {
  Expressions all;
  for (const CudaSource& source : cuda_sources())  // one file each, even if nothing is launched
    if (source.path.ends_with(".cu")) all[std::string(source.path)];
  std::vector<Launch> others = one_of_each_launch();
  others.push_back(SameBits::launch({}, {}, {}, 1));
  for (const bool is_first : {true, false})
    others.push_back(DeviceConvergenceLoop::launch(nullptr, is_first, nullptr, 0, 0, 0, 0));
  others.push_back(copy_words(nullptr, nullptr, 16));
  for (const bool is_first : {true, false})
    others.push_back(answer_rounds(is_first, nullptr, nullptr, std::make_shared<int>(0), 0));
  for (const std::size_t bytes : {4, 8, 16}) {
    PeerBatch batch;
    batch.stores.push_back({.row_bytes = bytes, .way = PeerWay::store});
    others.push_back(peer_launch(batch, nullptr, nullptr, 0));
  }
  for (const std::size_t bytes : {4, 8}) {
    others.push_back(pack_launch({}, {}, 1, bytes));
    others.push_back(unpack_launch({}, {}, 1, bytes));
  }
  for (const Launch& launch : others) add_launch(all, launch);

  auto add = [&](const CudaOffline& offline) {
    for (const auto& launch : offline.launches()) add_launch(all, launch);
  };
  for_each_cuda_case(emulated_grids, emulated_configs,
                     [&](const auto& kernel, const auto& method, const ProblemShape& shape,
                         const auto& problem, const Config& config) {
                       CudaOffline offline;
                       prepare_case(kernel, method, offline, shape, problem, config);
                       if (config == method.space.defaults())
                         add_bricks_of(all, kernel.bind(shape, views_of(problem->start()), nullptr), config);
                       if (config == method.space.defaults())
                         prepare_on_box(kernel, method, offline, shape, problem->start(), config);
                       if (config == method.space.defaults() && method.steps)
                         for (int steps : {1, 3}) {  // other than the default
                           Config fewer = config;
                           fewer.set(method.steps, steps);
                           prepare_case(kernel, method, offline, shape, problem, fewer);
                         }
                       add(offline);
                     });
  const auto red_black = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
  const auto& plain = find_method(red_black, "plain");
  for (const Grid& g : grids_of_shared_sweeps) {
    const HostField any(g, Precision::fp64);
    for_each_sharing_of_sweeps(any.view(), any.view(),
                               [&](const auto& method, const auto& args, const Config& config) {
                                 CudaOffline offline;
                                 method.prepare(offline, args, config);
                                 plain.prepare(offline, args, plain.space.defaults());
                                 add(offline);
                               });
  }
  for_each_method_of_sweeps([&](auto k, const char* name, const std::vector<SweepsCase>& cases) {
    const auto kernel = CellKernel<decltype(k)>::kernel();
    const auto methods = kernel.methods(BackendKind::cuda);
    const auto& method = find_method(methods, name);
    for (const SweepsCase& c : cases) {
      CudaOffline offline;
      const ProblemShape shape{c.precision, c.grid, c.op, method.steps_of(c.config)};
      prepare_case(kernel, method, offline, shape,
                   std::make_shared<const KernelProblem>(problem_of(kernel, shape)), c.config);
      add(offline);
    }
  });
  for_each_residual_case(
      [&]<class K>(const K&, const auto& method, const ProblemShape& shape, const Config& config) {
        const auto kernel = CellKernel<K>::kernel();
        const HostProblem problem = kernel.start(shape);
        CudaOffline offline;
        double square = 0;
        const auto args = kernel.bind(shape, views_of(problem), nullptr);
        method.prepare(offline, {args, &square}, config);
        const auto alone = kernel.methods(BackendKind::cuda);
        find_method(alone, method.name).prepare(offline, args, config);
        add(offline);
      });
  for_each_leg_case([&](Precision p, const Grid& g, const auto& to_boundary, const Config& config) {
    const auto kernel = CellKernel<RedBlackSor>::kernel();
    const HostField fine(g, p), coarse(coarse_grid(g, in_both_directions), p);
    auto sweep = kernel.bind({p, g}, {fine.view(), fine.view()}, nullptr);
    std::copy(to_boundary.begin(), to_boundary.end(), sweep.fields.a.to_boundary);
    CudaOffline offline;
    for (const CycleLeg leg : {CycleLeg::none, CycleLeg::down, CycleLeg::up})
      red_black_passes(BackendKind::cuda)
          .at(0)
          .prepare(offline, {.sweep = sweep, .to = fine.view(), .leg = leg, .coarse = coarse.view()}, config);
    const auto residual = CellKernel<Residual>::methods(BackendKind::cuda).front();
    residual.prepare(
        offline,
        {.precision = p,
         .fields = {.a = sweep.fields.a, .u = fine.view(), .b = fine.view(), .out = fine.view()}},
        residual.space.defaults());
    add(offline);
  });
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    CudaOffline offline;
    PreparedSolver(solver, method, offline, p, method.space.defaults(), problem);
    // Required by solvers_test: methods of several iterations are compiled for their number.
    if (method.name == "pipelined" && solver.name == "jacobi")
      for (int graph : {1, 2})
        PreparedSolver(solver, method, offline, p,
                       method.space.complete({{"check_interval", 4}, {"graph_iterations", graph}}), problem);
    if (find_setting(method.space.settings, "residual_pass"))
      PreparedSolver(
          solver, method, offline, p,
          method.space.complete({{"check_interval", 4}, {"graph_iterations", 2}, {"residual_pass", "fused"}}),
          problem);
    if (find_setting(method.space.settings, "preconditioner_precision") && p == Precision::fp64)
      PreparedSolver(solver, method, offline, p,
                     method.space.complete({{"preconditioner_precision", "fp32"}}), problem);
    add(offline);
  });
  CudaOffline products;
  coarsen_parts(products);
  smooth_by_jacobi(products);
  for_each_csr_product(products, [&](const CsrProduct& product, bool residual, const Config& config) {
    const auto method = csr_methods(BackendKind::cuda).front();
    method.prepare(products, product.args(residual), method.space.complete(config));
  });
  for_each_csr_dot(products, [&](const CsrProduct& product, const Config& config) {
    CsrArgs args = product.args(false);
    const auto stream = csr_methods(BackendKind::cuda).back(),
               dot = csr_dot_methods(BackendKind::cuda).front();
    stream.prepare(products, args, stream.space.complete(config));
    args.dot = reinterpret_cast<double*>(product.y.data());  // an address for the launch, which never runs
    dot.prepare(products, args, dot.space.complete(config));
  });
  add(products);
  for_each_csr_solver(BackendKind::cuda, [&](const LinearProblem& problem, const SolverMethod& method) {
    CudaOffline offline;
    const OwnedSystem rows = csr_system(offline, Precision::fp64, problem);
    prepare_iteration(method, rows.system(), method.space.defaults());
    refinement(rows.system(), method, method.space.defaults());
    add(offline);
  });
  for_each_level_case([&](const auto& problem, Precision p, const Config& config) {
    CudaOffline offline;
    const SolverMethod plain = multigrid_solver().methods(BackendKind::cuda).front();
    PreparedSolver(multigrid_solver(), plain, offline, p, plain.space.complete(config), problem,
                   unequal_levels());
    add(offline);
  });
  // Flows in mixed precision solve for the pressure with fields in fp32 and arithmetic in fp64.
  for (const Grid& g : {Grid{9, 6}, {5, 4, 3}})
    for (const SolverMethod& method : multigrid_solver().methods(BackendKind::cuda)) {
      Operator arrays;
      arrays.constant = false;
      if (!method.why_unsupported({g, false, Precision::fp32}).empty()) continue;
      CudaOffline offline;
      const OwnedSystem system(offline, Precision::mixed, g, arrays);
      method.prepare(system.system(), method.space.defaults());
      add(offline);
    }
  for_each_csr_launch([&](const LinearProblem& problem, Precision p) {
    CudaOffline offline;
    const SolverMethod method = persistent_matrix_cg(BackendKind::cuda).front();
    const OwnedSystem rows = csr_system(offline, p, problem);
    method.prepare(rows.system(), method.space.defaults());
    add(offline);
  });
  for_each_persistent_cg_case([&](const auto& problem, Precision p, const Config& shape) {
    CudaOffline offline;
    const SolverMethod method = persistent_cg_method();
    PreparedSolver(cg_solver(), method, offline, p, method.space.complete(shape), problem);
    add(offline);
  });
  for (Precision p : {Precision::fp32, Precision::fp64}) {
    CudaOffline offline;
    PreparedSolver(direct_solver(), direct_by_sums(), offline, p, {},
                   std::make_shared<const LinearProblem>(make_problem("manufactured", {9, 6})));
    const Field b(offline, {9, 6}, p), u(offline, {9, 6}, p);
    const auto a = std::make_shared<StencilOperator>(Operator());
    for (const Ends at : {Ends::closed, Ends::periodic})
      library_of_sums().solve(
          {.system = {.backend = &offline, .precision = p, .a = a, .b = b.view(), .u = u.view()},
           .ends = {at, at, at},
           .from = b.view(),
           .to = u.view()});
    add(offline);
  }
  for_each_mesh_case(BackendKind::cuda, [&](const auto& kernel, const auto& method, const MeshShape& shape,
                                            const HostProblem& start, const Config& config) {
    CudaOffline offline;
    DeviceMesh mesh(offline, shape.mesh);
    method.prepare(offline, kernel.bind(shape, views_of(start), mesh), config);
    add(offline);
  });
  for_each_step_case([&](StepKind kind, Precision p, const auto& flow) {
    CudaOffline offline;
    PreparedStep(kind, offline, p, TuningSpace{step_settings()}.defaults(), flow);
    add(offline);
  });
  for_each_cuda_block_solver([&](const auto&, const auto& method, Precision p, const auto& problem) {
    for (const Config& layout : emulated_layouts(method, p)) {
      CudaOffline offline;
      PreparedBlocks(method, offline, p, method.space.complete(layout), problem);
      add(offline);
    }
  });
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  std::string declarations, calls;
  for (const auto& [source, expressions] : expressions_by_source()) {
    std::ofstream(folder + "/" + stem(source) + ".cpp") << cpp_text(source, expressions);
    declarations += fmt::format("void add_{}(FunctionTable&);\n", stem(source));
    calls += fmt::format("  add_{}(table);\n", stem(source));
  }
  std::ofstream(folder + "/table.cpp") << fmt::format(
      "#include \"tests/cuda_emulation/emulated_device.hpp\"\n\nnamespace cfdmark::emulation {{\n\n{}\n"
      "const FunctionTable& functions() {{\n  static const FunctionTable all = [] {{\n    FunctionTable "
      "table;\n  {}"
      "    return table;\n  }}();\n  return all;\n}}\n\n}}  // namespace cfdmark::emulation\n",
      declarations, calls);
}
