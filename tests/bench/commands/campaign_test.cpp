// A campaign: sittings that are interrupted, code that changes, and records that are refused.
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/record/environment.hpp"
#include "bench/record/records.hpp"
#include "bench/runs/campaign_records.hpp"
#include "bench/sweep/sweep.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A campaign of four cases in two sweeps, in a folder of its own.
struct Campaign {
  TemporaryFolder folder;
  std::string kernels = folder / "device/kernels.jsonl", solvers = folder / "device/solvers.jsonl";

  Campaign() {
    write(
        "kernels.yaml",
        "question: Kernels?\nblocks:\n"
        "  - {kernels: [copy, triad], backends: serial, methods: default, precisions: fp64, grids: 33x33}\n");
    write("solvers.yaml",
          "question: Solvers?\nblocks:\n"
          "  - {solvers: [jacobi, cg], backends: serial, methods: default, precisions: fp64, grids: 9x9}\n");
    write("campaign.yaml", fmt::format("parts:\n  - {{sweeps: [{}, {}], case_seconds: 0.1}}\n",
                                       folder / "kernels.yaml", folder / "solvers.yaml"));
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  Ended run(const std::string& more = "--no-page") const {
    return cfdmark_with(fmt::format("campaign {} --output {} --no-roofs {}", folder / "campaign.yaml",
                                    folder / "device", more));
  }
};

std::map<std::string, Json> records_of(const std::string& path) {
  std::map<std::string, Json> found;
  if (!std::filesystem::exists(path)) return found;
  for (const Json& line : read_records(path).lines)
    if (line.at("type") == "record") {
      INFO(line.at("case"));
      CHECK(found.emplace(line.at("case"), line).second);
    }
  return found;
}

// Rewrites the lines of a file of records.
template <class Change>
void change_lines(const std::string& path, const Change& change) {
  std::string text;
  for (Json line : read_records(path).lines) change(line), text += one_line(line) + "\n";
  std::ofstream(path) << text;
}

std::size_t record_lines(const std::string& path) {
  const std::string text = text_of(path);
  std::size_t count = 0;
  for (auto at = text.find("\"type\":\"record\""); at != std::string::npos;
       at = text.find("\"type\":\"record\"", at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("a campaign that was killed loses no sample and measures none twice", "[campaign]") {
  const Campaign campaign;
  const pid_t pid = begin_cfdmark({"campaign", campaign.folder / "campaign.yaml", "--output",
                                   campaign.folder / "device", "--no-page", "--no-roofs"});
  end_cfdmark(pid, SIGKILL, [&] { return record_lines(campaign.kernels) >= 1; });
  std::map<std::string, Json> before;
  for (const Json& line : read_records(campaign.kernels).lines)
    if (line.at("type") == "record") before[line.at("case")] = line;
  REQUIRE(!before.empty());

  REQUIRE(campaign.run().status == 0);
  const auto kernels = records_of(campaign.kernels), solvers = records_of(campaign.solvers);
  REQUIRE(kernels.size() == 2);
  REQUIRE(solvers.size() == 2);
  for (const auto& records : {kernels, solvers})
    for (const auto& [name, record] : records) {
      INFO(name);
      const std::vector<int> processes = record.at("time").at("processes");
      REQUIRE(processes.size() == 2);
      CHECK(std::min(processes[0], processes[1]) >= 6);
    }
  for (const auto& [name, record] : before) {
    INFO(name);
    const std::vector<double> kept = record.at("time").at("samples"),
                              now = kernels.at(name).at("time").at("samples");
    REQUIRE(kept.size() <= now.size());
    CHECK(std::equal(kept.begin(), kept.end(), now.begin()));
  }

  const std::string whole = text_of(campaign.kernels);
  const Ended again = campaign.run();
  CHECK(again.status == 0);
  CHECK_THAT(again.out, ContainsSubstring("in which nothing was measured"));
  CHECK(text_of(campaign.kernels) == whole);
}

TEST_CASE("code that changed measures again only the cases that it concerns, whatever the commit",
          "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run().status == 0);
  const auto before = records_of(campaign.kernels);
  const std::string solvers = text_of(campaign.solvers);
  change_lines(campaign.kernels, [](Json& line) {
    if (line.at("type") == "environment")
      line["program"]["fingerprint"] = line["program"]["commit"] = "of another commit";
    if (line.value("name", "") == "triad") line["source"] = "of older code";
  });
  CHECK_THAT(campaign.run("--dry-run").out, ContainsSubstring("to re-measure: 1 their code changed"));
  REQUIRE(campaign.run().status == 0);
  const auto after = records_of(campaign.kernels);
  REQUIRE(after.size() == 2);
  for (const auto& [name, record] : after) {
    INFO(name);
    CHECK((record == before.at(name)) == (record.at("name") == "copy"));
    CHECK(record.at("source") == before.at(name).at("source"));
  }
  CHECK(text_of(campaign.solvers) == solvers);
}

TEST_CASE("records of another instruction set are refused, with the file and what to do", "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  change_lines(campaign.kernels, [](Json& line) {
    if (line.at("type") == "environment") line["program"]["instruction_set"] = "vax";
  });
  const std::string before = text_of(campaign.kernels);
  const Ended refused = campaign.run();
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Mentions({"kernels.jsonl", "instruction set vax", "--output"}));
  CHECK(text_of(campaign.kernels) == before);
  CHECK_FALSE(std::filesystem::exists(campaign.solvers));
}

TEST_CASE("records of a GPU count with any instruction set of the host", "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  change_lines(campaign.kernels, [](Json& line) {
    if (line.at("type") == "environment") line["program"]["instruction_set"] = "vax";
    if (line.at("type") == "record") line["backend"] = "cuda";
  });
  CHECK(read_campaign_records(campaign.kernels, describe_program_and_host()).newest.size() == 1);
}

TEST_CASE("a newer record removes the older ones of its case from the other files of the folder",
          "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  const std::string old = campaign.folder / "device/old.jsonl",
                    other = campaign.folder / "device/other.jsonl";
  std::filesystem::copy_file(campaign.kernels, old);
  std::filesystem::copy_file(campaign.kernels, other);
  for (const std::string& path : {old, other})
    change_lines(path, [&](Json& line) {
      if (line.at("type") == "environment") line["time"] = "2001-01-01T00:00:00Z";
      if (path == other && line.at("type") == "record") line["case"] = "another case";
    });
  const std::string kept = text_of(other);
  const Ended ended = campaign.run("--no-page --filter ^triad");
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, ContainsSubstring("1 older records"));
  CHECK_FALSE(std::filesystem::exists(old));
  CHECK(text_of(other) == kept);
  CHECK(records_of(campaign.kernels).size() == 2);
}

TEST_CASE("added records replace older ones of their cases, and rows built for another instruction set",
          "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  const std::string device = campaign.folder / "results/device", from = campaign.folder / "device";
  std::filesystem::create_directories(device);
  std::filesystem::copy_file(campaign.kernels, device + "/kernels.jsonl");
  std::filesystem::copy_file(campaign.kernels, device + "/other.jsonl");
  for (const char* name : {"/kernels.jsonl", "/other.jsonl"})
    change_lines(device + name, [&](Json& line) {
      if (line.at("type") == "environment") {
        line["time"] = "2001-01-01T00:00:00Z", line["id"] = line["id"].get<std::string>() + "0";
        line["program"]["instruction_set"] = "vax";
      } else {
        line["environment"] = line["environment"].get<std::string>() + "0";
        if (name == std::string("/kernels.jsonl")) line["case"] = "a case of an old list";
      }
    });
  const auto add = [&](const std::string& folder) {
    return cfdmark_with("campaign --no-page --add " + folder + " --output " + device);
  };
  const Ended ended = add(from);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  CHECK_THAT(ended.out, Mentions({"1 records added", "1 older ones"}));
  const auto records = records_of(device + "/kernels.jsonl");
  CHECK(records.size() == 1);
  CHECK(records.begin()->first.starts_with("copy/"));
  CHECK_FALSE(std::filesystem::exists(device + "/other.jsonl"));
  const std::string before = text_of(device + "/kernels.jsonl");
  REQUIRE(add(from).status == 0);
  CHECK(text_of(device + "/kernels.jsonl") == before);
  CHECK_THAT(add(campaign.folder / "nowhere").err, ContainsSubstring("holds no records to add"));
  CHECK_THAT(cfdmark_with("campaign --add " + from).err, ContainsSubstring("--add needs --output"));
}

TEST_CASE("an added record does not replace one with a time from more processes", "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  const std::string device = campaign.folder / "results/device", from = campaign.folder / "device";
  std::filesystem::create_directories(device);
  // The record that is there is in another file, older, and has one process more.
  std::filesystem::copy_file(campaign.kernels, device + "/other.jsonl");
  change_lines(device + "/other.jsonl", [&](Json& line) {
    if (line.at("type") == "environment") line["time"] = "2001-01-01T00:00:00Z";
    if (line.at("type") == "record")
      for (const char* key : {"processes", "samples"}) {
        const std::vector<Json> values = line["time"][key];
        for (const Json& value : values) line["time"][key].push_back(value);
      }
  });
  const std::string before = text_of(device + "/other.jsonl");
  const auto add = [&] { return cfdmark_with("campaign --no-page --add " + from + " --output " + device); };
  Ended ended = add();
  REQUIRE(ended.status == 0);
  CHECK_THAT(ended.out,
             Mentions({"0 records added", "1 not added: their cases have times from more processes"}));
  CHECK(text_of(device + "/other.jsonl") == before);
  CHECK_FALSE(std::filesystem::exists(device + "/kernels.jsonl"));
  // One of other code is the only one of that code, and so is one built for another instruction set.
  const std::string own = text_of(campaign.kernels);
  change_lines(campaign.kernels, [](Json& line) {
    if (line.at("type") == "record") line["source"] = "0123456789abcdef";
  });
  CHECK_THAT(add().out, ContainsSubstring("1 records added"));
  CHECK(records_of(device + "/kernels.jsonl").size() == 1);
  std::filesystem::remove_all(device);
  std::filesystem::create_directories(device);
  std::ofstream(device + "/kernels.jsonl") << before;
  change_lines(device + "/kernels.jsonl", [](Json& line) {
    if (line.at("type") == "environment")
      line["program"]["instruction_set"] = "vax", line["id"] = line["id"].get<std::string>() + "0";
    else
      line["environment"] = line["environment"].get<std::string>() + "0";
  });
  std::ofstream(campaign.kernels) << own;
  CHECK_THAT(add().out, ContainsSubstring("1 records added"));
  CHECK(records_of(device + "/kernels.jsonl").size() == 1);
  // One that failed says that the case does so now.
  change_lines(campaign.kernels, [&](Json& line) {
    if (line.at("type") == "record") line["status"] = "failed", line["reason"] = "wrong";
  });
  ended = add();
  CHECK_THAT(ended.out, ContainsSubstring("1 records added"));
}

TEST_CASE("a part that tunes saves its answers next to the folder of the records", "[campaign]") {
  const Campaign campaign;
  campaign.write("campaign.yaml", "parts:\n  - {tune: copy --backend serial --ladder 16..32, share: 1}\n");
  CHECK_THAT(campaign.run("--dry-run").out, ContainsSubstring("at most 100 % of the remaining budget"));
  const Ended ended = campaign.run("--no-page --budget 1m");
  INFO(ended.err);
  CHECK(ended.status == 0);
  std::size_t tables = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(campaign.folder / "tuned"))
    tables += entry.path().filename() == "copy.json";
  CHECK(tables == 1);
  campaign.write("campaign.yaml", "parts:\n  - {tune: copy --grid 3y3}\n");
  CHECK(campaign.run().status == 1);
}

TEST_CASE("a budget ends a sitting, says what remains and shortens no case", "[campaign]") {
  const Campaign campaign;
  const Ended ended = campaign.run("--no-page --budget 0s");
  CHECK(ended.status == 4);
  CHECK_THAT(ended.out, Mentions({"to measure", "the same command continues"}));
  CHECK(records_of(campaign.kernels).empty());
}

TEST_CASE("a sitting writes the page of its device from the records", "[campaign]") {
  const Campaign campaign;
  REQUIRE(campaign.run("").status == 0);
  CHECK_THAT(text_of(campaign.folder / "device/README.md"),
             Mentions({"2 files of records", "built for", "at least six samples", "**Limits**"}));
}

TEST_CASE("an error in the list of a campaign names file, line and column", "[campaign]") {
  const Campaign campaign;
  campaign.write("campaign.yaml", "parts:\n  - {sweep: kernels.yaml}\n");
  CHECK_THAT(campaign.run().err,
             Mentions({"campaign.yaml:2:6: unknown key 'sweep'", "did you mean 'sweeps'"}));
  campaign.write("campaign.yaml", "parts:\n  - {sweeps: missing.yaml}\n");
  CHECK_THAT(campaign.run().err, ContainsSubstring("campaign.yaml:2:14: unknown sweep 'missing.yaml'"));
  campaign.write("campaign.yaml", fmt::format("parts:\n  - {{sweeps: {}, filter: jacob@}}\n",
                                              campaign.folder / "kernels.yaml"));
  CHECK_THAT(campaign.run().err, ContainsSubstring("matches the filter 'jacob@'"));
  campaign.write("campaign.yaml",
                 fmt::format("parts:\n  - {{sweeps: {}, tune: copy}}\n", campaign.folder / "kernels.yaml"));
  CHECK_THAT(campaign.run().err,
             ContainsSubstring("campaign.yaml:2:5: a part has either 'sweeps' or 'tune'"));
}

TEST_CASE("a record counts on another machine of its kind if all its processes ran", "[campaign]") {
  const Campaign campaign;
  const Case c = read_sweep(campaign.folder / "kernels.yaml").cases.front();
  REQUIRE(campaign.run("--no-page --filter ^copy").status == 0);
  CampaignRecords records = read_campaign_records(campaign.kernels, describe_program_and_host());
  Record record = records.newest.at(case_name(c));
  const Json here = records.environments.at(record.environment);
  Json there = here;
  there["host"]["machine"] = "another";
  const CampaignPart part;
  CHECK(why_again(record, there, here, c, part).empty());
  record.result.samples.pop_back();
  CHECK(why_again(record, here, here, c, part).empty());
  CHECK_THAT(why_again(record, there, here, c, part), ContainsSubstring("another machine"));
  record.result.samples[0].resize(5);
  CHECK(why_again(record, here, here, c, part) == "too few samples");
  there["host"]["cpu"] = "another processor";
  CHECK_THAT(why_again(record, there, here, c, part), ContainsSubstring("another device"));
  there["program"]["flags"] = "-O0";
  CHECK(why_again(record, there, here, c, part) == "built with other flags");
}
