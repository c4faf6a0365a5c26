package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.gpu.vulkan.driver.DriverBuild;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Pointer;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/**
 * The driver and device that a pipeline is compiled for. Vulkan's identifiers are not enough: Mesa's lavapipe 22.3 has
 * the same pipeline cache UUID in every build. Immutable.
 *
 * @param compatibility everything that can change the binary of a pipeline
 * @param vendor vendor in the header of a native pipeline cache
 * @param cacheId UUID in the header
 */
record DriverIdentity(Compatibility compatibility, int vendor, int device, ByteBuffer cacheId) {
    private static final int HEADER_BYTES = 32;
    private static final int HEADER_VERSION = 1;

    /**
     * The values of a device, its driver and this process; all are part of the compatibility. Buffers are read from
     * their position to their limit.
     *
     * @param renderer name of the device
     * @param driverInfo version of the driver in words
     * @param deviceId UUID of the device
     * @param driverId UUID of the driver
     * @param cacheId UUID of native pipeline caches
     * @param features10 enabled features of Vulkan 1.0; features can change code, such as bounds checks
     * @param features features of extensions, each structure after its type
     */
    record Facts(
            String processor,
            int pointerBytes,
            int vendor,
            int device,
            String renderer,
            int apiVersion,
            int driverVersion,
            int driver,
            String driverName,
            String driverInfo,
            String driverBuild,
            ByteBuffer deviceId,
            ByteBuffer driverId,
            ByteBuffer cacheId,
            ByteBuffer features10,
            ByteBuffer features11,
            ByteBuffer features12,
            ByteBuffer features13,
            ByteBuffer features) {
        Compatibility compatibility() {
            return new Compatibility(new CanonicalFields()
                    .text("processor", processor)
                    .number("pointer bytes", pointerBytes)
                    .number("vendor", vendor)
                    .number("device", device)
                    .text("renderer", renderer)
                    .number("api version", apiVersion)
                    .number("driver version", driverVersion)
                    .number("driver", driver)
                    .text("driver name", driverName)
                    .text("driver info", driverInfo)
                    .text("driver build", driverBuild)
                    .bytes("device uuid", bytes(deviceId))
                    .bytes("driver uuid", bytes(driverId))
                    .bytes("cache uuid", bytes(cacheId))
                    .bytes("features 1.0", bytes(features10))
                    .bytes("features 1.1", bytes(features11))
                    .bytes("features 1.2", bytes(features12))
                    .bytes("features 1.3", bytes(features13))
                    .bytes("features of extensions", bytes(features)));
        }
    }

    static DriverIdentity of(DeviceCore core) {
        VkPhysicalDevice device = core.adapter().handle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            all.pNext(v11).pNext(v12);
            VK13.vkGetPhysicalDeviceProperties2(device, all);
            var properties = all.properties();
            DeviceFeatures on = core.features();
            Facts facts = new Facts(
                    System.getProperty("os.arch", "unknown"),
                    Pointer.POINTER_SIZE,
                    properties.vendorID(),
                    properties.deviceID(),
                    properties.deviceNameString(),
                    properties.apiVersion(),
                    properties.driverVersion(),
                    v12.driverID(),
                    v12.driverNameString(),
                    v12.driverInfoString(),
                    DriverBuild.of(core.handle().getCapabilities().vkCreateComputePipelines),
                    v11.deviceUUID(),
                    v11.driverUUID(),
                    properties.pipelineCacheUUID(),
                    memory(on.all().features().address(), 0, VkPhysicalDeviceFeatures.SIZEOF),
                    chained(on.v11().address(), VkPhysicalDeviceVulkan11Features.SIZEOF),
                    chained(on.v12().address(), VkPhysicalDeviceVulkan12Features.SIZEOF),
                    chained(on.v13().address(), VkPhysicalDeviceVulkan13Features.SIZEOF),
                    ByteBuffer.wrap(on.ofExtensions()));
            return new DriverIdentity(
                    facts.compatibility(),
                    facts.vendor(),
                    facts.device(),
                    ByteBuffer.wrap(bytes(facts.cacheId())).asReadOnlyBuffer());
        }
    }

    /** Returns a structure of the chain without its type and its pointer to the next. */
    private static ByteBuffer chained(long address, int size) {
        return memory(address, 2 * Long.BYTES, size);
    }

    private static ByteBuffer memory(long address, int from, int to) {
        return MemoryUtil.memByteBuffer(address + from, to - from);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /**
     * Returns whether the driver may be given these contents of a native pipeline cache: the application must check
     * their header.
     */
    boolean canRead(byte[] contents) {
        if (contents.length < HEADER_BYTES) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(contents).order(ByteOrder.LITTLE_ENDIAN);
        int headerBytes = header.getInt();
        return headerBytes >= HEADER_BYTES
                && headerBytes <= contents.length
                && header.getInt() == HEADER_VERSION
                && header.getInt() == vendor
                && header.getInt() == device
                && cacheId.equals(ByteBuffer.wrap(Arrays.copyOfRange(contents, 16, HEADER_BYTES)));
    }
}
