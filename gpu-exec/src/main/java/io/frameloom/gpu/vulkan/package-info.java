/** The Vulkan 1.3 backend: synchronization2, timeline semaphores, dynamic rendering. */
@NullMarked
package io.frameloom.gpu.vulkan;

import org.jspecify.annotations.NullMarked;
