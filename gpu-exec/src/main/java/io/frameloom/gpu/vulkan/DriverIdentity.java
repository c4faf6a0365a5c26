package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.cache.Compatibility;
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
 * Which driver of which device a pipeline is compiled for. The identifiers that Vulkan gives are not enough: Mesa's
 * lavapipe 22.3 has the same pipeline cache UUID in every build. Immutable.
 *
 * @param compatibility everything that can change the binary of a pipeline
 * @param vendor vendor in the header of a native pipeline cache
 * @param device device in the header
 * @param cacheId UUID in the header
 */
record DriverIdentity(Compatibility compatibility, int vendor, int device, ByteBuffer cacheId) {
    private static final int HEADER_BYTES = 32;
    private static final int HEADER_VERSION = 1;

    static DriverIdentity of(DeviceCore core) {
        VkPhysicalDevice device = core.adapter().handle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            all.pNext(v11).pNext(v12);
            VK13.vkGetPhysicalDeviceProperties2(device, all);
            var properties = all.properties();
            byte[] cacheId = bytes(properties.pipelineCacheUUID());
            Compatibility.Builder builder = Compatibility.builder()
                    .text("processor", System.getProperty("os.arch", "unknown"))
                    .number("pointer bytes", Pointer.POINTER_SIZE)
                    .number("vendor", properties.vendorID())
                    .number("device", properties.deviceID())
                    .text("renderer", properties.deviceNameString())
                    .number("api version", properties.apiVersion())
                    .number("driver version", properties.driverVersion())
                    .number("driver", v12.driverID())
                    .text("driver name", v12.driverNameString())
                    .text("driver info", v12.driverInfoString())
                    .text("driver build", DriverBuild.of(core.handle().getCapabilities().vkCreateComputePipelines))
                    .bytes("device uuid", bytes(v11.deviceUUID()))
                    .bytes("driver uuid", bytes(v11.driverUUID()))
                    .bytes("cache uuid", cacheId);
            features(builder, core.features());
            return new DriverIdentity(
                    builder.build(),
                    properties.vendorID(),
                    properties.deviceID(),
                    ByteBuffer.wrap(cacheId).asReadOnlyBuffer());
        }
    }

    /** Features that are on can change code, such as bounds checks. */
    private static void features(Compatibility.Builder builder, DeviceFeatures on) {
        builder.bytes("features 1.0", bytes(on.all().features().address(), 0, VkPhysicalDeviceFeatures.SIZEOF))
                .bytes("features 1.1", chained(on.v11().address(), VkPhysicalDeviceVulkan11Features.SIZEOF))
                .bytes("features 1.2", chained(on.v12().address(), VkPhysicalDeviceVulkan12Features.SIZEOF))
                .bytes("features 1.3", chained(on.v13().address(), VkPhysicalDeviceVulkan13Features.SIZEOF));
    }

    /** Returns a structure of the chain without its type and its pointer to the next. */
    private static byte[] chained(long address, int size) {
        return bytes(address, 2 * Long.BYTES, size);
    }

    private static byte[] bytes(long address, int from, int to) {
        return bytes(MemoryUtil.memByteBuffer(address + from, to - from));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /**
     * Returns whether the driver may be given these contents of a native pipeline cache: to check their header is the
     * application's part.
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
