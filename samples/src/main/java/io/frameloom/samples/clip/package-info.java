/** The sample {@code clip}: the clips of an SVG file, cut by each other on a device. */
@NullMarked
package io.frameloom.samples.clip;

import org.jspecify.annotations.NullMarked;
