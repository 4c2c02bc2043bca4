// Every formula by hand, on one cell with distinct neighbours and weights. All other cells are NaN, so that
// reading one of them is detected. A case is verified with the same body that is timed, so no other test
// would detect a wrong weight.
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "bench/catalog/kernel_list.hpp"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Values of the middle cell and its neighbours.
constexpr double centre = 13, west = 3, east = 5, south = 7, north = 11, bottom = 19, top = 23,
                 right_side = 17;
constexpr double omega = 1.5;

Grid grid_of(int dims) { return dims == 3 ? Grid{3, 3, 3} : Grid{3, 3}; }

// Returns a field that is NaN except in the middle.
HostField field_of(int dims, double middle) {
  HostField field(grid_of(dims), Precision::fp64);
  for_each_cell(field.grid(), true,
                [&](int i, int j, int k) { field.set(i, j, k, std::numeric_limits<double>::quiet_NaN()); });
  field.set(1, 1, dims == 3 ? 1 : 0, middle);
  return field;
}

HostField stencil_field(int dims) {
  HostField u = field_of(dims, centre);
  const int k = dims == 3 ? 1 : 0;
  u.set(0, 1, k, west), u.set(2, 1, k, east), u.set(1, 0, k, south), u.set(1, 2, k, north);
  if (dims == 3) u.set(1, 1, 0, bottom), u.set(1, 1, 2, top);
  return u;
}

Operator constant_operator(int dims) {
  Operator a;
  a.wx = 2, a.wy = 3, a.wz = dims == 3 ? 5 : 0;
  a.centre = dims == 3 ? 32 : 16;
  return a;
}

struct ArrayOperator {
  std::vector<HostField> arrays;
  Operator a;

  explicit ArrayOperator(int dims) {
    std::vector<double> weights = {2, 3, 5, 7};  // west, east, south, north
    if (dims == 3) weights.insert(weights.end(), {11, 13});
    weights.push_back(64);  // the centre
    for (double w : weights) arrays.push_back(field_of(dims, w));
    std::vector<AnyView> views;
    for (const HostField& f : arrays) views.push_back(f.view());
    a = operator_over(views, 0, grid_of(dims));
  }
};

// Applies the body of a kernel to the middle cell.
template <class K>
void sweep_middle(const CellArgs<K>& args) {
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    if constexpr (std::is_same_v<typename V::Number, double>)
      sweep_cell<V>(started(args.kernel), fields, 1, 1, args.grid().is_3d() ? 1 : 0);
  });
}
// The same for a reduction: combines the cell's result with `before`.
template <class K>
double join_middle(const CellArgs<K>& args, double before) {
  return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return double(K::Reduction::add(typename V::Number(before),
                                    sweep_cell<V>(args.kernel, fields, 1, 1, args.grid().is_3d() ? 1 : 0)));
  });
}

double middle(const HostField& f) { return f.get(1, 1, f.grid().is_3d() ? 1 : 0); }

// Results of a kernel on the stencil field and b, for each operator and dimension.
struct FourResults {
  double constant_2d, constant_3d, arrays_2d, arrays_3d;
};
template <class Sweep>
void check_operators(const FourResults& expected, const Sweep& sweep) {
  CHECK(sweep(2, constant_operator(2)) == expected.constant_2d);
  CHECK(sweep(3, constant_operator(3)) == expected.constant_3d);
  CHECK(sweep(2, ArrayOperator(2).a) == expected.arrays_2d);
  CHECK(sweep(3, ArrayOperator(3).a) == expected.arrays_3d);
}

// The sums of the neighbours' terms:
//   constant, 2-D   2 (3 + 5) + 3 (7 + 11) = 70,       in 3-D + 5 (19 + 23) = 280
//   arrays,   2-D   2 3 + 3 5 + 5 7 + 7 11 = 133,      in 3-D + 11 19 + 13 23 = 641
void apply_by_hand() {
  check_operators({16 * 13 - 70, 32 * 13 - 280, 64 * 13 - 133, 64 * 13 - 641},
                  [](int dims, const Operator& a) {
                    const HostField u = stencil_field(dims), out = field_of(dims, -1);
                    sweep_middle<Apply>({.fields = {.a = a, .u = u.view(), .out = out.view()}});
                    return middle(out);
                  });
}

void residual_by_hand() {
  check_operators(
      {17 - (16 * 13 - 70), 17 - (32 * 13 - 280), 17 - (64 * 13 - 133), 17 - (64 * 13 - 641)},
      [](int dims, const Operator& a) {
        const HostField u = stencil_field(dims), b = field_of(dims, right_side), out = field_of(dims, -1);
        sweep_middle<Residual>({.fields = {.a = a, .u = u.view(), .b = b.view(), .out = out.view()}});
        return middle(out);
      });
}

void residual_square_by_hand() {
  const auto with_5 = [](double r) { return 5 + r * r; };
  check_operators({with_5(17 - (16 * 13 - 70)), with_5(17 - (32 * 13 - 280)), with_5(17 - (64 * 13 - 133)),
                   with_5(17 - (64 * 13 - 641))},
                  [](int dims, const Operator& a) {
                    const HostField u = stencil_field(dims), b = field_of(dims, right_side);
                    return join_middle<ResidualSquare>({.fields = {.a = a, .u = u.view(), .b = b.view()}}, 5);
                  });
}

constexpr FourResults relaxed = {(17 + 70) / 16.0, (17 + 280) / 32.0, (17 + 133) / 64.0, (17 + 641) / 64.0};
constexpr double over(double value) { return 13 + 1.5 * (value - 13); }
constexpr FourResults over_relaxed = {over(87 / 16.0), over(297 / 32.0), over(150 / 64.0), over(658 / 64.0)};
constexpr FourResults over_relaxed_without_b = {over(70 / 16.0), over(280 / 32.0), over(133 / 64.0),
                                                over(641 / 64.0)};

void jacobi_by_hand() {
  check_operators(relaxed, [](int dims, const Operator& a) {
    const HostField u = stencil_field(dims), b = field_of(dims, right_side), out = field_of(dims, -1);
    sweep_middle<Jacobi>({.fields = {.a = a, .u = u.view(), .b = b.view(), .out = out.view()}});
    return middle(out);
  });
}

void jacobi_laplace_by_hand() {
  check_operators({70 / 16.0, 280 / 32.0, 133 / 64.0, 641 / 64.0}, [](int dims, const Operator& a) {
    const HostField u = stencil_field(dims), out = field_of(dims, -1);
    sweep_middle<JacobiLaplace>({.fields = {.a = a, .u = u.view(), .out = out.view()}});
    return middle(out);
  });
}

template <class K>
void over_relaxation_by_hand() {
  check_operators(over_relaxed, [](int dims, const Operator& a) {
    const HostField u = stencil_field(dims), b = field_of(dims, right_side);
    sweep_middle<K>({.kernel = {.omega = omega}, .fields = {.a = a, .u = u.view(), .b = b.view()}});
    return middle(u);
  });
}

void red_black_laplace_by_hand() {
  check_operators(over_relaxed_without_b, [](int dims, const Operator& a) {
    const HostField u = stencil_field(dims);
    sweep_middle<RedBlackLaplace>({.kernel = {{.omega = omega}}, .fields = {.a = a, .u = u.view()}});
    return middle(u);
  });
}

void copy_by_hand() {
  const HostField b = field_of(2, 3), a = field_of(2, -1);
  sweep_middle<Copy>({.fields = {b.view(), a.view()}});
  CHECK(middle(a) == 3);
}

void triad_by_hand() {
  const HostField b = field_of(2, 3), c = field_of(2, 5), a = field_of(2, -1);
  sweep_middle<Triad>({.kernel = {.s = 2}, .fields = {.b = b.view(), .c = c.view(), .a = a.view()}});
  CHECK(middle(a) == 3 + 2 * 5);
}

// 1 + 2 + .. + 12 = 78, halved in each of the 32 rounds: 36 bits hold every intermediate value.
template <class K>
void arithmetic_by_hand() {
  const HostField u = field_of(2, 1), out = field_of(2, -1);
  sweep_middle<K>({.kernel = {.s = -0.5}, .fields = {u.view(), out.view()}});
  CHECK(middle(out) == 78 * 0x1p-32);
}

// With coefficients known on the host, coefficients in memory, and 0 / 0, which counts as 0.
void axpy_by_hand() {
  const double three = 3, four = 4, zero = 0;
  const auto result = [](const Scalar& alpha, const Scalar& beta) {
    const HostField x = field_of(2, 8), y = field_of(2, 7);
    sweep_middle<Axpy>({.kernel = {alpha, beta}, .fields = {x.view(), y.view()}});
    return middle(y);
  };
  CHECK(result({2}, {5}) == 2 * 8 + 5 * 7);
  CHECK(result({2, &three, &four}, {-5}) == 1.5 * 8 - 5 * 7);
  CHECK(result({2}, {5, &zero, &zero}) == 2 * 8);
}

void scale_by_hand() {
  const double three = 3, four = 4;
  const HostField x = field_of(2, 8), y = field_of(2, std::numeric_limits<double>::quiet_NaN());
  sweep_middle<Scale>({.kernel = {{2, &three, &four}}, .fields = {x.view(), y.view()}});
  CHECK(middle(y) == 1.5 * 8);
}

// 0.25 times the mean of the six, 68 / 6, and 0.75 times the cell itself.
void smoothing_by_hand() {
  const HostField u = stencil_field(3), out = field_of(3, -1);
  sweep_middle<Smoothing>({.kernel = {.s = 0.25}, .fields = {u.view(), out.view()}});
  CHECK(middle(out) == Approx(0.75 * 13 + 0.25 * 68 / 6).epsilon(1e-15));
}

void four_variables_by_hand() {
  std::vector<HostField> f;
  for (double value : {2, 3, 5, 7, 11, 13, 17, 19}) f.push_back(field_of(2, value));
  sweep_middle<FourVariableUpdate>({.kernel = {.dt = 0.5},
                                    .fields = {.q0 = f[0].view(),
                                               .q1 = f[1].view(),
                                               .q2 = f[2].view(),
                                               .q3 = f[3].view(),
                                               .rhs0 = f[4].view(),
                                               .rhs1 = f[5].view(),
                                               .rhs2 = f[6].view(),
                                               .rhs3 = f[7].view()}});
  CHECK(middle(f[0]) == 2 + 5.5);
  CHECK(middle(f[1]) == 3 + 6.5);
  CHECK(middle(f[2]) == 5 + 8.5);
  CHECK(middle(f[3]) == 7 + 9.5);
}

void five_variables_by_hand() {
  std::vector<HostField> f;
  for (double value : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}) f.push_back(field_of(2, value));
  sweep_middle<FiveVariableUpdate>({.kernel = {.dt = 0.5},
                                    .fields = {.q0 = f[0].view(),
                                               .q1 = f[1].view(),
                                               .q2 = f[2].view(),
                                               .q3 = f[3].view(),
                                               .q4 = f[4].view(),
                                               .rhs0 = f[5].view(),
                                               .rhs1 = f[6].view(),
                                               .rhs2 = f[7].view(),
                                               .rhs3 = f[8].view(),
                                               .rhs4 = f[9].view()}});
  CHECK(middle(f[0]) == 2 + 6.5);
  CHECK(middle(f[1]) == 3 + 8.5);
  CHECK(middle(f[2]) == 5 + 9.5);
  CHECK(middle(f[3]) == 7 + 11.5);
  CHECK(middle(f[4]) == 11 + 14.5);
}

void multiply_by_hand() {
  const HostField x = field_of(2, 3), y = field_of(2, 5), product = field_of(2, -1);
  sweep_middle<Multiply>({.fields = {.x = x.view(), .y = y.view(), .product = product.view()}});
  CHECK(middle(product) == 15);
}

void sum_by_hand() {
  const HostField x = field_of(2, -3);
  CHECK(join_middle<Sum>({.fields = {x.view()}}, 2) == 2 - 3);
}

// Multiplication and addition with one rounding keep the product's 2^-54.
void dot_by_hand() {
  const HostField x = field_of(2, 3), y = field_of(2, -5), near_one = field_of(2, 1 + 0x1p-27);
  CHECK(join_middle<Dot>({.fields = {x.view(), y.view()}}, 2) == 2 - 3 * 5);
  CHECK(join_middle<Dot>({.fields = {near_one.view(), near_one.view()}}, -1) == 0x1p-26 + 0x1p-54);
}

void max_norm_by_hand() {
  const HostField x = field_of(2, -3), nan = field_of(2, std::nan(""));
  CHECK(join_middle<MaxNorm>({.fields = {x.view()}}, 2) == 3);
  CHECK(join_middle<MaxNorm>({.fields = {x.view()}}, 4) == 4);
  CHECK(std::isnan(join_middle<MaxNorm>({.fields = {nan.view()}}, 2)));
  CHECK(std::isnan(join_middle<MaxNorm>({.fields = {x.view()}}, std::nan(""))));
}

// p' = r + (1 / 4) (2 p - v), u' = u + p / 2 + s / 4, r' = s - t / 4, and the reduced results.
void bicgstab_direction_by_hand() {
  const HostField r = field_of(2, 3), v = field_of(2, 5), p = field_of(2, 7);
  sweep_middle<BiCgStabDirection>({.kernel = {.inverse_omega = {2}, .beta_omega = {0.25}},
                                   .fields = {.r = r.view(), .v = v.view(), .p = p.view()}});
  CHECK(middle(p) == 3 + (14 - 5) / 4.0);
}
void bicgstab_product_by_hand() {
  check_operators({16 * 13 - 70, 32 * 13 - 280, 64 * 13 - 133, 64 * 13 - 641},
                  [](int dims, const Operator& a) {
                    const HostField u = stencil_field(dims), w = field_of(dims, 3), out = field_of(dims, -1);
                    const double joined = join_middle<BiCgStabProduct>(
                        {.fields = {.a = a, .u = u.view(), .w = w.view(), .out = out.view()}}, 5);
                    CHECK(joined == 5 + 3 * middle(out));
                    return middle(out);
                  });
}
void bicgstab_update_by_hand() {
  const HostField p = field_of(2, 3), t = field_of(2, 5), shadow = field_of(2, 7), u = field_of(2, 11),
                  r = field_of(2, 13);
  const double joined = join_middle<BiCgStabUpdate>(
      {.kernel = {.alpha = {0.5}, .omega = {0.25}},
       .fields = {.p = p.view(), .t = t.view(), .shadow = shadow.view(), .u = u.view(), .r = r.view()}},
      2);
  CHECK(middle(u) == 11 + 3 / 2.0 + 13 / 4.0);
  CHECK(middle(r) == 13 - 5 / 4.0);
  CHECK(joined == 2 + 7 * (13 - 5 / 4.0));
}

// r' = r - q / 4 with r' . r', and u' = u + p / 2, p' = r + p / 4.
void cg_residual_by_hand() {
  const HostField q = field_of(2, 3), r = field_of(2, 7);
  const double joined =
      join_middle<CgResidual>({.kernel = {.alpha = {0.25}}, .fields = {.q = q.view(), .r = r.view()}}, 2);
  CHECK(middle(r) == 7 - 3 / 4.0);
  CHECK(joined == 2 + 6.25 * 6.25);
}
void cg_solution_by_hand() {
  const HostField r = field_of(2, 3), p = field_of(2, 5), u = field_of(2, 11);
  sweep_middle<CgSolution>(
      {.kernel = {.alpha = {0.5}, .beta = {0.25}}, .fields = {.r = r.view(), .p = p.view(), .u = u.view()}});
  CHECK(middle(u) == 11 + 5 / 2.0);
  CHECK(middle(p) == 3 + 5 / 4.0);
}

const std::map<std::string, void (*)()> by_hand = {
    {"copy", copy_by_hand},
    {"triad", triad_by_hand},
    {"fused_multiply_add", arithmetic_by_hand<FusedMultiplyAdd>},
    {"separate_multiply_add", arithmetic_by_hand<SeparateMultiplyAdd>},
    {"scale", scale_by_hand},
    {"axpy", axpy_by_hand},
    {"sum", sum_by_hand},
    {"dot", dot_by_hand},
    {"max_norm", max_norm_by_hand},
    {"multiply", multiply_by_hand},
    {"apply", apply_by_hand},
    {"bicgstab_direction", bicgstab_direction_by_hand},
    {"bicgstab_product", bicgstab_product_by_hand},
    {"bicgstab_update", bicgstab_update_by_hand},
    {"cg_residual", cg_residual_by_hand},
    {"cg_solution", cg_solution_by_hand},
    {"residual", residual_by_hand},
    {"residual_square", residual_square_by_hand},
    {"jacobi", jacobi_by_hand},
    {"jacobi_laplace", jacobi_laplace_by_hand},
    {"gauss_seidel", over_relaxation_by_hand<GaussSeidel>},
    {"red_black_sor", over_relaxation_by_hand<RedBlackSor>},
    {"red_black_laplace", red_black_laplace_by_hand},
    {"smoothing", smoothing_by_hand},
    {"four_variable_update", four_variables_by_hand},
    {"five_variable_update", five_variables_by_hand},
};

// Names of the kernels in this repository.
template <class... K>
std::vector<std::string> names_of(KernelTypes<K...>) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const std::filesystem::path& file) {
    if (file.parent_path().parent_path().filename() == "kernels") names.push_back(name);
  };
  (add(K::description().name, K::description().described_at.file), ...);
  return names;
}

// Tested in flow_by_hand_test.cpp, wall_distances_by_hand_test.cpp, partial_sums_by_hand_test.cpp,
// staggered_by_hand_test.cpp, staggered_3d_by_hand_test.cpp and eddy_by_hand_test.cpp.
const std::set<std::string> of_flows = {"pressure_gradient",
                                        "momentum",
                                        "face_flux_x",
                                        "face_flux_y",
                                        "pressure_equation",
                                        "flux_correction_x",
                                        "flux_correction_y",
                                        "cell_correction",
                                        "flux_increment_x",
                                        "flux_increment_y",
                                        "body_force_x",
                                        "body_force_y",
                                        "wall_momentum",
                                        "wall_force_x",
                                        "wall_force_y",
                                        "surface_force",
                                        "partial_sum",
                                        "partial_dot",
                                        "momentum_fluxes",
                                        "upwind_momentum_fluxes",
                                        "central_prediction",
                                        "upwind_prediction",
                                        "adams_bashforth",
                                        "velocity_divergence",
                                        "velocity_correction",
                                        "temperature",
                                        "buoyancy",
                                        "momentum_fluxes_3d",
                                        "upwind_momentum_fluxes_3d",
                                        "central_prediction_3d",
                                        "upwind_prediction_3d",
                                        "adams_bashforth_3d",
                                        "velocity_divergence_3d",
                                        "velocity_correction_3d",
                                        "temperature_3d",
                                        "eddy_temperature",
                                        "eddy_temperature_3d",
                                        "eddy_viscosity",
                                        "eddy_viscosity_3d",
                                        "eddy_stress",
                                        "eddy_stress_3d"};

}  // namespace

TEST_CASE("the body of every kernel matches its hand calculation", "[kernels]") {
  const std::vector<std::string> names = names_of(CellKernels{});
  CHECK(names.size() == by_hand.size() + of_flows.size());
  for (const std::string& name : names) {
    if (of_flows.contains(name)) continue;
    INFO(name);
    const auto found = by_hand.find(name);
    REQUIRE(found != by_hand.end());
    found->second();
  }
}

// (1 + 2^-27)^2 - 1: rounding before the addition loses the last bit of the product.
TEST_CASE("a fused multiply-add rounds once, a separate one twice", "[kernels]") {
  const double near_one = 1 + 0x1p-27;
  CHECK(FusedStep<double>{near_one}(near_one, -1) == 0x1p-26 + 0x1p-54);
  CHECK(SeparateStep<double>{near_one}(near_one, -1) == 0x1p-26);
}

TEST_CASE("red-black SOR alternates colours, and each pass updates every second cell from the right start",
          "[kernels]") {
  const RedBlackSor whole{.omega = 1, .order = ColourOrder::red_black_red};
  REQUIRE(whole.parts() == 3);
  CHECK(whole.part(0).colour == 0);
  CHECK(whole.part(1).colour == 1);
  CHECK(whole.part(2).colour == 0);
  // Red: i + j + k even.
  CHECK(whole.part(0).first(0, 0) == 0);
  CHECK(whole.part(0).first(1, 0) == 1);
  CHECK(whole.part(0).first(0, 1) == 1);
  CHECK(whole.part(0).first(1, 1) == 0);
  CHECK(whole.part(1).first(0, 0) == 1);
}

TEST_CASE("the formulas of CG match hand calculations", "[kernels]") {
  CHECK(cg_direction_value(2.0, 3.0, 5.0) == 2 + 3 * 5);
  CHECK(cg_solution_value(2.0, 3.0, 5.0) == 2 + 3 * 5);
  CHECK(cg_residual_value(2.0, 3.0, 5.0) == 2 - 3 * 5);
}
