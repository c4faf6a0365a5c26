/** Queues, timelines, surfaces and swapchains of a Vulkan device. */
@NullMarked
package io.frameloom.gpu.vulkan.queue;

import org.jspecify.annotations.NullMarked;
