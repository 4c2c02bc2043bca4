#include "bench/sweep/block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/sweep/axes.hpp"
#include "bench/sweep/words.hpp"

namespace cfdmark {
namespace {

const Axis* find_axis(const Block& block, const std::string& name) {
  const auto found =
      std::find_if(block.axes.begin(), block.axes.end(), [&](const Axis& a) { return a.name == name; });
  return found == block.axes.end() ? nullptr : &*found;
}

void remove_axis(Block& block, const std::string& name) {
  std::erase_if(block.axes, [&](const Axis& a) { return a.name == name; });
  for (auto& zip : block.zips) std::erase(zip, name);
}

class BlockReader {
 public:
  explicit BlockReader(const AxisReader& in) : in_(in) {}

  Block whole(const YAML::Node& node) const {
    Block block;
    block.mark = node.Mark();
    const std::vector<Entry> entries =
        in_.file.entries(node, "a block: a map with kernels or solvers, and grids");
    read_axes(block, entries, {"zip", "exclude", "include"});
    for (const Entry& entry : entries)
      if (entry.key == "zip") read_zips(block, entry);
    for (const Entry& entry : entries) {
      if (entry.key == "exclude")
        for (const YAML::Node& item : in_.file.items(entry, "patterns such as {backend: cuda, block_x: 16}"))
          block.exclude.push_back(pattern(block, item));
      if (entry.key == "include")
        for (const YAML::Node& item : in_.file.items(entry, "blocks such as {grids: 999x999}"))
          block.include.push_back(variation(block, item));
    }
    return block;
  }

 private:
  // A block that differs from `base` in the axes that the node names.
  Block variation(const Block& base, const YAML::Node& node) const {
    Block block;
    block.mark = node.Mark();
    block.axes = base.axes;
    block.zips = base.zips;
    for (Axis& axis : block.axes)
      for (Choice& choice : axis.choices)
        choice.must_serve = false;  // it serves in the base, perhaps not here
    read_axes(block, in_.file.entries(node, "a block: a map of the axes that differ"), {});
    return block;
  }

  void read_axes(Block& block, const std::vector<Entry>& entries,
                 const std::vector<std::string>& other_keys) const {
    std::vector<Axis> named;
    const auto add = [&](Axis axis) {
      for (const Axis& earlier : named)
        if (earlier.name == axis.name)
          in_.file.fail(axis.mark,
                        fmt::format("'{}' is set twice; expected once (it is first set in line {})",
                                    axis.name, earlier.mark.line + 1));
      named.push_back(std::move(axis));
    };
    for (const Entry& entry : entries) {
      if (const AxisWord* word = find_axis_word(entry.key))
        add(read_axis(in_, *word, entry));
      else if (entry.key == "parameters" && !entry.value.IsMap())
        add(read_parameter_words(in_, entry));
      else if (entry.key == "parameters")
        for (const Entry& p : in_.file.entries(entry.value, "a map such as {block_x: [16, 32]}"))
          if (find_axis_word(p.key))
            in_.file.fail(p.mark,
                          fmt::format("'{}' is no parameter; expected it beside 'parameters'", p.key));
          else
            add(read_parameter(in_, p));
      else if (std::find(other_keys.begin(), other_keys.end(), entry.key) == other_keys.end())
        fail_unknown_key(entry, other_keys);
    }
    replace_axes(block, named);
    check_axes(block);
  }

  [[noreturn]] void fail_unknown_key(const Entry& entry, const std::vector<std::string>& other_keys) const {
    std::vector<std::string> keys, spellings;
    for (const AxisWord& word : axis_words()) {
      keys.push_back(word.many);
      spellings.insert(spellings.end(), {word.many, word.one});
    }
    keys.push_back("parameters");
    keys.insert(keys.end(), other_keys.begin(), other_keys.end());
    spellings.insert(spellings.end(), keys.begin(), keys.end());
    const std::vector<std::string> parameters = parameter_names(in_.rows);
    const bool is_parameter = std::find(parameters.begin(), parameters.end(), entry.key) != parameters.end();
    in_.file.fail(
        entry.mark,
        fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(keys),
                    is_parameter ? fmt::format("; did you mean 'parameters: {{{}: ...}}'?", entry.key)
                                 : did_you_mean(entry.key, spellings)));
  }

  // Puts the named axes in place of the block's, and all of what nobody named, in the order of expansion.
  void replace_axes(Block& block, const std::vector<Axis>& named) const {
    for (const Axis& axis : named) {
      remove_axis(block, axis.name);
      if (axis.name == "kernels") remove_axis(block, "solvers");
      if (axis.name == "solvers") remove_axis(block, "kernels");
      if (axis.is_parameter) remove_axis(block, "parameters");  // `tuned` of the block that this one varies
    }
    block.axes.insert(block.axes.end(), named.begin(), named.end());
    for (const char* name : {"precisions", "backends"})
      if (!find_axis(block, name))
        block.axes.push_back(read_axis(in_, *find_axis_word(name), {name, block.mark, YAML::Node("all")}));
    const auto rank = [](const Axis& axis) {
      const AxisWord* word = axis.is_parameter ? nullptr : find_axis_word(axis.name);
      return word ? word - axis_words().data() : std::ptrdiff_t(axis_words().size());
    };
    std::stable_sort(block.axes.begin(), block.axes.end(),
                     [&](const Axis& a, const Axis& b) { return rank(a) < rank(b); });
  }

  void check_axes(const Block& block) const {
    const Axis* kernels = find_axis(block, "kernels");
    const Axis* solvers = find_axis(block, "solvers");
    if (kernels && solvers)
      in_.file.fail(solvers->mark, "a block has kernels and solvers; expected one of the two in a block");
    if (!kernels && !solvers)
      in_.file.fail(block.mark, "a block names nothing to run; expected kernels or solvers");
    if (!find_axis(block, "grids"))
      in_.file.fail(block.mark, "a block has no grids; expected grids such as [512x512]");
    for (const Axis& axis : block.axes)
      if (const AxisWord* word = find_axis_word(axis.name); kernels && word && word->for_solvers)
        in_.file.fail(axis.mark,
                      fmt::format("kernels have no {}; expected them in a block of solvers", axis.name));
  }

  void read_zips(Block& block, const Entry& entry) const {
    const std::string expected = "two or more axes such as [grids, threads], or a list of such lists";
    const std::vector<YAML::Node> items = in_.file.items(entry, expected);
    if (!items[0].IsSequence()) {
      read_zip(block, entry.value, expected);
      return;
    }
    for (const YAML::Node& item : items) read_zip(block, item, expected);
  }

  void read_zip(Block& block, const YAML::Node& names, const std::string& expected) const {
    if (!names.IsSequence() || names.size() < 2)
      in_.file.fail(names.Mark(), fmt::format("zip is too short; expected {}", expected));
    std::vector<std::string> zip;
    const Axis* first = nullptr;
    for (const auto& node : names) {
      const Axis& axis = zipped_axis(block, node, zip);
      if (!first) first = &axis;
      if (axis.choices.size() != first->choices.size())
        in_.file.fail(node.Mark(),
                      fmt::format("zip of {} with {} values and {} with {}; expected equally many",
                                  first->name, first->choices.size(), axis.name, axis.choices.size()));
      zip.push_back(axis.name);
    }
    block.zips.push_back(std::move(zip));
  }

  const Axis& zipped_axis(const Block& block, const YAML::Node& node,
                          const std::vector<std::string>& zip) const {
    const std::string word = in_.file.word(node, "the name of an axis");
    const AxisWord* axis_word = find_axis_word(word);
    const std::string name = axis_word ? axis_word->many : word;
    std::vector<std::string> names;
    for (const Axis& axis : block.axes) names.push_back(axis.name);
    const Axis* axis = find_axis(block, name);
    if (!axis)
      in_.file.fail(node.Mark(), fmt::format("zip of '{}', which this block does not have; expected {}{}",
                                             word, one_of(names), did_you_mean(word, names)));
    std::vector<std::string> taken = zip;
    for (const auto& earlier : block.zips) taken.insert(taken.end(), earlier.begin(), earlier.end());
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
      in_.file.fail(node.Mark(), fmt::format("'{}' is zipped twice; expected once", word));
    return *axis;
  }

  Pattern pattern(const Block& block, const YAML::Node& node) const {
    std::vector<std::string> known = parameter_names(in_.rows);
    for (const Axis& axis : block.axes)
      if (axis.is_parameter) known.push_back(axis.name);
    Pattern found{node.Mark(), {}};
    for (const Entry& entry : in_.file.entries(node, "a map such as {backend: cuda, block_x: 16}")) {
      if (const AxisWord* word = find_axis_word(entry.key))
        found.axes.push_back(read_axis(in_, *word, entry));
      else if (std::find(known.begin(), known.end(), entry.key) != known.end())
        found.axes.push_back(read_parameter(in_, entry));
      else
        fail_unknown_pattern(entry, known);
    }
    if (found.axes.empty())
      in_.file.fail(node.Mark(), "the pattern is empty; expected a map such as {backend: cuda}");
    return found;
  }

  [[noreturn]] void fail_unknown_pattern(const Entry& entry, std::vector<std::string> known) const {
    for (const AxisWord& word : axis_words()) known.push_back(word.one);
    in_.file.fail(entry.mark, fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(known),
                                          did_you_mean(entry.key, known)));
  }

  AxisReader in_;
};

}  // namespace

bool Draft::operator==(const Draft& d) const {
  return kind == d.kind && name == d.name && backend == d.backend && device == d.device &&
         precision == d.precision && method == d.method && grid.nx == d.grid.nx && grid.ny == d.grid.ny &&
         grid.nz == d.grid.nz && config == d.config && tuned == d.tuned && request == d.request;
}

Block read_block(const SweepFile& file, const YAML::Node& node, const std::vector<Row>& rows) {
  return BlockReader({file, rows}).whole(node);
}

}  // namespace cfdmark
