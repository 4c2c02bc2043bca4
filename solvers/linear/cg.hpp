// Conjugate gradients, as Hestenes and Stiefel wrote them (Normore 2010, algorithms 2.6 and 2.7): what its
// methods share.
#pragma once

#include "solvers/linear/method.hpp"
#include "solvers/linear/open_constant.hpp"
#include "solvers/linear/preconditioner.hpp"

namespace cfdmark {

inline const Setting cg_interval{"check_interval", {1, 5, 10, 20}, 10, between_looks};

// One method each, or none where a backend has not what it needs. The first two keep the two coefficients in
// the backend's memory, and the host looks at the residual every check_interval iterations.

// Textbook operations, one kernel each.
std::vector<SolverMethod> textbook_cg(BackendKind);
// The same iterations in two kernels each (kernels/cg_iteration).
std::vector<SolverMethod> fused_cg(BackendKind);
// With a preconditioner and r.z beside them.
std::vector<SolverMethod> fused_pcg(BackendKind, const char* name, PreconditionerKind);
// Many iterations a launch, whose cells stay where they are (kernels/cg_iteration/cg_persistent.cu): it looks
// at the residual by itself. Plane grids on CUDA, as large as the device holds at once.
std::vector<SolverMethod> persistent_cg(BackendKind);
// As one writes it with NVIDIA's libraries, see cg_cusparse.hpp.
std::vector<SolverMethod> cusparse_cg(BackendKind);
std::string cusparse_version();  // "12.6.3"; empty if built without

}  // namespace cfdmark
