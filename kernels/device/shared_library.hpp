// A shared library that is opened on the first call of one of its functions. Opening CUDA's large libraries
// takes time and memory that most runs of the program need not spend.
//
// The library's own headers declare its functions. A file NAME_on_demand.cpp defines each function that is
// used: the definition looks up the function of the same name in the opened library and calls it. Callers are
// unaffected.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#define CFDMARK_WORDS_OF(name) CFDMARK_WORDS_AS_GIVEN(name)
#define CFDMARK_WORDS_AS_GIVEN(name) #name
// The function of an opened library declared under this name, which may be a macro. It is looked up once.
#define CFDMARK_FUNCTION_OF(library, name)                                                 \
  ([]() {                                                                                  \
    static auto* const found = (library).function<decltype(name)>(CFDMARK_WORDS_OF(name)); \
    return found;                                                                          \
  }())

namespace cfdmark {

// A library, or a function in it, was not found.
struct LibraryMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The library stays open until the program ends: its threads may outlive its last call.
class SharedLibrary {
 public:
  // Opens the first of `files` (names or paths) that the loader finds. Throws LibraryMissing with the
  // loader's message for each if there is none.
  explicit SharedLibrary(const std::vector<std::string>& files);

  // Returns the function of that name, or null.
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(address_of(name));
  }
  // Returns the function of that name. Throws LibraryMissing if there is none.
  template <class F>
  F* function(const char* name) const {
    if (F* found = find<F>(name)) return found;
    throw LibraryMissing(file_ + " has no function " + name);
  }

 private:
  void* address_of(const char* name) const;

  void* handle_ = nullptr;
  std::string file_;
};

// Opens a library of the CUDA toolkit, such as "libcufft.so.12", from the loader's path or from its location
// at build time.
SharedLibrary open_cuda_library(const std::string& file);

// Throws std::runtime_error if the opened library is not the version of the build, which records state.
void check_version(const std::string& file, const std::string& built_with, const std::string& opened);

}  // namespace cfdmark
