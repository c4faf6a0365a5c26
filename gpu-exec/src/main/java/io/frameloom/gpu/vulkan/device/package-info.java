/** Opening and adopting a Vulkan device, and the device itself. */
@NullMarked
package io.frameloom.gpu.vulkan.device;

import org.jspecify.annotations.NullMarked;
