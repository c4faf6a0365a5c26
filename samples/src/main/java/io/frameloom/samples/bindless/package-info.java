/** A thousand quads, each with a texture of its own, in one indirect draw. */
@NullMarked
package io.frameloom.samples.bindless;

import org.jspecify.annotations.NullMarked;
