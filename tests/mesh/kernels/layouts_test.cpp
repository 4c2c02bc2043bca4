// Layouts of the lists, reversed faces, boundary values, and declared bytes.
#include "kernels/cells/indexed/link_groups.hpp"
#include "kernels/mesh/number.hpp"
#include "kernels/mesh_boundary/mesh_boundary.hpp"
#include "kernels/mesh_curl/mesh_curl.hpp"
#include "kernels/mesh_divergence/mesh_divergence.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
#include "kernels/mesh_integration/mesh_integration.hpp"
#include "kernels/mesh_interpolation/mesh_interpolation.hpp"
#include "kernels/mesh_rotation/mesh_rotation.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/kernels/run_kernel.hpp"
#include "tests/mesh/meshes.hpp"

using namespace cfdmark;

namespace {

// Turns every third inner face: its cells change places, and its nodes.
Mesh with_turned_faces(Mesh mesh) {
  const auto dims = std::size_t(mesh.dims);
  for (std::size_t f = 0; f < std::size_t(mesh.inner_faces); f += 3) {
    std::swap(mesh.face_cells[2 * f], mesh.face_cells[2 * f + 1]);
    std::swap(mesh.face_nodes[dims * f], mesh.face_nodes[dims * f + 1]);
    for (Oriented& face : mesh.cell_faces)
      if (number_of(face) == int(f)) face = reversed(face);
    if (mesh.dims == 3)
      for (std::size_t n = 0; n < 3; ++n) mesh.face_edges[3 * f + n] = reversed(mesh.face_edges[3 * f + n]);
  }
  return mesh;
}
bool is_turned(const Mesh& mesh, int f) { return f < mesh.inner_faces && f % 3 == 0; }

template <class K>
double bytes_an_entity(const Mesh& mesh, const Config& config = {}, const char* method = "plain") {
  const MeshShape shape{shared(mesh), Precision::fp32};
  Backend& serial = backend(BackendKind::serial);
  DeviceMesh on(serial, shape.mesh);
  const auto kernel = MeshKernel<K>::kernel();
  const std::vector<AnyView> views(kernel.start(shape).fields.size());
  const auto methods = kernel.methods(BackendKind::serial);
  const Config whole = find_method(methods, method).space.complete(config);
  const MeshCost cost = kernel.cost(kernel.bind(shape, views, on), method, whole);
  CHECK(cost.requested >= cost.compulsory.bytes);
  return cost.compulsory.bytes / mesh.count(entities_with(K::around, mesh.dims));
}

template <class Links>
void check_links(const Links& links, const HostLists& lists, int e) {
  REQUIRE(links.count() == lists.count(e));
  for (int n = 0; n < lists.count(e); ++n) {
    const int entry = lists.entry(e, n);
    const bool missing = lists.marks == Marks::gaps && entry < 0;
    REQUIRE(links.exists(n) == !missing);
    REQUIRE(links.index(n) == (missing ? 0 : number_of(entry)));
    REQUIRE(links.oriented(n, 1.0) == (lists.marks == Marks::signs ? sign_of(entry) : 1));
  }
}

// Reads every neighbour through groups of entities, `stride` apart.
template <int length, int stride, class Table>
void check_groups(const Table& table, const HostLists& lists) {
  std::vector<bool> met(std::size_t(lists.entities));
  for (int first = 0; first + (length - 1) * stride < lists.entities; first += stride == 1 ? length : 1) {
    const auto group = link_group<length, stride, CacheHint::streaming>(table, first);
    for (int k = 0; k < length; ++k) {
      check_links(group.at(k), lists, first + k * stride);
      met[std::size_t(first + k * stride)] = true;
    }
  }
  CHECK(std::count(met.begin(), met.end(), false) < length * stride);
}

// Reads every neighbour through a table in memory.
template <Connection c, int dims>
void check_layout(const Mesh& mesh, const LinkLayout& layout) {
  Backend& serial = backend(BackendKind::serial);
  const HostLists lists = lists_of(mesh, c);
  const LinkMemory memory = upload_links(serial, lists, layout);
  with_links<c, dims>(memory, layout, [&](const auto& table) {
    for (int e = 0; e < lists.entities; ++e) check_links(table.at(e), lists, e);
    check_groups<1, 1>(table, lists);
    check_groups<2, 1>(table, lists);
    check_groups<4, 1>(table, lists);
    check_groups<4, 32>(table, lists);
  });
}
template <int dims>
void check_layouts(const Mesh& mesh) {
  const LinkLayout layouts[] = {{},
                                {.order = LinkOrder::entity},
                                {.order = LinkOrder::packs},
                                {.own_signs = true},
                                {.counted = true},
                                {.bits = 16},
                                {.bits = 64}};
  for (const LinkLayout& layout : layouts) {
    check_layout<Connection::cell_faces, dims>(mesh, layout);
    check_layout<Connection::face_edges, dims>(mesh, layout);
    if (layout.own_signs) continue;
    check_layout<Connection::face_cells, dims>(mesh, layout);
    check_layout<Connection::cell_nodes, dims>(mesh, layout);
  }
  check_layout<Connection::edge_faces, dims>(mesh, {});
}

}  // namespace

TEST_CASE("every layout names the neighbours of the mesh, and none outside it", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) mesh.dims == 3 ? check_layouts<3>(mesh) : check_layouts<2>(mesh);
}

TEST_CASE("faces around edges are those of the mesh", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) {
    const HostLists lists = lists_of(mesh, Connection::edge_faces);
    const Incidence around = faces_around(mesh);
    CHECK(lists.begin == around.begin);
    CHECK(lists.entries == around.entries);
  }
}

TEST_CASE("lists of different lengths know the most entries of 32 consecutive entities", "[mesh][kernels]") {
  HostLists lists{70, 0, Marks::none, {0}, {}};
  for (int e = 0; e < 70; ++e)
    lists.begin.push_back(lists.begin.back() + (e == 33 ? 100 : e == 69 ? 140 : 2));
  lists.entries.resize(std::size_t(lists.begin.back()));
  const LinkMemory memory = upload_links(backend(BackendKind::serial), lists, {.counted = true});
  CHECK(memory.most_of_group == 100 + 31 * 2);  // the last six have 140 + 5 * 2
}

TEST_CASE("16 bits that do not hold the neighbours of a group are an error with the distance",
          "[mesh][kernels]") {
  HostLists lists{1, 2, Marks::gaps, {}, {3, 3 + 0xffff}};
  Backend& serial = backend(BackendKind::serial);
  CHECK_THROWS_WITH(upload_links(serial, lists, {.bits = 16}),
                    ContainsSubstring("65535 apart") && ContainsSubstring("index_bits=32"));
  lists.entries[1] = 3 + 0xfffe;
  CHECK_NOTHROW(upload_links(serial, lists, {.bits = 16}));
}

TEST_CASE("two layouts at once are an error that names the settings", "[mesh][kernels]") {
  const TuningSpace space = mesh_space(Connection::cell_faces);
  CHECK_THROWS_WITH(space.complete({{"link_order", "entity"}, {"index_bits", 16}}),
                    ContainsSubstring("at most one of link_order"));
  CHECK_THROWS_WITH(space.complete({{"index_bits", 17}}), ContainsSubstring("use 16, 32 or 64"));
}

TEST_CASE("no two entities of a colour share a neighbour, and few colours suffice", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes())
    for (const Connection c : {Connection::face_cells, Connection::cell_nodes}) {
      const HostLists lists = lists_of(mesh, c);
      const int targets = mesh.count(neighbours_in(c, mesh.dims));
      const Colouring all = coloured(lists, targets);
      CHECK(int(all.order.size()) == lists.entities);
      CHECK(all.colours() <= (c == Connection::face_cells ? 2 * mesh.dims + 1 : 60));
      for (int colour = 0; colour < all.colours(); ++colour) {
        std::vector<bool> met(static_cast<std::size_t>(targets));
        for (int i = all.begin[std::size_t(colour)]; i < all.begin[std::size_t(colour) + 1]; ++i)
          for (int n = 0; n < lists.degree; ++n) {
            const int to = lists.entry(all.order[std::size_t(i)], n);
            if (to < 0) continue;
            REQUIRE(!met[std::size_t(to)]);
            met[std::size_t(to)] = true;
          }
      }
    }
}

TEST_CASE("a turned face changes only the sign of its own values", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) {
    const MeshShape here{shared(mesh), Precision::fp64},
        there{shared(with_turned_faces(mesh)), Precision::fp64};
    const auto turned = [&](int f, int d) { return is_turned(mesh, f) ? -noisy(f, d) : noisy(f, d); };
    const auto same_cells = [&](const MeshResult& a, const MeshResult& b) {
      for (int c = 0; c < a.entities; ++c)
        for (int d = 0; d < a.components; ++d) CHECK(a(c, d) == b(c, d));
    };
    const auto same_faces = [&](const MeshResult& a, const MeshResult& b) {
      for (int f = 0; f < mesh.faces(); ++f) CHECK(b(f) == (is_turned(mesh, f) ? -a(f) : a(f)));
    };
    for (const char* method : {"plain", "replicated", "in_order"})
      same_cells(run_on_mesh<MeshDivergence>(here, {{"u", noisy}}, method),
                 run_on_mesh<MeshDivergence>(there, {{"u", turned}}, method));
    same_cells(run_on_mesh<MeshInterpolation>(here, {{"u", noisy}}),
               run_on_mesh<MeshInterpolation>(there, {{"u", turned}}));
    same_cells(run_on_mesh<MeshRotation>(here, {{"g", noisy}}),
               run_on_mesh<MeshRotation>(there, {{"g", turned}}));
    same_faces(run_on_mesh<MeshGradient>(here, {{"p", noisy}}),
               run_on_mesh<MeshGradient>(there, {{"p", noisy}}));
    same_faces(run_on_mesh<MeshIntegration>(here, {{"v", noisy}}),
               run_on_mesh<MeshIntegration>(there, {{"v", noisy}}));
  }
}

TEST_CASE("boundary values follow from the cell inside, and other faces keep theirs", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes())
    for (const char* method : {"plain", "list"}) {
      const MeshShape shape{shared(mesh), Precision::fp64};
      const auto value = [](int f, int) { return 0.25 * f; };
      const MeshResult u = run_on_mesh<MeshBoundary>(shape,
                                                     {{"p", [](int c, int) { return 3 * c; }},
                                                      {"a", [](int f, int) { return f % 2; }},
                                                      {"b", value},
                                                      {"u", [](int, int) { return -7; }}},
                                                     method);
      for (int f = 0; f < mesh.faces(); ++f) {
        const double expected =
            f < mesh.inner_faces ? -7 : f % 2 * 3 * mesh.face_cells[std::size_t(2 * f)] + value(f, 0);
        CHECK(u(f) == expected);
      }
    }
}

TEST_CASE("compulsory bytes are those of the derivation", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) {
    const double cells = mesh.cells(), faces = mesh.faces(), edges = mesh.count(edges_in(mesh.dims));
    const int n = mesh.dims + 1;
    CHECK(bytes_an_entity<MeshGradient>(mesh) == Approx(8 + 4 + 4 * cells / faces));
    CHECK(bytes_an_entity<MeshDivergence>(mesh) == Approx(4 * n + 4 + 4 * faces / cells));
    CHECK(bytes_an_entity<MeshCurl>(mesh) == Approx(4 * mesh.dims + 4 + 4 * edges / faces));
    CHECK(bytes_an_entity<MeshInterpolation>(mesh) ==
          Approx(4 * n + 4 * (1 + mesh.dims) * faces / cells + 4 * (2 * mesh.dims + 1)));
    CHECK(bytes_an_entity<MeshIntegration>(mesh) ==
          Approx(8 + 8 * mesh.dims * cells / faces + 4 * (mesh.dims + 1)));
    // Signs in an array of their own cost 4 bytes a neighbour, 64-bit numbers likewise; lists their first.
    const double plain = bytes_an_entity<MeshDivergence>(mesh);
    CHECK(bytes_an_entity<MeshDivergence>(mesh, {{"link_sign", "array"}}) == Approx(plain + 4 * n));
    CHECK(bytes_an_entity<MeshDivergence>(mesh, {{"index_bits", 64}}) == Approx(plain + 4 * n));
    CHECK(bytes_an_entity<MeshDivergence>(mesh, {{"link_count", "list"}}) == Approx(plain + 4 + 4 / cells));
    CHECK(bytes_an_entity<MeshDivergence>(mesh, {{"index_bits", 16}}) == Approx(plain - 2 * n + 4 / 128.0));
  }
}
