/** Progressive path tracing of a scene by rays of the device. */
@NullMarked
package io.frameloom.samples.pathtrace;

import org.jspecify.annotations.NullMarked;
