/** The procedural city that the demo renders without a model. */
@NullMarked
package io.frameloom.samples.city;

import org.jspecify.annotations.NullMarked;
