package io.frameloom.gpu.vulkan.driver;

import java.util.concurrent.locks.Lock;
import org.lwjgl.vulkan.VkQueue;

/**
 * A native queue that a device uses.
 *
 * @param plan name, kind and family
 * @param guard held around every use of the queue, by all its users
 */
public record DeviceQueue(QueuePlan.Entry plan, VkQueue handle, Lock guard) {}
