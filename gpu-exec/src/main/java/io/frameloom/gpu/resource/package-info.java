/** Buffers, textures and samplers: their descriptions, formats, views and memory. */
@NullMarked
package io.frameloom.gpu.resource;

import org.jspecify.annotations.NullMarked;
