/** Pictures of the textures of a frame at any moment of it: which, and what came back. */
@NullMarked
package io.frameloom.rdg.capture;

import org.jspecify.annotations.NullMarked;
