"""Numbers that notes and contradictions quote are those that the published values give."""

import unittest

from statements_jespersen import times
from statements_menon import rate
from statements_normore import estimate, rows_of
from support import experiments


def words_of(experiment):
    texts = [
        *experiment.notes,
        *(f"{' '.join(item.between)} {item.text}" for item in experiment.contradictions),
    ]
    return " ".join(" ".join(texts).split())


def average_occupancy(all_, solver, without_one_shared):
    occupancies = [row[2] for row in rows_of(all_, solver)]
    if without_one_shared:
        occupancies = occupancies[:-1]
    return 100 * sum(occupancies) / len(occupancies)


class QuotedNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = experiments()

    def quotes(self, id_, *numbers):
        for number in numbers:
            self.assertRegex(words_of(self.all[id_]), rf"(?<![\d.]){number}(?![\d]|\.\d)", id_)

    def test_normore_averages_of_occupancies(self):
        for solver in ("SIMPLE", "PISO"):
            for without in (False, True):
                self.quotes("normore-table-6.7", f"{average_occupancy(self.all, solver, without):.1f}")

    def test_normore_estimates(self):
        cpu, gpu = estimate(self.all, "one CPU"), estimate(self.all, "one GPU")
        hours = self.all["normore-table-8.1"].claim("fifty_gpus_in_the_text")
        self.quotes("normore-table-8.1", f"{cpu / gpu:.0f} times", f"{cpu / (50 * hours):.0f}")
        self.quotes("normore-table-8.1", f"factor of {estimate(self.all, '50 GPUs') / hours:.0f}")

    def test_normore_fields_of_the_mesh(self):
        table = self.all["normore-figure-6.13"].table()
        arrays = [memory / (nx * ny * 4) for _, nx, ny, memory in table.rows]
        self.quotes("normore-figure-6.13", *(f"{count:.0f}" for count in arrays))

    def test_jespersen_speedups_and_rest_of_the_step(self):
        def middle(table, name):
            return [(time.low + time.high) / 2 for time in times(self.all, table, name)]

        speedups = [cpu / gpu for cpu, gpu in zip(middle(1, "SSOR CPU"), middle(1, "Jacobi GPU"))]
        self.quotes("jespersen-table-1", f"{min(speedups):.2f}", f"{max(speedups):.2f}")
        for name in ("SSOR CPU", "Jacobi GPU"):
            rest = [whole - part for whole, part in zip(middle(2, name), middle(1, name))]
            self.quotes("jespersen-table-1", *(f"{time:.2f}" for time in rest))

    def test_menon_rates(self):
        axpy, dot = rate(self.all, "menon-table-8.1", 2), rate(self.all, "menon-table-8.2", 2)
        self.quotes("menon-table-8.1", f"{axpy.low / 1e9:.3f}e9", f"{axpy.low / 2 * 12 / 1e9:.1f}e9")
        self.quotes("menon-table-8.2", f"{dot.low / 1e9:.1f} GFlops", f"{dot.low / 2e9:.2f}")

    def test_menon_surfaces(self):
        mesh = dict(self.all["menon-figure-6.3"].table("crankshaft").rows)
        surface = int(2 * mesh["faces"] - 4 * mesh["cells"])
        self.quotes("menon-figure-6.3", surface, f"{100 * surface / (mesh['faces'] - surface):.1f} %")
        (flat_cells, flat_faces, *_), (cells, faces, *_) = self.all["menon-table-8.3"].table().rows
        self.quotes("menon-table-8.3", int(2 * flat_faces - 3 * flat_cells), int(2 * faces - 4 * cells))


if __name__ == "__main__":
    unittest.main()
