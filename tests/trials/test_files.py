"""Short trials: one file that several processes write, files with odd names, and commands given a file of another format."""

import unittest

from support import PROGRAM

from trials import formats, names, writers


class Files(unittest.TestCase):
    def test_nothing_is_lost_where_several_processes_write_one_file(self):
        self.assertEqual(writers.run(PROGRAM, 3, 1).faults, [])

    def test_a_file_may_have_any_name(self):
        self.assertEqual(names.run(PROGRAM, 3, 12).faults, [])

    def test_a_file_of_another_format_is_refused_in_words(self):
        self.assertEqual(formats.run(PROGRAM, 3, 15).faults, [])


if __name__ == "__main__":
    unittest.main()
