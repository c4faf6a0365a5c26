/** What both backends share of a device: gates, lifetimes, memory ledgers, system properties, swapchain cycles. */
@NullMarked
package io.frameloom.gpu.device;

import org.jspecify.annotations.NullMarked;
