/**
 * The Vulkan 1.3 backend: synchronization2, timeline semaphores, dynamic rendering.
 * {@link io.frameloom.gpu.vulkan.VulkanDevices} lists devices, opens one, or adopts that of an engine, which shares
 * resources by {@link io.frameloom.gpu.vulkan.VulkanDevice} and {@link io.frameloom.gpu.vulkan.VulkanHandles}.
 */
@NullMarked
package io.frameloom.gpu.vulkan;

import org.jspecify.annotations.NullMarked;
