#include "solvers/linear/system/csr_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/csr_apply/near_columns.hpp"
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

template <class T>
Buffer uploaded(Backend& backend, const std::vector<T>& values) {
  Buffer buffer(backend, std::max<std::size_t>(1, values.size()) * sizeof(T));
  backend.upload(buffer.data(), values.data(), values.size() * sizeof(T));
  return buffer;
}
std::vector<int> downloaded(Backend& backend, const Buffer& buffer, std::size_t size) {
  std::vector<int> values(size);
  backend.download(values.data(), buffer.data(), size * sizeof(int));
  return values;
}
void upload(Field& field, const std::vector<double>& values) {
  HostField host(field.grid(), field.storage());
  for (std::size_t n = 0; n < values.size(); ++n) host.set(int(n), 0, 0, values[n]);
  field.upload(host);
}

// Throws std::invalid_argument with the first row in which the entries of `a` are not at the places given.
void check_pattern(const CsrMatrix<double>& a, const std::vector<int>& row_begin,
                   const std::vector<int>& column) {
  const auto fail = [](const std::string& difference) {
    throw std::invalid_argument(
        fmt::format("CSR matrix: {}; load() replaces values only, so make a new operator for another pattern",
                    difference));
  };
  if (a.row_begin.size() != row_begin.size())
    fail(fmt::format("it has {} rows instead of {}", a.rows(), row_begin.size() - 1));
  for (int row = 0; row < a.rows(); ++row) {
    const int begin = row_begin[row], end = row_begin[row + 1];
    if (a.row_begin[row + 1] != end)
      fail(
          fmt::format("row {} has {} entries instead of {}", row, a.row_begin[row + 1] - begin, end - begin));
    for (int at = begin; at < end; ++at)
      if (a.column[at] != column[at])
        fail(fmt::format("row {} has an entry in column {} instead of {}", row, a.column[at], column[at]));
  }
}

// Throws std::invalid_argument unless a vector is flat with one value per row.
const AnyView& flat(const AnyView& vector, int rows) {
  if (vector.grid.cells() == rows && vector.grid.nx == rows) return vector;
  throw std::invalid_argument(
      fmt::format("a matrix of {} rows needs flat vectors of that length, not {}x{}x{}", rows, vector.grid.nx,
                  vector.grid.ny, vector.grid.nz));
}

}  // namespace

CsrOperator::CsrOperator(Backend& backend, Precision precision, const CsrMatrix<double>& a,
                         const CsrForm& form)
    : backend_(&backend), form_(form) {
  check(a);
  row_begin_ = uploaded(backend, a.row_begin);
  if (form.near_columns) {
    const HostNearColumns near = near_columns(a.row_begin, a.column);
    code_ = uploaded(backend, near.code), first_far_ = uploaded(backend, near.first_far);
    far_ = uploaded(backend, near.far), far_columns_ = Index(near.far.size());
  } else {
    column_ = uploaded(backend, a.column);
  }
  values_ = Field(backend, flat_grid(a.entries()), form.values_in_32_bits ? Precision::fp32 : precision);
  diagonal_ = Field(backend, flat_grid(a.rows()), precision);
  upload_values(a);
}

void CsrOperator::upload_values(const CsrMatrix<double>& a) {
  if (only_counts(*backend_)) return;
  upload(values_, a.value);
  upload(diagonal_, diagonal_of(a));
}

void CsrOperator::load(const CsrMatrix<double>& a) {
  check(a);
  if (only_counts(*backend_)) return;
  check_pattern(a, downloaded(*backend_, row_begin_, std::size_t(rows()) + 1),
                downloaded(*backend_, column_, entries()));
  backend_->fence();  // work that reads the old values
  upload_values(a);
}

CsrMatrix<double> CsrOperator::download() const {
  CsrMatrix<double> a{downloaded(*backend_, row_begin_, std::size_t(rows()) + 1),
                      downloaded(*backend_, column_, entries()), std::vector<double>(entries())};
  const HostField values = values_.download();
  for (int at = 0; at < entries(); ++at) a.value[at] = values.get(at, 0, 0);
  return a;
}

CsrArgs CsrOperator::args(Precision precision, const AnyView& x, const AnyView& b, const AnyView& y) const {
  return {.precision = precision,
          .rows = rows(),
          .entries = entries(),
          .row_begin = row_begin(),
          .column = column(),
          .value = values(),
          .values_in_32_bits = form_.values_in_32_bits,
          .near = {static_cast<const unsigned short*>(code_.data()),
                   static_cast<const int*>(first_far_.data()), static_cast<const int*>(far_.data())},
          .far_columns = far_columns_,
          .x = flat(x, rows()),
          .b = b.origin ? flat(b, rows()) : b,
          .y = flat(y, rows())};
}
Operation CsrOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  return op.sweep("apply", csr_methods(op.backend().kind()), csr_cost, args(op.precision(), x, {}, y));
}
Operation CsrOperator::residual(const Operations& op, const AnyView& x, const AnyView& b,
                                const AnyView& r) const {
  return op.sweep("residual", csr_methods(op.backend().kind()), csr_cost, args(op.precision(), x, b, r));
}
Operation CsrOperator::apply_and_dot(const Operations& op, const AnyView& x, const AnyView& y,
                                     const DeviceScalar& result) const {
  const Methods<CsrArgs> methods = csr_dot_methods(op.backend().kind());
  if (methods.empty() || op.has_ranks()) return LinearOperator::apply_and_dot(op, x, y, result);
  CsrArgs both = args(op.precision(), x, {}, y);
  both.dot = result.data();
  return op.sweep("apply", methods, csr_cost, both);
}
Operation CsrOperator::diagonal(const Operations& op, const AnyView& d) const {
  return op.scale({1}, diagonal_.view(), flat(d, rows()), "diagonal");
}

std::shared_ptr<const LinearOperator> CsrOperator::like(Backend& backend, Precision precision) const {
  const std::shared_ptr<CsrOperator> other(new CsrOperator);
  other->backend_ = &backend, other->form_ = form_;
  other->row_begin_ = row_begin_, other->column_ = column_;
  other->code_ = code_, other->first_far_ = first_far_, other->far_ = far_;
  other->far_columns_ = far_columns_;
  other->values_ = Field(backend, values_.grid(), form_.values_in_32_bits ? Precision::fp32 : precision);
  other->diagonal_ = Field(backend, diagonal_.grid(), precision);
  return other;
}

std::vector<Operation> CsrOperator::copy_to(const Operations& op, const LinearOperator& to) const {
  const auto& other = dynamic_cast<const CsrOperator&>(to);
  return {op.scale({1}, values_.view(), other.values_.view(), "to 32 bits"),
          op.scale({1}, diagonal_.view(), other.diagonal_.view(), "to 32 bits")};
}

}  // namespace cfdmark
