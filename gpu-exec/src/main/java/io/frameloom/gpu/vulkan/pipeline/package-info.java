/** Pipelines, descriptor sets, and bindings. */
@NullMarked
package io.frameloom.gpu.vulkan.pipeline;

import org.jspecify.annotations.NullMarked;
