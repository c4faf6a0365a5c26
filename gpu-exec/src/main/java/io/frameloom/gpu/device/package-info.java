/**
 * The parts of a device that both backends share: gates, lifetimes, memory ledgers, system properties, swapchain
 * cycles.
 */
@NullMarked
package io.frameloom.gpu.device;

import org.jspecify.annotations.NullMarked;
