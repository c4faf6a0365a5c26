/** Samples that draw one picture: a G-buffer that is read on the tile, spheres that the device leaves out. */
@NullMarked
package io.frameloom.samples.picture;

import org.jspecify.annotations.NullMarked;
