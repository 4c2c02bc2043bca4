"""The tuned layouts as exports: what they say, and that the header is C++ that finds the right layout."""

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support

from cfdmark.export import command, header, layout_csv, layout_views, layouts, own_kernel

USE = """#include "layouts.hpp"
using cfdmark_layouts::find, cfdmark_layouts::find_like, cfdmark_layouts::knows;
static_assert(knows("jacobi") && !knows("jacobbi") && !knows(""));
constexpr auto same = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 4096, 1);
static_assert(same && same->at("block_x", 0) == 32 && same->at("cells", 0) == 8 && same->at("warps", 7) == 7);
static_assert(same->method == "column" && same->knows("block_x") && !same->knows("warps") && !same->knows(""));
constexpr auto between = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 600, 600, 1);
static_assert(between && between->at("block_x", 0) == 16);
constexpr auto larger = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 1200, 900, 1);
static_assert(larger && larger->at("block_x", 0) == 32);
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 199, 199, 1));
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4500, 4500, 1));
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 128, 1));  // another shape
constexpr auto cube = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 66, 64, 62);
static_assert(cube && cube->at("block_x", 0) == 48);
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 256, 32, 32));
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 128, 128, 128));
static_assert(!find("NVIDIA H100", 90, "jacobi", "cuda", "fp64", 512, 512, 1));  // exact
static_assert(!find("NVIDIA H200", 80, "jacobi", "cuda", "fp64", 512, 512, 1));
constexpr auto relative = find_like("NVIDIA H100", 90, "jacobi", "cuda", "fp64", 512, 512, 1);
static_assert(relative && relative->device == "NVIDIA H200");
static_assert(!find_like("NVIDIA A100", 80, "jacobi", "cuda", "fp64", 512, 512, 1));
static_assert(!find_like("Another CPU", 0, "jacobi", "cuda", "fp32", 500, 500, 1));
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp32", 512, 512, 1));
constexpr auto cpu = find("A CPU, 2 cores", 0, "jacobi", "cuda", "fp32", 500, 500, 1);
static_assert(cpu && cpu->word("schedule", "static") == "guided" && cpu->word("binding", "close") == "close");
static_assert(cpu->at("schedule", 7) == 7 && cpu->real("schedule", 0.5) == 0.5);  // a word is not a number
static_assert(cpu->at("omega", 7) == 7 && cpu->real("omega", 0) == 1.5 && cpu->word("omega", "optimal") == "optimal");
int main() {}
"""
USE_OF_NONE = """#include "layouts.hpp"
static_assert(!cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 512, 512, 1));
int main() {}
"""


def run(found, *words):
    out = io.StringIO()
    with mock.patch("sys.stdin", io.StringIO(json.dumps(found))), contextlib.redirect_stdout(out):
        out.reconfigure = lambda **_: None
        return command.layouts_main(list(words)), out.getvalue()


class Table(unittest.TestCase):
    def test_has_the_layouts_of_a_row_what_they_gain_and_a_mark_where_the_source_has_changed(self):
        table = layout_views.table(support.two_devices()).splitlines()
        at = table.index("jacobi/cuda/fp64, squares, on NVIDIA H200 (compute capability 9.0)")
        self.assertEqual(
            table[at + 1 : at + 4],
            [
                "   sides         layout                        gain            regret  start of your own",
                "*  200 to 1000   column:block_x=16,block_y=2,  1.500 to 2.000  1.012   the same",
                "                 cells=8",
            ],
        )
        self.assertIn("jacobi/cuda/fp32, squares, on A CPU, 2 cores (x86-64-v3)", table)
        self.assertIn("* tuned with another source: not used until it is tuned again", table)

    def test_of_all_has_a_line_for_each_with_everything(self):
        lines = layout_views.wide_table(support.two_devices()).splitlines()
        self.assertEqual(
            lines[2],
            "*  jacobi/cuda/fp64  256x256 to 512x512      200 to 1000   column  block_x=16,block_y=2,cells=8"
            "  150 us  1.500 to 2.000         1.012   the same                             2",
        )

    def test_marks_nothing_where_the_source_is_the_same(self):
        layout = support.layout("a", "b", "fp64", [8, 8], 16, current=True)
        self.assertNotIn("*", layout_views.table([layout]))

    def test_of_one_size_from_before_ranges_has_its_interval_and_no_regret(self):
        row = layout_views.wide_row(support.layout("a", "b", "fp64", [100, 100], 16))
        self.assertEqual(row[2:4], ["100x100", "90 to 111"])
        self.assertEqual(row[7:9], ["2.000 [1.900, 2.100]", ""])

    def test_says_where_no_fresh_process_confirmed_the_best(self):
        layout = support.two_devices()[0]
        layout["range"]["unconfirmed_regret"] = 87.501
        self.assertEqual(layouts.regret_text(layout), "1.012 (87.501 unconfirmed)")
        self.assertIn("unconfirmed: no fresh process confirmed the best", layout_views.table([layout]))
        del layout["range"]["unconfirmed_regret"]
        self.assertEqual(layouts.regret_text(layout), "1.012")
        layout["confirmation"] = {"processes": 0}
        self.assertEqual(layouts.regret_text(layout), "1.012 (unconfirmed)")

    def test_says_what_gains_of_several_sizes_are(self):
        self.assertIn("from the least to the greatest of the sizes", layout_views.table(support.two_devices()))
        one = support.layout("a", "b", "fp64", [8, 8], 16)
        self.assertNotIn("of the sizes", layout_views.table([one]))

    def test_leaves_blank_what_is_not_known(self):
        unknown = support.layout("a", "b", "fp64", [8, 8], 16, gain={}, winner={"method": "m", "config": {}})
        del unknown["default"], unknown["ties"]
        self.assertEqual(layout_views.wide_row(unknown)[4:], ["m", "", "", "", "", "not measured", "0"])

    def test_names_what_was_chosen_by_energy(self):
        row = layout_views.wide_row(support.layout("a", "b", "fp64", [8, 8], 16) | {"objective": "energy"})
        self.assertTrue(row[1].endswith(", for energy"), row[1])

    def test_distinguishes_a_solver_from_a_kernel_with_the_same_name(self):
        kernel = support.layout("a", "b", "fp64", [8, 8], 16, workload={"operator": "arrays"})
        solver = support.layout("a", "b", "fp64", [8, 8], 16, kind="solver")
        self.assertEqual(layout_views.wide_row(kernel)[1], "jacobi/cuda/fp64;operator=arrays")
        self.assertEqual(layout_views.wide_row(solver)[1], "solver jacobi/cuda/fp64")

    def test_is_a_summary_with_every_name_where_more_than_a_screen_is_known(self):
        many = [support.layout("a", "b", "fp64", [8 * n, 8 * n], 16, name=f"k{n % 9}") for n in range(1, 60)]
        text = layout_views.shown(many, False)
        self.assertIn("a (b): 59 layouts of 9 kernels", text)
        self.assertIn("k0, k1, k2,", text)
        self.assertLessEqual(text.count("\n"), layout_views.MOST_LINES)
        self.assertEqual(layout_views.shown(many, True).count("8, "), 0)
        self.assertGreater(layout_views.shown(many, True).count("\n"), 59)

    def test_of_nothing_is_empty(self):
        self.assertEqual(layout_views.shown([], False), "")

    def test_times_have_three_digits_in_the_unit_that_fits(self):
        # The same examples as in C++, which writes times on a terminal.
        for seconds, text in json.loads((support.ROOT / "tests/examples/seconds_text.json").read_text()):
            self.assertEqual(layouts.seconds_text(seconds), text)


class CommaSeparated(unittest.TestCase):
    def test_has_as_many_fields_as_heads_quoted_where_they_must_be(self):
        text = layout_csv.comma_separated(support.two_devices())
        self.assertIn(',"the ""fastest"", by far",', text)
        self.assertIn(",0.00015,", text)
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(len(rows), 5)
        self.assertEqual({len(row) for row in rows}, {41})
        first = dict(zip(rows[0], rows[1]))
        self.assertEqual((first["sizes"], first["least_cells"], first["most_cells"]), ("256x256 512x512", "40000", "1000000.0"))
        self.assertEqual((first["least_gain"], first["most_gain"], first["regret"]), ("1.5", "2.0", "1.0125"))
        self.assertEqual(dict(zip(rows[0], rows[4]))["regret"], "")
        self.assertEqual(dict(zip(rows[0], rows[1]))["config"], "block_x=16,block_y=2,cells=8")
        self.assertEqual(dict(zip(rows[0], rows[4]))["config"], "block_x=128,schedule=guided,omega=1.5")

    def test_has_the_problem_settings_of_a_solver(self):
        asked = {"problem": "jump", "tolerance": 1e-06, "max_iterations": 100}
        text = layout_csv.comma_separated([support.layout("a", "b", "fp64", [8, 8], 16, workload=asked)])
        row = next(csv.DictReader(io.StringIO(text)))
        self.assertEqual((row["problem"], row["tolerance"]), ("jump", "1e-06"))


class Json(unittest.TestCase):
    def test_has_the_whole_evidence(self):
        self.assertEqual(json.loads(command.json_text(support.two_devices())), support.two_devices())


class Header(unittest.TestCase):
    def compiles(self, found, use):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "layouts.hpp").write_text(header.header([{**each, "current": True} for each in found]))
            Path(folder, "use.cpp").write_text(use)
            compiler = os.environ.get("CFDMARK_CXX", "c++")
            words = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"{folder}/use.cpp"]
            done = subprocess.run(words, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_compiles_by_itself_as_cpp17_and_its_lookup_is_done_while_compiling(self):
        self.compiles(support.two_devices(), USE)

    def test_of_ranges_that_cover_a_size_finds_the_narrowest(self):
        h200 = ("NVIDIA H200", "compute capability 9.0", "fp64")
        wide = support.layout(*h200, [4096, 4096], 16, **support.of_range(100, 1e8, {64: 2.0, 4096: 2.0}, 1))
        found = [wide, support.layout(*h200, [1000, 1000], 32)]
        use = """#include "layouts.hpp"
            constexpr auto at(int n) { return cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", n, n, 1); }
            static_assert(at(1000)->at("block_x", 0) == 32 && at(2000)->at("block_x", 0) == 16);
            int main() {}
            """
        for order in (found, found[::-1]):
            self.compiles(order, use)

    def test_finds_a_solver_and_the_kernel_of_its_name_apart(self):
        one = ("NVIDIA H200", "compute capability 9.0", "fp64", [1000, 1000])
        found = [support.layout(*one, 16), support.layout(*one, 32, kind="solver")]
        use = """#include "layouts.hpp"
            constexpr auto of(std::string_view name) {
              return cfdmark_layouts::find("NVIDIA H200", 90, name, "cuda", "fp64", 1000, 1000, 1)->at("block_x", 0);
            }
            static_assert(of("jacobi") == 16 && of("solver jacobi") == 32);
            int main() {}
            """
        for order in (found, found[::-1]):
            self.compiles(order, use)

    def test_its_first_example_compiles_and_checks_the_method_and_the_name(self):
        text = header.header([{**each, "current": True} for each in support.two_devices()])
        example = "\n".join(re.findall(r"^//   (\S.*)$", text, re.M)[:4])
        self.assertIn('->method == "column"', example)
        self.assertIn("static_assert(cfdmark_layouts::knows(", example)
        self.compiles(support.two_devices(), f'#include "layouts.hpp"\n{example}\nstatic_assert(block_x == 32);\n')

    def test_has_a_start_of_one_step_a_launch_in_addition_to_the_best(self):
        found = [support.layout("NVIDIA H200", "compute capability 9.0", "fp64", [1000, 1000], 16)]
        found[0]["winner"] = support.choice("pipelined", 1e-4, sweeps=16)
        use = """#include "layouts.hpp"
            using namespace cfdmark_layouts;
            constexpr auto best = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 1000, 1000, 1);
            static_assert(best->method == "pipelined" && best->at("sweeps", 0) == 16 && !best->knows("block_x"));
            constexpr auto start = find_start("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 1000, 1000, 1);
            static_assert(start->method == "plain" && start->at("block_x", 0) == 64 && start->regret == 3e-4 / 1e-4);
            static_assert(!find_start("NVIDIA H100", 90, "jacobi", "cuda", "fp64", 1000, 1000, 1));
            static_assert(find_start_like("NVIDIA H100", 90, "jacobi", "cuda", "fp64", 1000, 1000, 1)->method == "plain");
            """
        self.compiles(found, use)

    def test_says_where_no_fresh_process_confirmed_the_best(self):
        found = support.two_devices()[0]
        found["range"]["unconfirmed_regret"] = 87.501
        self.assertIn("unconfirmed: 87.501 times the least time measured, which no fresh process", header.evidence(found))
        use = """#include "layouts.hpp"
            constexpr auto best = cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 512, 512, 1);
            static_assert(best->regret == 1.0125 && best->unconfirmed_regret == 87.501);
            """
        self.compiles([found], use)

    def test_an_interval_with_one_end_and_a_range_without_regret_are_left_out(self):
        one, several = support.layout("a", "b", "fp64", [8, 8], 16), support.two_devices()[0]
        self.assertIn("2.000 times as fast as the default [1.900, 2.100]", header.evidence(one))
        del one["gain"]["high"], several["range"]["regret"]
        self.assertNotIn("[", header.evidence(one))
        self.assertIn("no regret is known", header.evidence(several))

    def test_says_what_a_layout_of_another_device_may_cost(self):
        one, other = (support.layout(d, "compute capability 9.0", "fp64", [8, 8], 16, current=True) for d in "ab")
        other["winner"] = support.choice("column", 1e-4, block_x=8)
        other["ties"] = {layouts.choice_text(one["winner"]): 4.77e-4}
        self.assertIn("That may cost: up to 4.77 times the best time (a's on b)", header.header([one, other]))

    def test_of_the_kept_tables_compiles(self):
        found = support.kept_layouts("nvidia-h200/jacobi.json")
        use = """#include "layouts.hpp"
            constexpr auto best = cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 4096, 1);
            static_assert(best->method == "pipelined");
            constexpr auto start = cfdmark_layouts::find_start("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 4096, 1);
            static_assert(start->method == "column" && start->at("block_x", 0) > 0 && start->regret > 1);
            """
        self.compiles(found, use)

    def test_without_a_layout_compiles_too_and_finds_none(self):
        self.compiles([], USE_OF_NONE)

    def test_of_one_method_has_its_layouts(self):
        found = own_kernel.of_method([{**each, "current": True} for each in support.two_devices()], "vector")
        self.assertIn('"fp64", "vector"', header.header(found, of_one_method=True))

    def test_keeps_answers_over_all_methods_only(self):
        single = support.layout("a", "b", "fp64", [8, 8], 16, scope="column", current=True)
        self.assertIn("std::array<Layout, 0>", header.header([single]))

    def test_leaves_out_what_was_tuned_with_another_source_and_says_how_many(self):
        old, new = (support.layout("a", "b", "fp64", [8, 8], n, current=n == 32) for n in (16, 32))
        text = header.header([old, new])
        self.assertIn("std::array<Layout, 1>", text)
        self.assertIn('{"block_x", 32}', text)
        self.assertIn("// tuned: 1.", text)

    def test_says_of_a_range_what_it_rests_on_gains_and_costs(self):
        told = header.evidence(support.two_devices()[0])
        self.assertIn("tuned on 256x256 to 512x512: 1.500 to 2.000 times as fast as the default, at most 1.012 times", told)

    def test_a_comment_ends_with_its_line_whatever_the_evidence_says(self):
        broken = support.layout("a", "b", "fp64", [8, 8], 16, rule="two\nlines \\")
        self.assertIn("two lines  ; 2 as good", header.evidence(broken))


class Command(unittest.TestCase):
    def test_prints_the_table_and_says_what_it_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "layouts.csv")
            status, out = run(support.two_devices(), "--csv", str(path))
            self.assertEqual((status, len(path.read_text().splitlines())), (0, 5))
            self.assertEqual(out, layout_views.table(support.two_devices()) + f"written: {path}\n")

    def test_a_file_that_cannot_be_written_ends_with_3(self):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            status, _ = run([], "--header", "/dev/null/layouts.hpp")
        self.assertEqual(status, 3)
        self.assertIn("cannot write /dev/null/layouts.hpp", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
