/** Bytes, texels, noise and costs of the virtual GPU. */
@NullMarked
package io.frameloom.gpu.virtual.memory;

import org.jspecify.annotations.NullMarked;
