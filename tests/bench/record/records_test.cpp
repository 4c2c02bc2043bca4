#include "bench/record/records.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/record/record_check.hpp"
#include "bench/text/printable.hpp"
#include "test_paths.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/sound_record.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Json record(const std::string& name) { return sound_record(name); }

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void append_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

// Changes root to another user for its lifetime, since root may write everywhere.
struct NotRoot {
  bool was_root = geteuid() == 0;
  NotRoot() { REQUIRE((!was_root || seteuid(65534) == 0)); }
  ~NotRoot() {
    if (was_root && seteuid(0) != 0) std::abort();
  }
};

// Limits the size of files of this process: a write is truncated there and the next one fails.
struct SizeLimit {
  rlimit before{};
  explicit SizeLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{bytes, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before); }
};

}  // namespace

TEST_CASE("a file holds times to seven digits and histories to six, and counts and answers stay exact",
          "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  Json r = record("sor/serial/fp64/plain@8x8");
  const double third = 1.0 / 3;
  r["time"] = time_of({third});
  r["rate"] = {{"bytes_per_second", 123456789012.0}, {"lups", third}};
  r["solver"] = {
      {"true_residual", third}, {"time_per_iteration", third}, {"history", {{10, third}, {20, 1e-310}}}};
  {
    RecordWriter writer(path);
    writer.append(r);
  }
  const RecordFile file = read_records(path);
  REQUIRE(file.warnings.empty());
  const Json& kept = file.lines.at(0);
  CHECK(kept["time"]["samples"][0] == 0.3333333);
  CHECK(kept["time"]["median"] == 0.3333333);
  CHECK(kept["rate"]["bytes_per_second"] == 123456789012.0);
  CHECK(kept["rate"]["lups"] == 0.3333333);
  CHECK(kept["solver"]["true_residual"] == third);
  CHECK(kept["solver"]["time_per_iteration"] == 0.3333333);
  CHECK(kept["solver"]["history"][0] == Json({10, 0.333333}));
}

TEST_CASE("appended records are read back in order", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "new/folder/run.jsonl";
  {
    RecordWriter writer(path);
    writer.append(record("a"));
    writer.append(record("b"));
    writer.sync();
  }
  RecordWriter(path).append(record("c"));
  const RecordFile file = read_records(path);
  REQUIRE(file.warnings.empty());
  REQUIRE(file.lines == std::vector<Json>{record("a"), record("b"), record("c")});
}

TEST_CASE("an incomplete line costs no other line", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  RecordWriter(path).append(record("a"));
  append_text(path, R"({"type":"record","case":"cut o)");
  RecordWriter(path).append(record("b"));
  const RecordFile file = read_records(path);
  REQUIRE(file.lines == std::vector<Json>{record("a"), record("b")});
  REQUIRE(file.warnings.size() == 1);
  REQUIRE_THAT(file.warnings[0], Mentions({"run.jsonl:2: ", "not JSON"}));
}

TEST_CASE("invalid lines are skipped, each with its number", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  append_text(path, "\x01\x02\xff\n\n[1, 2]\n\"text\"\n{\"no\": \"type\"}\n{\"type\": 7}\n");
  RecordWriter(path).append(record("a"));
  const RecordFile file = read_records(path);
  REQUIRE(file.lines == std::vector<Json>{record("a")});
  REQUIRE(file.warnings.size() == 5);
  REQUIRE_THAT(file.warnings[0], ContainsSubstring("run.jsonl:1:"));
  REQUIRE_THAT(file.warnings[4], ContainsSubstring("run.jsonl:6:"));
}

TEST_CASE("NaN is written as null and invalid UTF-8 is replaced, so that each line is JSON", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  Json written = record("a");
  written.update({{"memory", {{"field_bytes", std::nan("")}}}, {"reason", "\xff broken"}});
  RecordWriter(path).append(written);
  REQUIRE_THAT(text_of(path), ContainsSubstring("\"field_bytes\":null"));
  const RecordFile file = read_records(path);
  REQUIRE(file.warnings.empty());
  REQUIRE(file.lines.at(0)["memory"].empty());  // like a missing value
}

TEST_CASE("an invalid line is reported with its field and what was expected", "[records]") {
  std::ifstream file(CFDMARK_RECORDS);
  for (const Json& example : Json::parse(file)) {
    std::string problem;
    try {
      checked_line(example["line"].get<std::string>());
    } catch (const BadLine& e) {
      problem = e.what();
    }
    INFO(example["line"]);
    CHECK(problem == example["problem"].get<std::string>());
  }
}

TEST_CASE("texts of records are printable", "[records]") {
  std::ifstream file(CFDMARK_PRINTABLE);
  for (const Json& example : Json::parse(file)) {
    Json line = record("a");
    line["reason"] = example[0];
    CHECK(checked_line(line)["reason"] == example[1]);
  }
  CHECK(printable_lines("one:\n  two\n  ::error::three\x1b") == "one:\n  two\\n  ::error::three\\x1b");
}

TEST_CASE("a full disk is an error that names the file", "[records]") {
  RecordWriter writer("/dev/full");
  REQUIRE_THROWS_AS(writer.append(record("a")), WriteError);
  REQUIRE_THROWS_WITH(writer.append(record("a")), Mentions({"/dev/full", "No space left"}));
}

TEST_CASE("a disk that fills up within a line keeps the lines before and nothing of that line", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  RecordWriter writer(path);
  writer.append(record("a"));
  const std::string before = text_of(path);
  {
    const SizeLimit limit(before.size() + 10);
    REQUIRE_THROWS_AS(writer.append(record("a line of more than ten bytes")), WriteError);
  }
  REQUIRE(text_of(path) == before);
  writer.append(record("b"));
  REQUIRE(read_records(path).lines == std::vector<Json>{record("a"), record("b")});
}

TEST_CASE("a lack of permission is an error that names file or folder", "[records]") {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path,
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const NotRoot guard;
  REQUIRE_THROWS_AS(RecordWriter(folder / "run.jsonl"), WriteError);
  REQUIRE_THROWS_WITH(RecordWriter(folder / "run.jsonl"), Mentions({"run.jsonl", "Permission denied"}));
  REQUIRE_THROWS_WITH(RecordWriter(folder / "new/run.jsonl"),
                      Mentions({folder / "new", "Permission denied"}));
}

TEST_CASE("two runs cannot write one file at a time", "[records]") {
  const TemporaryFolder folder;
  const RecordWriter first(folder / "run.jsonl");
  REQUIRE_THROWS_WITH(RecordWriter(folder / "run.jsonl"), Mentions({"run.jsonl", "another process"}));
}

TEST_CASE("a file that is removed, replaced or truncated while it is written is an error of the writer",
          "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl", other = folder / "other.jsonl";
  const auto spoil = [&](int way) {
    if (way == 0) return std::filesystem::remove(path);
    if (way == 1) return append_text(other, "x\n"), std::filesystem::rename(other, path), true;
    return std::filesystem::resize_file(path, 3), true;
  };
  for (int way = 0; way < 3; ++way) {
    std::filesystem::remove(path);
    RecordWriter writer(path);
    writer.append(record("a"));
    REQUIRE(spoil(way));
    INFO(way);
    const char* expected = way < 2 ? "replaced" : "truncated";
    CHECK_THROWS_WITH(writer.sync(), Mentions({path, expected}));
    CHECK_THROWS_WITH(writer.append(record("b")), Mentions({path, expected}));
  }
}

TEST_CASE("a file that starts from scratch keeps its contents each time under a new name", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  RecordWriter writer(path);
  CHECK(writer.start_over().empty());
  for (const char* name : {"a", "b"}) {
    writer.append(record(name));
    const std::string kept = writer.start_over();
    CHECK(kept == path + (name == std::string("a") ? ".bak" : ".bak.2"));
    CHECK(read_records(kept).lines == std::vector<Json>{record(name)});
  }
  writer.append(record("c"));
  writer.sync();
  CHECK(read_records(path).lines == std::vector<Json>{record("c")});
}

TEST_CASE("a file that cannot be copied does not start from scratch", "[records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.jsonl";
  RecordWriter writer(path);
  writer.append(record("a"));
  const std::string before = text_of(path);
  {
    const SizeLimit full(50);
    CHECK_THROWS_WITH(writer.start_over(), Mentions({path, ".bak"}));
  }
  CHECK(text_of(path) == before);
  CHECK_FALSE(std::filesystem::exists(path + ".bak"));
}

TEST_CASE("a missing file cannot be read, and the error says so", "[records]") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(read_records(folder / "none.jsonl"), Mentions({"none.jsonl", "No such file"}));
  REQUIRE_THROWS_WITH(read_records(folder.path.string()), ContainsSubstring("Is a directory"));
}
