// Replaced files are never incomplete, and a lock belongs to the file with the name.
#include "bench/record/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/bench/mentions.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t files_in(const TemporaryFolder& folder) {
  return std::size_t(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a full disk leaves the earlier file unchanged and no other file", "[output file]") {
  const TemporaryFolder folder;
  const std::string path = folder / "report.md";
  replace_file(path, "earlier");
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_WITH(replace_file(path, std::string(100000, 'x')),
                    Mentions({"report.md", "File too large", "unchanged"}));
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(text_of(path) == "earlier");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a missing folder is named as the reason", "[output file]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(replace_file(folder / "none/a.md", "text"),
                    Mentions({"none/a.md", "No such file or directory"}));
}

TEST_CASE("a replaced file keeps its permissions", "[output file]") {
  const TemporaryFolder folder;
  const std::string path = folder / "private.md";
  replace_file(path, "one");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  replace_file(path, "two");
  CHECK(text_of(path) == "two");
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a link that a user chose as output is followed", "[output file]") {
  const TemporaryFolder folder;
  replace_file(folder / "real.md", "one");
  fs::create_symlink(folder / "real.md", folder / "link.md");
  replace_file(folder / "link.md", "two");
  CHECK(fs::is_symlink(folder / "link.md"));
  CHECK(text_of(folder / "real.md") == "two");
}

TEST_CASE("a link in a shared folder is replaced, and its target is unchanged", "[output file]") {
  const TemporaryFolder folder;
  replace_file(folder / "somebodys", "theirs");
  fs::create_symlink(folder / "somebodys", folder / "table.json");
  fs::create_symlink(folder / "not-there", folder / "other.json");
  replace_file(folder / "table.json", "ours", Links::replace);
  replace_file(folder / "other.json", "ours", Links::replace);
  CHECK(text_of(folder / "somebodys") == "theirs");
  CHECK_FALSE(fs::exists(folder / "not-there"));
  CHECK(text_of(folder / "table.json") == "ours");
  CHECK_FALSE(fs::is_symlink(folder / "table.json"));
}

TEST_CASE("a device is written in place", "[output file]") {
  replace_file("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(replace_file("/dev/full", std::string(100000, 'x')),
                    Mentions({"/dev/full", "No space left on device"}));
}

TEST_CASE("a lock that waited for a replaced file is on the new file", "[output file]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  replace_file(path, "old");
  const int first = open_locked(path, O_RDWR, 0);
  std::thread other([&] {
    usleep(100000);
    replace_file(path, "new");
    close(first);
  });
  const int second = open_locked(path, O_RDWR, 30);
  other.join();
  CHECK(is_file_at(second, path));
  char text[4] = {};
  CHECK(pread(second, text, 3, 0) == 3);
  CHECK(std::string(text) == "new");
  CHECK_THROWS_WITH(open_locked(path, O_RDWR, 0), Mentions({path, "another process"}));
  close(second);
}

TEST_CASE("a file that was removed or replaced is no longer at its path", "[output file]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  replace_file(path, "old");
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  CHECK(is_file_at(fd, path));
  replace_file(path, "new");
  CHECK_FALSE(is_file_at(fd, path));
  fs::remove(path);
  CHECK_FALSE(is_file_at(fd, path));
  close(fd);
}
