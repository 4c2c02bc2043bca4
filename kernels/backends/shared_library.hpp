// A shared library that is opened when the first of its functions is called. CUDA's large ones cost a third
// of a second and 300 MB when they are opened, and most starts of a program call none of them.
//
// Their functions are declared by their own headers. A file NAME_on_demand.cpp defines each that is called
// here: it finds the function of the same name in the opened library and calls it. So callers need not know.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#define CFDMARK_WORDS_OF(name) CFDMARK_WORDS_AS_GIVEN(name)
#define CFDMARK_WORDS_AS_GIVEN(name) #name
// The function of an opened library that is declared under this name, which may be a macro's; it is looked
// for once.
#define CFDMARK_FUNCTION_OF(library, name)                                                 \
  ([]() {                                                                                  \
    static auto* const found = (library).function<decltype(name)>(CFDMARK_WORDS_OF(name)); \
    return found;                                                                          \
  }())

namespace cfdmark {

struct LibraryMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// It stays open to the end of the program: its own threads may outlive its last call.
class SharedLibrary {
 public:
  // Opens the first of `files`, names or paths, that the system's loader finds; LibraryMissing, with what the
  // loader says of each, if it finds none.
  explicit SharedLibrary(const std::vector<std::string>& files);

  // Null if the library has none of that name.
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(address_of(name));
  }
  // LibraryMissing if the library has none of that name.
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

// "libcufft.so.12" of the CUDA toolkit, where the loader finds it or where it was when the program was built.
SharedLibrary open_cuda_library(const std::string& file);

// Throws std::runtime_error if an opened library is not of the version that the program was built with, which
// its records name.
void check_version(const std::string& file, const std::string& built_with, const std::string& opened);

}  // namespace cfdmark
