/** An overlay of frame times, passes, memory, waits and textures, and the pass that draws it or another GUI. */
@NullMarked
package io.frameloom.overlay;

import org.jspecify.annotations.NullMarked;
