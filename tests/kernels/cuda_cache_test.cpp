// Compiled device code on disk: found again, never trusted blindly, and not required.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>

#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
namespace fs = std::filesystem;

namespace {

// A folder for this test, removed at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("cfdmark_cache_test." + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

const DeviceCodeRequest request{
    "kernels/smoothing/smoothing.cu", {"cfdmark::smoothing_planes<float, float, 32, 1, 8>"}, "sm_90"};
const DeviceCode code{std::string("cubin\0with\nzeros", 16), {"_Zsymbol", "_Zother"}, "a log\n"};

int files_in(const fs::path& folder) {
  int n = 0;
  for (const auto& entry : fs::directory_iterator(folder)) n += entry.is_regular_file();
  return n;
}

void change_last_byte(const fs::path& file) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(-2, std::ios::end);
  stream.put('!');
}

}  // namespace

TEST_CASE("stored code is found, byte for byte", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  CHECK_FALSE(cache.find("key").has_value());
  cache.keep("key", code);
  CHECK(cache.problem().empty());
  REQUIRE(cache.find("key").has_value());
  CHECK(*cache.find("key") == code);
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a second request is read from disk and not compiled", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  cache.keep(request.key(), code);
  CHECK(cache.get(request) == code);
}

TEST_CASE("a first request is compiled and stored", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  const DeviceCode compiled = cache.get(request);
  CHECK(compiled.cubin.size() > 100);
  CHECK(*cache.find(request.key()) == compiled);
}

TEST_CASE("a damaged or truncated file is compiled again and replaced", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  const fs::path file = cache.file_of(request.key());
  const DeviceCode compiled = cache.get(request);
  SECTION("damaged") { change_last_byte(file); }
  SECTION("cut") { fs::resize_file(file, fs::file_size(file) / 2); }
  SECTION("empty") { fs::resize_file(file, 0); }
  SECTION("something else") { std::ofstream(file) << "not ours"; }
  CHECK_FALSE(cache.find(request.key()).has_value());
  CHECK(cache.get(request).cubin == compiled.cubin);  // the log contains the compile time
  REQUIRE(cache.find(request.key()).has_value());
  CHECK(cache.find(request.key())->cubin == compiled.cubin);
}

TEST_CASE("two keys that share a file name are distinguished", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  cache.keep("one key", code);
  fs::copy(cache.file_of("one key"), cache.file_of("another key"));
  CHECK(cache.find("one key").has_value());
  CHECK_FALSE(cache.find("another key").has_value());
}

TEST_CASE("without a writable folder, code is compiled and not stored", "[cuda]") {
  Folder folder;
  std::ofstream(folder.path / "file") << "no folder";
  DeviceCodeCache cache(folder.path / "file" / "nvrtc");
  CHECK(cache.get(request).cubin.size() > 100);
  CHECK_FALSE(cache.problem().empty());
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("an entry whose last symbol was truncated, with a valid checksum, is read to its end", "[cuda]") {
  Folder folder;
  const DeviceCodeCache cache(folder.path);
  const std::string body = "3\nkey\n6\na\ncut!\n0\n\n5\ncubin\n";
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (unsigned char c : body) sum = (sum ^ c) * 0x100000001b3ull;
  std::ofstream(cache.file_of("key")) << "cfdmark device code 1\n" << fmt::format("{:016x}\n", sum) << body;
  REQUIRE(cache.find("key").has_value());
  CHECK(cache.find("key")->symbols == std::vector<std::string>{"a", "cut!"});
}

TEST_CASE("code that another user may have written is not run", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  cache.keep("key", code);
  REQUIRE(cache.find("key").has_value());
  fs::permissions(cache.file_of("key"), fs::perms::group_write, fs::perm_options::add);
  CHECK_FALSE(cache.find("key").has_value());
  cache.keep("key", code);
  if (geteuid() == 0) {
    REQUIRE(chown(cache.file_of("key").c_str(), 65534, 65534) == 0);
    CHECK_FALSE(cache.find("key").has_value());
    cache.keep("key", code);
  }
  fs::rename(cache.file_of("key"), folder.path / "elsewhere");
  fs::create_symlink(folder.path / "elsewhere", cache.file_of("key"));
  CHECK_FALSE(cache.find("key").has_value());
}

TEST_CASE("the folder is private to this user, and a folder of another user is not used", "[cuda]") {
  Folder folder;
  fs::permissions(folder.path, fs::perms::all);
  DeviceCodeCache cache(folder.path);
  cache.keep("key", code);
  CHECK(cache.problem().empty());
  CHECK(fs::status(folder.path).permissions() == fs::perms::owner_all);
  if (geteuid() != 0) return;
  REQUIRE(chown(folder.path.c_str(), 65534, 65534) == 0);
  cache.keep("another", code);
  CHECK_THAT(cache.problem(), ContainsSubstring("belongs to another user"));
}

TEST_CASE("without a home directory nothing is stored, and nothing in the current folder", "[cuda]") {
  Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path);
  std::map<const char*, std::string> variables;
  for (const char* name : {"CFDMARK_CACHE_DIR", "XDG_CACHE_HOME", "HOME"})
    if (const char* value = std::getenv(name)) variables[name] = value, unsetenv(name);
  DeviceCodeCache cache = DeviceCodeCache::of_user();
  cache.keep("key", code);
  for (const auto& [name, value] : variables) setenv(name, value.c_str(), 1);
  fs::current_path(before);
  CHECK_FALSE(cache.find("key").has_value());
  CHECK_THAT(cache.problem(), ContainsSubstring("HOME is not set"));
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("on a full disk code is compiled, and no partial file remains", "[cuda]") {
  Folder folder;
  DeviceCodeCache cache(folder.path);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{100, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const DeviceCode compiled = cache.get(request);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK(compiled.cubin.size() > 100);
  CHECK_FALSE(cache.problem().empty());
  CHECK(files_in(folder.path) == 0);
}

TEST_CASE("the key of a request contains everything that determines the compilation", "[cuda]") {
  DeviceCodeRequest other = request;
  other.architecture = "sm_80";
  CHECK(other.key() != request.key());
  other = request;
  other.expressions = {"cfdmark::smoothing_planes<float, float, 64, 1, 8>"};
  CHECK(other.key() != request.key());
  CHECK_THAT(request.key(), ContainsSubstring("--fmad=false") && ContainsSubstring(nvrtc_version()) &&
                                ContainsSubstring("smoothing_planes(") && ContainsSubstring("struct Grid"));
  CHECK_THAT(request.key(), !ContainsSubstring("jacobi"));

  const std::string key = request.key();
  setenv("CFDMARK_NVRTC_LINEINFO", "1", 1);
  CHECK(request.key() != key);
  unsetenv("CFDMARK_NVRTC_LINEINFO");
  CHECK(request.key() == key);
}
