"""Profiles of the cavity: how they are taken from a flow, and what the published ones are."""

import unittest

import support  # noqa: F401  (finds the packages)

from cfdmark.plot import cavity_profiles
from cfdmark.plot.cavity_profiles import Profile


def field(n: int, f) -> list[list[float]]:
    """f(x, y) at the centres of the cells of a unit square."""
    return [[f((i + 0.5) / n, (j + 0.5) / n) for i in range(n)] for j in range(n)]


class Centreline(unittest.TestCase):
    def test_a_cubic_is_found_exactly_between_two_cells_and_in_the_middle_of_one(self):
        for n in (6, 7):
            with self.subTest(n):
                u = cavity_profiles.on_the_centreline("u", field(n, lambda x, y: y * (1 + (x - 0.5) ** 2)))
                for y, found in zip(u.at, u.value):
                    self.assertAlmostEqual(found, y, 14)

    def test_u_goes_up_and_v_goes_across_with_the_walls_at_both_ends(self):
        u = cavity_profiles.on_the_centreline("u", field(4, lambda x, y: 10 * x + y))
        self.assertEqual((u.at[0], u.at[-1], u.value[0], u.value[-1]), (0, 1, 0, 1))
        self.assertAlmostEqual(u.value[1], 5.125)
        v = cavity_profiles.on_the_centreline("v", field(4, lambda x, y: 10 * x + y))
        self.assertEqual((v.value[0], v.value[-1]), (0, 0))
        self.assertAlmostEqual(v.value[1], 1.75)

    def test_between_the_points_a_profile_is_a_cubic(self):
        at = [0.0, 0.1, 0.3, 0.6, 0.8, 1.0]
        profile = Profile(at, [x**3 - x for x in at])
        for x in (0.0, 0.05, 0.45, 0.97, 1.0):
            self.assertAlmostEqual(cavity_profiles.value_at(profile, x), x**3 - x, 14)

    def test_the_largest_difference_is_reported_with_its_place(self):
        mine = Profile([0.0, 0.25, 0.5, 0.75, 1.0], [0.0] * 5)
        theirs = Profile([0.0, 0.3, 0.6], [0.0, -0.2, 0.1])
        self.assertEqual(cavity_profiles.largest_difference(mine, theirs), (0.2, 0.3))


class Published(unittest.TestCase):
    def test_every_profile_begins_and_ends_at_the_walls(self):
        seen = 0
        for reynolds in (100, 400, 1000, 2500, 3200, 5000):
            for source, profiles in cavity_profiles.references(reynolds).items():
                for component, (first, last) in cavity_profiles.WALLS.items():
                    with self.subTest(source, reynolds=reynolds, component=component):
                        ends = dict(zip(profiles[component].at, profiles[component].value))
                        self.assertEqual((ends[0.0], ends[1.0]), (first, last))
                        seen += 1
        self.assertEqual(seen, 18)

    def test_the_cube_has_a_profile_of_its_own(self):
        (profiles,) = cavity_profiles.references(1000, 3).values()
        self.assertEqual((profiles["u"].at[0], profiles["u"].value[0]), (1, 1))
        self.assertAlmostEqual(min(profiles["u"].value), -0.27293)  # of the points; the curve's is -0.2804
        self.assertAlmostEqual(min(profiles["v"].value), -0.43423)
        self.assertEqual(cavity_profiles.references(100, 3), {})

    def test_two_sources_that_used_other_methods_agree_on_the_same_flow(self):
        """Spectral of 1998 and finite differences of 2005, at a Reynolds number of 1000."""
        both = cavity_profiles.references(1000)
        spectral, differences = both["Botella and Peyret 1998"], both["Erturk, Corke and Gokcol 2005"]
        for component in ("u", "v"):
            self.assertAlmostEqual(min(spectral[component].value), min(differences[component].value), delta=0.003)

    def test_another_reynolds_number_has_no_published_values(self):
        self.assertEqual(cavity_profiles.references(123), {})
