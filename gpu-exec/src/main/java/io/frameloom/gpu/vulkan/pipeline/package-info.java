/** Pipelines, descriptor sets, and what is bound to them. */
@NullMarked
package io.frameloom.gpu.vulkan.pipeline;

import org.jspecify.annotations.NullMarked;
