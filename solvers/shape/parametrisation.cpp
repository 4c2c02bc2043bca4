#include "solvers/shape/parametrisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "solvers/shape/free_curves.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;

// Even, so that a symmetric body has symmetric corners. The area of such a polygon inscribed in a circle is
// 6e-6 short before it is scaled.
constexpr int corners = 1024;

// Calls point(t) for t from 0 to 2 pi, counterclockwise from the rear.
template <class F>
std::vector<PlanePoint> around(const F& point) {
  std::vector<PlanePoint> curve;
  for (int n = 0; n < corners; ++n) curve.push_back(point(2 * pi * n / corners));
  return curve;
}

// x = l cos t; half of the thickness is sum b_k sin k t and the camber line sum c_k sin k t, from t = 0 at
// the rear to pi at the nose. The area is pi l b_1, whatever the other coefficients are.
constexpr int sine_terms = 7, camber_terms = 2;

std::vector<PlanePoint> sine_curve(const std::vector<double>& p) {
  const double length = std::exp(p[0]);  // over D; D = 1 has the area pi / 4
  const double first = 1 / (2 * length);
  return around([&](double t) {
    const double upper = t <= pi ? t : 2 * pi - t;
    double half = std::sin(upper), camber = 0;
    for (int k = 2; k <= sine_terms; ++k) half += p[std::size_t(k) - 1] * std::sin(k * upper);
    for (int k = 1; k <= camber_terms; ++k)
      camber += p[std::size_t(sine_terms + k) - 1] * std::sin(k * upper);
    return PlanePoint{length / 2 * std::cos(t), first * (camber + (t <= pi ? half : -half))};
  });
}

double signed_power(double base, double exponent) {
  return std::copysign(std::pow(std::abs(base), exponent), base);
}

// |x / a|^n + |y / b|^n = 1. Above n = 2 equal angles resolve the corners, below it equal steps of the
// parameter resolve the tips.
std::vector<PlanePoint> superellipse_curve(const std::vector<double>& p) {
  const double a = std::exp(p[0]), n = std::exp(p[1]);
  return around([&](double t) {
    const double c = std::cos(t), s = std::sin(t);
    if (n <= 2) return PlanePoint{a * signed_power(c, 2 / n), signed_power(s, 2 / n)};
    const double r = std::pow(std::pow(std::abs(c), n) + std::pow(std::abs(s), n), -1 / n);
    return PlanePoint{a * r * c, r * s};
  });
}

constexpr int fourier_terms = 4;

// ln r = sum a_k cos k t + s_k sin k t.
std::vector<PlanePoint> fourier_curve(const std::vector<double>& p) {
  return around([&](double t) {
    double log_r = 0;
    for (int k = 1; k <= fourier_terms; ++k)
      log_r +=
          p[std::size_t(k) - 1] * std::cos(k * t) + p[std::size_t(fourier_terms + k) - 1] * std::sin(k * t);
    return PlanePoint{std::exp(log_r) * std::cos(t), std::exp(log_r) * std::sin(t)};
  });
}

// The four-digit sections (Jacobs, Ward and Pinkerton, NACA report 460, 1933), with their blunt rear of
// 0.0021 of the chord per 0.2 of thickness. The chord is 1; x grows from the nose.
std::vector<PlanePoint> naca4_curve(const std::vector<double>& p) {
  const double camber = p[0], place = p[1], thickness = p[2];
  if (!(place > 0 && place < 1))
    throw std::invalid_argument(
        fmt::format("naca4: place {:g} of the camber; expected above 0, below 1", place));
  return around([&](double t) {
    const double upper = t <= pi ? t : 2 * pi - t, x = (1 + std::cos(upper)) / 2;
    const double half =
        5 * thickness *
        (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - 0.1015 * x * x * x * x);
    const bool in_front = x < place;
    const double part = in_front ? place : 1 - place;
    const double line =
        camber / (part * part) * (in_front ? 2 * place * x - x * x : 1 - 2 * place + 2 * place * x - x * x);
    const double slope = std::atan(2 * camber / (part * part) * (place - x));
    const double side = t <= pi ? half : -half;
    return PlanePoint{x - side * std::sin(slope), line + side * std::cos(slope)};
  });
}

std::vector<ShapeParameter> with_angle(std::vector<ShapeParameter> all) {
  all.push_back({"angle", 0, "angle of attack in degrees, nose up"});
  return all;
}

std::vector<ShapeParameter> sine_parameters() {
  std::vector<ShapeParameter> all = {{"ln_length", 0, "logarithm of the length over D", 0, 1.6}};
  constexpr int usual_terms = 4;
  for (int k = 2; k <= sine_terms; ++k) {
    const double range = k <= usual_terms ? 0.2 : 0;
    all.push_back({fmt::format("b{}", k), 0, fmt::format("term {} of the thickness, over the first", k),
                   -range, range});
  }
  for (int k = 1; k <= camber_terms; ++k)
    all.push_back(
        {fmt::format("c{}", k), 0, fmt::format("term {} of the camber, over the thickness's first", k)});
  return with_angle(all);
}

std::vector<ShapeParameter> fourier_parameters() {
  std::vector<ShapeParameter> all;
  for (const char of : {'a', 's'})
    for (int k = 1; k <= fourier_terms; ++k)
      all.push_back(
          {fmt::format("{}{}", of, k), 0,
           fmt::format("{} term {} of the logarithm of the radius", of == 'a' ? "cosine" : "sine", k),
           of == 'a' ? -0.2 : 0,
           of == 's' ? 0
           : k == 2  ? 0.8
                     : 0.2});
  return with_angle(all);
}

std::string listed_names() {
  std::string names;
  for (const Parametrisation& known : parametrisation_table())
    names += (names.empty() ? "" : ", ") + known.name;
  return names;
}

// Sets the parameter of a word such as "b2=-0.007".
void set_parameter(const Parametrisation& shape, std::vector<double>& values, const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto named = [&](const ShapeParameter& parameter) {
    return parameter.name == word.substr(0, equals);
  };
  const auto found = std::find_if(shape.parameters.begin(), shape.parameters.end(), named);
  std::string names;
  for (const ShapeParameter& parameter : shape.parameters) names += " " + parameter.name;
  if (equals == std::string::npos || found == shape.parameters.end())
    throw std::invalid_argument(fmt::format("{}: invalid parameter '{}'; write NAME=NUMBER, with a name of{}",
                                            shape.name, word, names));
  std::istringstream in(word.substr(equals + 1));
  double value = 0;
  if (!(in >> value) || !in.eof() || !std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("{}: '{}' has no number; write {}=0.1", shape.name, word, found->name));
  values[std::size_t(found - shape.parameters.begin())] = value;
}

}  // namespace

Outline Parametrisation::outline(const std::vector<double>& values, double area) const {
  if (values.size() != parameters.size())
    throw std::invalid_argument(
        fmt::format("{} has {} parameters, not {}", name, parameters.size(), values.size()));
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!std::isfinite(values[n]))
      throw std::invalid_argument(fmt::format("{}: {} is not finite", name, parameters[n].name));
  const Outline any{curve(values)};
  if (!(any.area() > 0 && any.area() < 1e100))
    throw std::invalid_argument(name + ": the curve encloses no finite area");
  const PlanePoint middle = any.centroid();
  // Nose up: the nose is on the left, so that the body turns clockwise.
  const Outline there =
      moved(stretched(any, std::sqrt(area / any.area()), middle, -values.back()), {-middle.x, -middle.y});
  if (!(std::abs(there.area() - area) <= 1e-6 * area))
    throw std::invalid_argument(name +
                                ": the curve is too thin or crosses itself too often to have an exact area");
  return there;
}

const std::vector<Parametrisation>& parametrisation_table() {
  static const std::vector<Parametrisation> table = {
      {"sine", "half thickness and camber as sine series; the area does not depend on the terms",
       sine_parameters(), sine_curve},
      {"superellipse", "|x / a|^n + |y / b|^n = 1",
       with_angle({{"ln_aspect", 0, "logarithm of the length over the height", 0, 2},
                   {"ln_n", std::numbers::ln2, "logarithm of the exponent n: 0 is a diamond, ln 2 an ellipse",
                    0.3, 1.4}}),
       superellipse_curve},
      {"fourier", "logarithm of the radius as a Fourier series", fourier_parameters(), fourier_curve},
      {"bezier", "closed curve of cubic Bezier pieces through six corners", with_angle(bezier_parameters()),
       bezier_curve},
      {"naca4", "four-digit sections of NACA",
       with_angle({{"camber", 0.02, "largest camber over the chord", 0, 0.08},
                   {"place", 0.4, "its place over the chord, from the nose"},
                   {"thickness", 0.12, "largest thickness over the chord", 0.08, 0.5}}),
       naca4_curve},
      {"polygon", "eight corners, each moved by itself", with_angle(polygon_parameters()), polygon_curve},
      {"mask",
       "cells of a lattice of 10x5, solid where their value is above 0: the connected part of most cells",
       with_angle(mask_parameters()), mask_curve}};
  return table;
}

const Parametrisation& find_parametrisation(std::string_view name) {
  for (const Parametrisation& known : parametrisation_table())
    if (known.name == name) return known;
  throw std::invalid_argument(fmt::format("unknown outline '{}'; expected one of {}", name, listed_names()));
}

Outline outline_of_text(const std::string& text, double area) {
  std::istringstream words(text);
  std::string word;
  if (!(words >> word))
    throw std::invalid_argument("an outline has no name; expected one of " + listed_names());
  const Parametrisation& shape = find_parametrisation(word);
  std::vector<double> values;
  for (const ShapeParameter& parameter : shape.parameters) values.push_back(parameter.start);
  while (words >> word) set_parameter(shape, values, word);
  return shape.outline(values, area);
}

}  // namespace cfdmark
