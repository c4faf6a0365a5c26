/** The driver: loader, instance, adapters, the device, its features, and what every object of a device needs. */
@NullMarked
package io.frameloom.gpu.vulkan.driver;

import org.jspecify.annotations.NullMarked;
