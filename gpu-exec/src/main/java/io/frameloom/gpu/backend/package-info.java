/**
 * Choice of a device by name across the backends: {@link io.frameloom.gpu.backend.GpuDevices#open} opens what a
 * {@link io.frameloom.gpu.backend.DeviceSelector} names.
 */
@NullMarked
package io.frameloom.gpu.backend;

import org.jspecify.annotations.NullMarked;
