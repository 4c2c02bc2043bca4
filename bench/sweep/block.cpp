#include "bench/sweep/block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; });
  return found == axes.end() ? nullptr : &*found;
}

void remove_axis(Block& block, const std::string& name) {
  std::erase_if(block.axes, [&](const Axis& a) { return a.name == name; });
  for (auto& zip : block.zips) std::erase(zip, name);
}

class BlockReader {
 public:
  BlockReader(const SweepFile& file, const AxisReader& axes) : file_(file), axes_(axes) {}

  Block whole(const YAML::Node& node) const {
    Block block;
    block.mark = node.Mark();
    const std::vector<Entry> entries =
        file_.entries(node, "a block: a map with kernels or solvers, and grids");
    set_axes(block, entries, {"zip", "exclude", "include"});
    for (const Entry& entry : entries)
      if (entry.key == "zip") read_zips(block, entry);
    for (const Entry& entry : entries) {
      if (entry.key == "exclude")
        for (const YAML::Node& item : file_.items(entry, "patterns such as {backend: cuda, block_x: 16}"))
          block.exclude.push_back(pattern(block, item));
      if (entry.key == "include")
        for (const YAML::Node& item : file_.items(entry, "blocks such as {grids: 999x999}"))
          block.include.push_back(variation(block, item));
    }
    return block;
  }

 private:
  // Returns a copy of `base` with the axes of the node replaced.
  Block variation(const Block& base, const YAML::Node& node) const {
    Block block{node.Mark(), base.axes, base.zips, {}, {}};
    for (Axis& axis : block.axes)
      for (Choice& choice : axis.choices)
        choice.must_serve = false;  // it serves in the base, perhaps not here
    set_axes(block, file_.entries(node, "a block: a map of the axes that differ"), {});
    return block;
  }

  // Replaces the axes that the entries name, and adds the default ones.
  void set_axes(Block& block, const std::vector<Entry>& entries,
                const std::vector<std::string>& other_keys) const {
    const std::vector<Axis> named = named_axes(entries, other_keys);
    for (const Axis& axis : named) {
      remove_axis(block, axis.name);
      if (axis.name == "kernel") remove_axis(block, "solver");
      if (axis.name == "solver") remove_axis(block, "kernel");
      if (axis.is_parameter) remove_axis(block, "parameters");  // such as `tuned` in the base
    }
    block.axes.insert(block.axes.end(), named.begin(), named.end());
    for (const char* name : {"precision", "backend"})
      if (!find_axis(block.axes, name))
        block.axes.push_back(axes_.read(name, {name, block.mark, YAML::Node("all")}));
    const auto rank = [&](const Axis& axis) {
      return std::find(axes_.names().begin(), axes_.names().end(), axis.name);
    };
    std::stable_sort(block.axes.begin(), block.axes.end(),
                     [&](const Axis& a, const Axis& b) { return rank(a) < rank(b); });
    check(block);
  }

  std::vector<Axis> named_axes(const std::vector<Entry>& entries,
                               const std::vector<std::string>& other_keys) const {
    std::vector<Axis> named;
    const auto add = [&](const std::string& name, const Entry& entry) {
      if (const Axis* earlier = find_axis(named, name)) {
        const std::string where = fmt::format("line {}", earlier->mark.line + 1);
        file_.fail(
            entry.mark,
            name == "grid"
                ? fmt::format("'{}' and the domains of {} are one axis; expected one list, or "
                              "a block for each kind",
                              entry.key, where)
                : fmt::format("'{}' is set twice; expected once (it is first set in {})", entry.key, where));
      }
      named.push_back(axes_.read(name, entry));
    };
    for (const Entry& entry : entries) {
      if (entry.key == "parameters" && entry.value.IsMap())
        for (const Entry& p : file_.entries(entry.value, ""))
          if (axes_.axis_name(p.key).empty())
            add(p.key, p);
          else
            file_.fail(p.mark,
                       fmt::format("'{}' is not a parameter; expected it next to 'parameters'", p.key));
      else if (const std::string name = axes_.axis_name(entry.key); !name.empty())
        add(name, entry);
      else if (!contains(other_keys, entry.key))
        fail_unknown(entry, other_keys);
    }
    return named;
  }

  [[noreturn]] void fail_unknown(const Entry& entry, std::vector<std::string> known) const {
    known.insert(known.begin(), axes_.names().begin(), axes_.names().end());
    std::vector<std::string> spellings = known;
    for (const std::string& name : axes_.names()) spellings.push_back(name + "s");
    file_.fail(entry.mark,
               fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(known),
                           contains(axes_.parameters(), entry.key)
                               ? fmt::format("; did you mean 'parameters: {{{}: ...}}'?", entry.key)
                               : did_you_mean(entry.key, spellings)));
  }

  void check(const Block& block) const {
    const Axis *kernels = find_axis(block.axes, "kernel"), *solvers = find_axis(block.axes, "solver");
    if (kernels && solvers)
      file_.fail(solvers->mark, "the block has both kernels and solvers; expected one of them");
    if (!kernels && !solvers)
      file_.fail(block.mark, "the block has neither kernels nor solvers; expected one of them");
    if (!find_axis(block.axes, "grid"))
      file_.fail(
          block.mark,
          "the block has no grids; expected, for example, grids: [512x512] or meshes: [triangles-178x178]");
  }

  void read_zips(Block& block, const Entry& entry) const {
    const std::string expected = "two or more axes such as [grids, threads], or a list of such lists";
    const std::vector<YAML::Node> items = file_.items(entry, expected);
    if (!items[0].IsSequence()) return read_zip(block, entry.value, expected);
    for (const YAML::Node& item : items) read_zip(block, item, expected);
  }

  void read_zip(Block& block, const YAML::Node& names, const std::string& expected) const {
    if (!names.IsSequence() || names.size() < 2)
      file_.fail(names.Mark(), fmt::format("zip is too short; expected {}", expected));
    const Axis* first = nullptr;
    block.zips.emplace_back();
    for (const auto& node : names) {
      const Axis& axis = zipped_axis(block, node);
      if (!first) first = &axis;
      if (axis.choices.size() != first->choices.size())
        file_.fail(node.Mark(),
                   fmt::format("zip of {} with {} values and {} with {}; expected equally many", first->name,
                               first->choices.size(), axis.name, axis.choices.size()));
      block.zips.back().push_back(axis.name);
    }
  }

  const Axis& zipped_axis(const Block& block, const YAML::Node& node) const {
    const std::string word = file_.word(node, "the name of an axis"), beside = axes_.axis_name(word);
    const std::string name = beside.empty() ? word : beside;
    std::vector<std::string> names;
    for (const Axis& axis : block.axes) names.push_back(axis.name);
    const Axis* axis = find_axis(block.axes, name);
    if (!axis)
      file_.fail(node.Mark(), fmt::format("unknown axis '{}' of zip in this block; expected {}{}", word,
                                          one_of(names), did_you_mean(word, names)));
    for (const auto& zip : block.zips)
      if (contains(zip, name))
        file_.fail(node.Mark(), fmt::format("'{}' is zipped twice; expected once", word));
    return *axis;
  }

  // Patterns may name settings that have their default in the block, or that belong to a backend not built
  // here.
  Pattern pattern(const Block& block, const YAML::Node& node) const {
    Pattern found{node.Mark(), {}};
    for (const Entry& entry : file_.entries(node, "a map such as {backend: cuda, block_x: 16}")) {
      const std::string name = axes_.axis_name(entry.key);
      if (name.empty() && !contains(axes_.parameters(), entry.key) && !find_axis(block.axes, entry.key))
        fail_unknown(entry, axes_.parameters());
      found.axes.push_back(axes_.read(name.empty() ? entry.key : name, entry));
    }
    if (found.axes.empty())
      file_.fail(node.Mark(), "the pattern is empty; expected a map such as {backend: cuda}");
    return found;
  }

  const SweepFile& file_;
  const AxisReader& axes_;
};

}  // namespace

Block read_block(const SweepFile& file, const AxisReader& axes, const YAML::Node& node) {
  return BlockReader(file, axes).whole(node);
}

}  // namespace cfdmark
