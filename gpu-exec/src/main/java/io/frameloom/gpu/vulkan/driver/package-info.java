/** The driver: loader, instance, adapters, the device, its features, and the part of it that every object needs. */
@NullMarked
package io.frameloom.gpu.vulkan.driver;

import org.jspecify.annotations.NullMarked;
