#pragma once

namespace horizon::worldgen {

/// The game's sine and cosine: a table of 65,536 floats over the full circle.
float sine(double radians);
float cosine(double radians);

}  // namespace horizon::worldgen
