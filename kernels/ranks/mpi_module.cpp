// The module cfdmark_mpi.so: a few functions of MPI behind kernels/ranks/mpi_module.hpp.
#include "kernels/ranks/mpi_module.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstring>
#include <string>

namespace {

static_assert(sizeof(MPI_Request) <= sizeof(void*), "a request has the size of a pointer or of an int");

MPI_Comm ranks_ = MPI_COMM_NULL;
std::string error_;

// Returns the result, with its text for error().
int checked(int result) {
  if (result == MPI_SUCCESS) return 0;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(result, text, &length);
  error_.assign(text, std::size_t(length));
  return 1;
}

// Calls a function of MPI that starts or tests a message.
template <class F>
int with_request(CfdmarkMpiRequest* request, const F& f) {
  MPI_Request of_mpi = MPI_REQUEST_NULL;
  std::memcpy(&of_mpi, &request->of_mpi, sizeof of_mpi);
  const int result = f(&of_mpi);
  std::memcpy(&request->of_mpi, &of_mpi, sizeof of_mpi);
  return checked(result);
}

const char* library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

int start(int* rank, int* count, int* of_host) {
  int already = 0, provided = 0;
  MPI_Initialized(&already);
  if (!already && checked(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))) return 1;
  // Messages of libraries in this process use other communicators.
  if (checked(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_))) return 1;
  MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ranks_, rank);
  MPI_Comm_size(ranks_, count);
  MPI_Comm host;
  if (checked(MPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host))) return 1;
  MPI_Comm_size(host, of_host);
  return checked(MPI_Comm_free(&host));
}

int send(const void* data, std::size_t bytes, int to, int tag, CfdmarkMpiRequest* request) {
  return with_request(request, [&](MPI_Request* started) {
    return MPI_Isend(data, int(bytes), MPI_BYTE, to, tag, ranks_, started);
  });
}

int receive(void* data, std::size_t bytes, int from, int tag, CfdmarkMpiRequest* request) {
  return with_request(request, [&](MPI_Request* started) {
    return MPI_Irecv(data, int(bytes), MPI_BYTE, from, tag, ranks_, started);
  });
}

int test(CfdmarkMpiRequest* request, int* done, std::size_t* bytes) {
  return with_request(request, [&](MPI_Request* started) {
    MPI_Status status;
    const int result = MPI_Test(started, done, &status);
    int count = 0;
    if (result == MPI_SUCCESS && *done) MPI_Get_count(&status, MPI_BYTE, &count);
    *bytes = std::size_t(count);
    return result;
  });
}

int finish() { return checked(MPI_Finalize()); }

const char* error() { return error_.c_str(); }

}  // namespace

const CfdmarkMpi* cfdmark_mpi() {
  static const CfdmarkMpi functions{cfdmark_mpi_version, library, start, send, receive, test, finish, error};
  return &functions;
}
