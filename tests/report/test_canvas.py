"""The frame of a picture."""

import unittest

import support  # noqa: F401  (finds the packages)

from cfdmark.records.records import Dataset
from cfdmark.report.drawing.canvas import Canvas
from cfdmark.report.palette import Palette


class Title(unittest.TestCase):
    def size(self, text: str) -> float:
        canvas = Canvas(Palette(Dataset()), 4, 3, (0.1, 0.1, 0.8, 0.8))
        canvas.title(text)
        (drawn,) = canvas.figure.texts
        self.assertLess(drawn.get_window_extent().x1, canvas.figure.bbox.width)
        return drawn.get_fontsize()

    def test_is_made_smaller_only_where_it_would_not_fit(self):
        self.assertEqual(self.size("sor 8×8"), 10.5)
        self.assertEqual(self.size(""), 10.5)
        self.assertLess(self.size("cavity with reynolds=1000 and a long name 256×256×256"), 10.5)


if __name__ == "__main__":
    unittest.main()
