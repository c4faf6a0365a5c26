/** Memory, buffers, textures, samplers and query sets of a Vulkan device. */
@NullMarked
package io.frameloom.gpu.vulkan.resource;

import org.jspecify.annotations.NullMarked;
