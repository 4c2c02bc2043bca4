// The interface of cfdmark_mpi.so, the one file that calls MPI. The program opens it only for ranks joined by
// MPI, so that it starts where no MPI is installed. A site with another MPI rebuilds this file alone.
#pragma once

#include <cstddef>

extern "C" {

// A message on its way; holds an MPI_Request.
struct CfdmarkMpiRequest {
  void* of_mpi;
};

// Functions return 0 for success, or else a value other than 0 and error() says why. No function but
// start() and finish() waits for another process.
struct CfdmarkMpi {
  int version;               // cfdmark_mpi_version of this header when the module was built
  const char* (*library)();  // name and version of the MPI library; may be called before start()
  // `of_host`: the number of ranks on this host.
  int (*start)(int* rank, int* count, int* of_host);
  // Starts a message to or from a rank. At most 2^30 bytes. The memory must live until test() says so.
  int (*send)(const void* data, std::size_t bytes, int to, int tag, CfdmarkMpiRequest*);
  int (*receive)(void* data, std::size_t bytes, int from, int tag, CfdmarkMpiRequest*);
  // Sets `done` to 1 once the message has been sent or received. `bytes`: the received number.
  int (*test)(CfdmarkMpiRequest*, int* done, std::size_t* bytes);
  int (*finish)();
  const char* (*error)();
};

// The name of this function is looked up in the module.
const CfdmarkMpi* cfdmark_mpi();
}

inline constexpr int cfdmark_mpi_version = 1;
