#include "solvers/linear/system/csr_operator.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

void check(const CsrMatrix<double>& a) {
  if (a.row_begin.empty() || a.row_begin.front() != 0 || a.column.size() != std::size_t(a.entries()) ||
      a.value.size() != a.column.size())
    throw std::invalid_argument("CSR matrix: row_begin must start with 0 and end with the number of entries");
  // Before the columns, which a row of wrong ends would read beyond their array.
  for (int row = 0; row < a.rows(); ++row)
    if (a.row_begin[row] > a.row_begin[row + 1])
      throw std::invalid_argument(fmt::format("CSR matrix: row {} ends before it begins", row));
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at)
      if (a.column[at] < 0 || a.column[at] >= a.rows())
        throw std::invalid_argument(fmt::format(
            "CSR matrix: row {} has an entry in column {}, but there are {}", row, a.column[at], a.rows()));
}

Buffer uploaded(Backend& backend, const std::vector<int>& values) {
  Buffer buffer(backend, values.size() * sizeof(int));
  backend.upload(buffer.data(), values.data(), values.size() * sizeof(int));
  return buffer;
}
Field uploaded(Backend& backend, Precision storage, const std::vector<double>& values) {
  Field field(backend, flat_grid(int(values.size())), storage);
  if (only_counts(backend)) return field;
  HostField host(field.grid(), storage);
  for (std::size_t n = 0; n < values.size(); ++n) host.set(int(n), 0, 0, values[n]);
  field.upload(host);
  return field;
}

// Throws std::invalid_argument unless a vector is flat with one value per row.
const AnyView& flat(const AnyView& vector, int rows) {
  if (vector.grid.cells() == rows && vector.grid.nx == rows) return vector;
  throw std::invalid_argument(
      fmt::format("a matrix of {} rows needs flat vectors of that length, not {}x{}x{}", rows, vector.grid.nx,
                  vector.grid.ny, vector.grid.nz));
}

}  // namespace

CsrOperator::CsrOperator(Backend& backend, Precision precision, const CsrMatrix<double>& a) {
  check(a);
  row_begin_ = uploaded(backend, a.row_begin), column_ = uploaded(backend, a.column);
  values_ = uploaded(backend, precision, a.value);
  diagonal_ = uploaded(backend, precision, diagonal_of(a));
}

CsrArgs CsrOperator::args(const Operations& op, const AnyView& x, const AnyView& b, const AnyView& y) const {
  return {.precision = op.precision(),
          .rows = rows(),
          .entries = values_.grid().nx,
          .row_begin = static_cast<const int*>(row_begin_.data()),
          .column = static_cast<const int*>(column_.data()),
          .value = values_.view().origin,
          .x = flat(x, rows()),
          .b = b.origin ? flat(b, rows()) : b,
          .y = flat(y, rows())};
}
Operation CsrOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  return op.sweep("apply", csr_methods(op.backend().kind()), csr_cost, args(op, x, {}, y));
}
Operation CsrOperator::residual(const Operations& op, const AnyView& x, const AnyView& b,
                                const AnyView& r) const {
  return op.sweep("residual", csr_methods(op.backend().kind()), csr_cost, args(op, x, b, r));
}
Operation CsrOperator::apply_and_dot(const Operations& op, const AnyView& x, const AnyView& y,
                                     const DeviceScalar& result) const {
  const Methods<CsrArgs> methods = csr_dot_methods(op.backend().kind());
  if (methods.empty()) return LinearOperator::apply_and_dot(op, x, y, result);
  CsrArgs both = args(op, x, {}, y);
  both.dot = result.data();
  return op.over_ranks(op.sweep("apply", methods, csr_cost, both), both.dot);
}
Operation CsrOperator::diagonal(const Operations& op, const AnyView& d) const {
  return op.scale({1}, diagonal_.view(), flat(d, rows()), "diagonal");
}

CsrMatrix<double> CsrOperator::host_copy(Backend& backend) const {
  CsrMatrix<double> a{std::vector<int>(std::size_t(rows()) + 1), {}, {}};
  if (only_counts(backend)) return a;
  const HostField values = values_.download();
  a.column.resize(std::size_t(values_.grid().nx)), a.value.resize(a.column.size());
  backend.download(a.row_begin.data(), row_begin_.data(), a.row_begin.size() * sizeof(int));
  backend.download(a.column.data(), column_.data(), a.column.size() * sizeof(int));
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < a.value.size(); ++n) a.value[n] = values.get(int(n), 0);
  return a;
}

std::shared_ptr<const LinearOperator> CsrOperator::like(Backend& backend, Precision precision) const {
  const std::shared_ptr<CsrOperator> other(new CsrOperator);
  other->row_begin_ = row_begin_, other->column_ = column_;
  other->values_ = Field(backend, values_.grid(), precision);
  other->diagonal_ = Field(backend, diagonal_.grid(), precision);
  return other;
}

std::vector<Operation> CsrOperator::copy_to(const Operations& op, const LinearOperator& to) const {
  const auto& other = dynamic_cast<const CsrOperator&>(to);
  return {op.scale({1}, values_.view(), other.values_.view(), "to 32 bits"),
          op.scale({1}, diagonal_.view(), other.diagonal_.view(), "to 32 bits")};
}

}  // namespace cfdmark
