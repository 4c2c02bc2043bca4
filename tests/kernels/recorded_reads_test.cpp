// A kernel's body may read up to its halo; a body that reads further is reported before anything runs.
#include "kernels/cells/recorded_reads.hpp"

#include "bench/case/row.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "kernels/cells/methods/cells.hpp"
#include "tests/catch.hpp"
#include "tests/domains.hpp"

namespace cfdmark {
namespace {

double one_operation(int, bool) { return 1; }

// Reads two cells to the west without declaring a halo.
struct ForgottenHalo {
  template <class F>
  struct Fields {
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.out = at.u(-2, 0) + at.u(1, 0);
  }
  static CellDescription<ForgottenHalo> description() {
    return {.name = "forgotten_halo", .flops = one_operation, .described_at = SourcePlace::here()};
  }
};

// The same with a halo of 2.
struct RightHalo : ForgottenHalo {
  static constexpr int halo = 2;
  static CellDescription<RightHalo> description() { return {.name = "right_halo", .flops = one_operation}; }
};

// Reads three cells up if the flow comes from above, so only some values reveal it.
struct Upwind {
  template <class F>
  struct Fields {
    typename F::In speed;
    typename F::StencilIn u;
    typename F::InOut out;
  };
  static constexpr Fields<Names> names{"speed", "u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    if constexpr (F::dims == 3)
      at.out = at.speed < 0 ? at.u(0, 0, 3) : at.u(0, 0, -1);
    else
      at.out = at.u(0, 0);
  }
  static CellDescription<Upwind> description() {
    return {.name = "upwind", .flops = one_operation, .described_at = SourcePlace::here()};
  }
};

// Runs over faces in x, one more than cells: the last one reads a cell outside a halo of 1.
struct OnFaces {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields {
    typename F::StencilIn p;
    typename F::Out u;
  };
  static constexpr Fields<Names> names{"p", {"u", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.u = at.p(1, 0) - at.p(-1, 0);
  }
  static CellDescription<OnFaces> description() {
    return {.name = "on_faces", .flops = one_operation, .described_at = SourcePlace::here()};
  }
};

// Runs over cells and reads faces in x: the east face is inside the field.
struct OfFaces {
  template <class F>
  struct Fields {
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{{"u", FieldPlace::face_x}, "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.out = at.u(2, 0) - at.u(0, 0);
  }
  static CellDescription<OfFaces> description() { return {.name = "of_faces", .flops = one_operation}; }
};

}  // namespace
}  // namespace cfdmark

using namespace cfdmark;

TEST_CASE("a body that reads beyond its halo is reported with the offset and the required halo", "[halo]") {
  CHECK(halo_problem<ForgottenHalo>() ==
        "forgotten_halo reads u(-2, 0) outside its halo of 1: add `static constexpr int halo = 2;` in "
        "recorded_reads_test.hpp");
  CHECK(halo_problem<Upwind>() ==
        "upwind reads u(0, 0, 3) outside its halo of 1: add `static constexpr int halo = 3;` in "
        "recorded_reads_test.hpp");
  CHECK_THAT(halo_problem<OnFaces>(), ContainsSubstring("on_faces reads p(1, 0) outside its halo of 1: add"));
}

TEST_CASE("a body that reads within its halo is accepted", "[halo]") {
  CHECK(halo_problem<RightHalo>().empty());
  CHECK(halo_problem<OfFaces>().empty());
}

TEST_CASE("a kernel that reads beyond its halo is refused before anything is allocated", "[halo]") {
  CHECK_THROWS_WITH(cell_start<ForgottenHalo>({Precision::fp64, {8, 8}}),
                    ContainsSubstring("forgotten_halo reads u(-2, 0) outside its halo of 1"));
  CHECK(cell_start<RightHalo>({Precision::fp64, {8, 8}}).fields.size() == 2);
}

TEST_CASE("no kernel of the catalog reads beyond its halo", "[halo]") {
  int kernels = 0;
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || row.backend != BackendKind::serial) continue;
    INFO(row_name(row));
    const Config workload = workload_of(row);
    CHECK_NOTHROW(row.field_bytes(domain_for(row, {9, 9}, {9, 9, 9}), workload));
    ++kernels;
  }
  CHECK(kernels > 100);
}
