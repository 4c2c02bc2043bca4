"""Which programs count as one, and whose commit a program names: cmake/write_build_info.cmake on a small tree."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPILED = {"compiler": "GNU 12.2.0", "build_type": "Release", "flags": "-O3 -Wall", "instruction_set": "znver3",
            "parts": "CUDA 1 13.0.88"}


def git(folder, *words):
    identity = ("-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_tree(folder):
    for name in ("CMakeLists.txt", "README.md", "cmake/options.cmake", "kernels/copy/copy.hpp", "kernels/copy/copy.cu",
                 "solvers/linear/stationary/sor.cpp", "bench/device_facts/build_info.cpp.in"):
        write(folder / name, f"{name}\n")


def commit_all(folder):
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "all")
    return git(folder, "rev-parse", "HEAD")


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        make_tree(self.tree)

    def built(self, tree=None, kernels=(), **compiled):
        """(fingerprint, commit, dirty) of a build."""
        output = self.folder / "build"
        facts = COMPILED | compiled | {"source_folder": tree or self.tree, "user_kernels": "|".join(map(str, kernels))}
        write(output / "facts.cmake", "".join(f"set({key} [[{value}]])\n" for key, value in facts.items()))
        write(output / "template", "@fingerprint@|@commit@|@dirty@")
        subprocess.run(["cmake", "-D", f"folder={output}", "-D", f"template={output / 'template'}", "-P",
                        str(ROOT / "cmake/write_build_info.cmake")], check=True)
        fingerprint, commit, dirty = (output / "build_info.cpp").read_text(encoding="utf-8").strip().split("|")
        return fingerprint, commit, dirty == "true"

    def fingerprint(self, *arguments, **compiled):
        return self.built(*arguments, **compiled)[0]

    def test_two_builds_of_the_same_sources_are_one_program_wherever_they_lie(self):
        copy = self.folder / "elsewhere" / "copy"
        shutil.copytree(self.tree, copy)
        self.assertEqual(self.fingerprint(), self.fingerprint(copy))

    def test_two_uncommitted_builds_that_differ_are_two_programs(self):
        commit_all(self.tree)
        found = [self.built()]
        for name in ("kernels/copy/copy.hpp", "kernels/copy/copy.cu", "solvers/linear/stationary/sor.cpp", "CMakeLists.txt",
                     "cmake/options.cmake"):
            write(self.tree / name, "edited\n")
            found.append(self.built())
        self.assertEqual(len({fingerprint for fingerprint, _, _ in found}), len(found))
        self.assertEqual([dirty for _, _, dirty in found], [False] + 5 * [True])
        self.assertEqual(len({commit for _, commit, _ in found}), 1)

    def test_what_lies_outside_the_rooms_changes_neither_the_program_nor_its_commit(self):
        commit_all(self.tree)
        before = self.built()
        for name in ("build/gate/base/CMakeLists.txt", "tests/CMakeLists.txt", "notes.txt"):
            write(self.tree / name, "untracked\n")
        self.assertEqual(self.built(), before)
        self.assertFalse(before[2])

    def test_a_file_that_moves_makes_another_program(self):
        before = self.fingerprint()
        (self.tree / "solvers/linear/stationary/sor.cpp").rename(self.tree / "solvers/linear/stationary/gauss_seidel.cpp")
        self.assertNotEqual(self.fingerprint(), before)

    def test_compiler_flags_and_parts_make_another_program_and_warnings_do_not(self):
        before = self.fingerprint()
        for key in COMPILED:
            self.assertNotEqual(self.fingerprint(**{key: "other"}), before, key)
        self.assertEqual(self.fingerprint(flags="-O3 -Wextra -Werror"), before)

    def test_what_is_not_compiled_changes_nothing(self):
        commit = commit_all(self.tree)
        before = self.built()
        self.assertEqual(before[1:], (commit, False))
        write(self.tree / "README.md", "edited\n")
        write(self.tree / "results/run.jsonl", "{}\n")
        write(self.tree / "kernels/copy/.#copy.hpp", "an editor's lock\n")
        self.assertEqual(self.built(), before)

    def test_a_source_that_is_gone_or_that_git_does_not_know_is_no_clean_commit(self):
        commit = commit_all(self.tree)
        write(self.tree / "kernels/axpy/axpy.hpp", "new\n")
        self.assertEqual(self.built()[1:], (commit, True))
        shutil.rmtree(self.tree / "kernels/axpy")
        (self.tree / "kernels/copy/copy.cu").unlink()
        self.assertEqual(self.built()[1:], (commit, True))

    def test_a_tree_unpacked_inside_another_repository_does_not_name_its_commit(self):
        write(self.folder / "other.txt", "another project\n")
        commit_all(self.folder)  # with the tree in it
        self.assertEqual(self.built()[1:], ("", False))

    def test_a_tree_unpacked_over_the_top_of_another_repository_is_not_clean(self):
        other = self.folder / "other"
        write(other / "other.txt", "another project\n")
        commit = commit_all(other)
        make_tree(other)
        self.assertEqual(self.built(other)[1:], (commit, True))

    def test_a_tree_reached_by_a_link_names_its_commit(self):
        commit = commit_all(self.tree)
        link = self.folder / "link"
        link.symlink_to(self.tree)
        self.assertEqual(self.built(link)[1:], (commit, False))

    def test_a_kernel_from_outside_is_part_of_the_program(self):
        commit = commit_all(self.tree)
        without = self.built()
        kernel = self.folder / "kernels" / "nine_point"
        write(kernel / "nine_point.hpp", "a cell\n")
        first = self.built(kernels=[kernel])
        self.assertNotEqual(first[0], without[0])
        self.assertEqual(first[1:], (commit, True), "no repository holds the kernel")
        commit_all(kernel.parent)
        self.assertEqual(self.built(kernels=[kernel]), (first[0], commit, False))
        write(kernel / "nine_point.hpp", "another cell\n")
        edited = self.built(kernels=[kernel])
        self.assertNotEqual(edited[0], first[0])
        self.assertEqual(edited[1:], (commit, True))


if __name__ == "__main__":
    unittest.main()
