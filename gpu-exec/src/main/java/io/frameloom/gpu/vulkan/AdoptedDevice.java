package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.gpu.vulkan.driver.LentDevice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkQueue;

/**
 * The description of an engine's own Vulkan device for {@link VulkanDevices#adopt}. Immutable; built by one thread.
 *
 * <p>LWJGL's VkDevice knows its instance, its physical device, and which extensions are enabled. It does not know which
 * features are, since Vulkan cannot be asked: pass the structures that the device was created with to {@link
 * Builder#createdWith} or {@link Builder#features}. Without computeFullSubgroups and subgroupSizeControl the primitives
 * of {@code io.frameloom.gpu.compute} do without subgroups, which takes longer. Queues that are not named here stay the
 * engine's alone.
 *
 * <pre>{@code
 * AdoptedDevice description = AdoptedDevice.of(device)
 *         .createdWith(deviceCreateInfo)
 *         .queue(QueueKind.GRAPHICS, graphicsQueue, family, lockOfTheGraphicsQueue)
 *         .build();
 * try (VulkanDevice gpu = VulkanDevices.adopt(description, options)) { ... }
 * }</pre>
 */
public final class AdoptedDevice {
    private final LentDevice lent;

    private AdoptedDevice(LentDevice lent) {
        this.lent = lent;
    }

    /** Begins the description of a device. */
    public static Builder of(VkDevice device) {
        return new Builder(Objects.requireNonNull(device, "the VkDevice to adopt is null"));
    }

    LentDevice lent() {
        return lent;
    }

    /** Describes a device. One thread. */
    public static final class Builder {
        private final VkDevice device;
        private final List<LentDevice.Queue> queues = new ArrayList<>();
        private final List<LentDevice.CreatedQueues> created = new ArrayList<>();
        private final Set<Integer> sharing = new HashSet<>();
        private final Map<QueueKind, Integer> counts = new EnumMap<>(QueueKind.class);
        private @Nullable DeviceFeatures features;

        private Builder(VkDevice device) {
            this.device = device;
        }

        /**
         * Takes the enabled features, and the families that have queues, from the structure that the device was created
         * with. It is read now and not kept.
         */
        public Builder createdWith(VkDeviceCreateInfo info) {
            VkPhysicalDeviceFeatures core = info.pEnabledFeatures();
            features = DeviceFeatures.read(core == null ? MemoryUtil.NULL : core.address(), info.pNext());
            VkDeviceQueueCreateInfo.Buffer families = info.pQueueCreateInfos();
            for (int i = 0; families != null && i < families.remaining(); i++) {
                // Queues with flags come from another call.
                if (families.get(i).flags() == 0) {
                    created.add(new LentDevice.CreatedQueues(
                            families.get(i).queueFamilyIndex(), families.get(i).queueCount()));
                }
            }
            return this;
        }

        /** Takes the enabled features from a chain of structures. It is read now and not kept. */
        public Builder features(VkPhysicalDeviceFeatures2 chain) {
            features = DeviceFeatures.read(MemoryUtil.NULL, chain.address());
            return this;
        }

        /**
         * Lends a queue that the engine goes on using.
         *
         * @param kind what Frameloom may execute on it; the first graphics queue becomes the first of the device
         * @param family the family it was got from
         * @param guard Frameloom holds it around every use of the queue, the engine around every use of its own. Do not
         *     hold it while waiting for Frameloom. One lock may guard several queues if it is reentrant
         */
        public Builder queue(QueueKind kind, VkQueue queue, int family, Lock guard) {
            Objects.requireNonNull(kind, "the kind of an adopted queue is null");
            String name = kind.queueName(counts.merge(kind, 1, Integer::sum));
            Objects.requireNonNull(queue, () -> "the VkQueue of adopted queue '" + name + "' is null");
            Objects.requireNonNull(guard, () -> "the guard of adopted queue '" + name + "' is null");
            queues.add(new LentDevice.Queue(name, kind, queue, family, guard));
            return this;
        }

        /** Gives Frameloom a queue that no other code uses. */
        public Builder ownQueue(QueueKind kind, VkQueue queue, int family) {
            return queue(kind, queue, family, new ReentrantLock());
        }

        /**
         * Declares families whose queues, lent or not, use what Frameloom makes. Its textures and buffers are created
         * for concurrent sharing by them and by the families of the lent queues. So only resources made {@link
         * io.frameloom.gpu.resource.QueueSharing#EXCLUSIVE} are handed over between families. How an engine's own
         * resources were created is given at their import.
         */
        public Builder sharedWith(int... families) {
            for (int family : families) {
                sharing.add(family);
            }
            return this;
        }

        /** Ends the description; it is checked when the device is adopted. */
        public AdoptedDevice build() {
            return new AdoptedDevice(new LentDevice(device, features, queues, created, sharing));
        }
    }
}
