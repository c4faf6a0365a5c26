package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Boxes;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Geometry;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkAccelerationStructureBuildGeometryInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureBuildRangeInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureBuildSizesInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureGeometryKHR;
import org.lwjgl.vulkan.VkAccelerationStructureVersionInfoKHR;
import org.lwjgl.vulkan.VkCommandBuffer;

/** Builds of acceleration structures in the structures of Vulkan. */
public final class StructureBuilds {
    private StructureBuilds() {}

    public static AccelerationStructure.Sizes sizes(DeviceCore core, AccelerationStructureDescription description) {
        int count = description.geometries().size();
        try (MemoryStack stack = MemoryStack.stackPush();
                VkAccelerationStructureGeometryKHR.Buffer geometries = geometries(description, null)) {
            VkAccelerationStructureBuildSizesInfoKHR sizes =
                    VkAccelerationStructureBuildSizesInfoKHR.calloc(stack).sType$Default();
            int[] most = description.geometries().stream()
                    .mapToInt(Geometry::primitives)
                    .toArray();
            VkAccelerationStructureBuildGeometryInfoKHR info = info(description, stack);
            KHRAccelerationStructure.vkGetAccelerationStructureBuildSizesKHR(
                    core.handle(),
                    KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                    info.geometryCount(count).pGeometries(geometries),
                    most,
                    sizes);
            return new AccelerationStructure.Sizes(
                    sizes.accelerationStructureSize(), sizes.buildScratchSize(), sizes.updateScratchSize());
        }
    }

    public static boolean isCompatible(DeviceCore core, ByteBuffer serialized) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ByteBuffer version = stack.malloc(StructureRules.HEADER_BYTES);
            version.put(0, serialized, serialized.position(), StructureRules.HEADER_BYTES);
            int[] answer = new int[1];
            KHRAccelerationStructure.vkGetDeviceAccelerationStructureCompatibilityKHR(
                    core.handle(),
                    VkAccelerationStructureVersionInfoKHR.calloc(stack)
                            .sType$Default()
                            .pVersionData(version),
                    answer);
            return answer[0] == KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR;
        }
    }

    public static void record(VkCommandBuffer commands, AccelerationStructureBuild build) {
        AccelerationStructureDescription description = build.description();
        int count = description.geometries().size();
        try (MemoryStack stack = MemoryStack.stackPush();
                VkAccelerationStructureGeometryKHR.Buffer geometries = geometries(description, build.inputs());
                VkAccelerationStructureBuildRangeInfoKHR.Buffer ranges =
                        VkAccelerationStructureBuildRangeInfoKHR.calloc(count)) {
            VkAccelerationStructureBuildGeometryInfoKHR.Buffer infos =
                    VkAccelerationStructureBuildGeometryInfoKHR.calloc(1, stack);
            VkAccelerationStructureBuildGeometryInfoKHR info = infos.get(0).set(info(description, stack));
            info.geometryCount(count).pGeometries(geometries);
            info.dstAccelerationStructure(((VulkanAccelerationStructure) build.destination()).structure());
            if (build.updated() instanceof VulkanAccelerationStructure updated) {
                info.mode(KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR)
                        .srcAccelerationStructure(updated.structure());
            }
            info.scratchData().deviceAddress(build.scratch().address() + build.scratchOffset());
            for (int i = 0; i < count; i++) {
                ranges.get(i).primitiveCount(description.geometries().get(i).primitives());
            }
            PointerBuffer ofBuilds = stack.pointers(ranges);
            KHRAccelerationStructure.vkCmdBuildAccelerationStructuresKHR(commands, infos, ofBuilds);
        }
    }

    private static VkAccelerationStructureBuildGeometryInfoKHR info(
            AccelerationStructureDescription description, MemoryStack stack) {
        return VkAccelerationStructureBuildGeometryInfoKHR.calloc(stack)
                .sType$Default()
                .type(VulkanAccelerationStructure.type(description.level()))
                .flags(flags(description))
                .mode(KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
    }

    private static int flags(AccelerationStructureDescription description) {
        int flags = description.flags().contains(Flag.FAST_BUILD)
                ? KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR
                : KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
        for (Flag flag : description.flags()) {
            flags |= switch (flag) {
                case UPDATABLE -> KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR;
                case COMPACTABLE -> KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR;
                case LOW_MEMORY -> KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR;
                case FAST_BUILD -> 0;
            };
        }
        return flags;
    }

    /** Returns the geometries, with addresses if their inputs are given; on the heap, since there may be many. */
    private static VkAccelerationStructureGeometryKHR.Buffer geometries(
            AccelerationStructureDescription description, @Nullable List<Input> inputs) {
        int count = description.geometries().size();
        VkAccelerationStructureGeometryKHR.Buffer all = VkAccelerationStructureGeometryKHR.calloc(count);
        try {
            for (int i = 0; i < count; i++) {
                fill(all.get(i), description.geometries().get(i), inputs == null ? null : inputs.get(i));
            }
            return all;
        } catch (RuntimeException | Error e) {
            all.free();
            throw e;
        }
    }

    private static void fill(VkAccelerationStructureGeometryKHR to, Geometry geometry, @Nullable Input input) {
        long address = input == null ? 0 : input.buffer().address() + input.offset();
        to.sType$Default();
        if (geometry instanceof Triangles triangles) {
            to.geometryType(KHRAccelerationStructure.VK_GEOMETRY_TYPE_TRIANGLES_KHR)
                    .flags(opaque(triangles.opaque()));
            var data = to.geometry().triangles();
            data.sType$Default()
                    .vertexFormat(triangles.format().vulkan())
                    .vertexStride(triangles.stride())
                    .maxVertex(triangles.vertices() - 1)
                    .indexType(indexType(triangles.indices()));
            data.vertexData().deviceAddress(address);
            if (input != null && input.indices() != null) {
                data.indexData()
                        .deviceAddress(Objects.requireNonNull(input.indices()).address() + input.indexOffset());
            }
        } else if (geometry instanceof Boxes boxes) {
            to.geometryType(KHRAccelerationStructure.VK_GEOMETRY_TYPE_AABBS_KHR).flags(opaque(boxes.opaque()));
            var data = to.geometry().aabbs();
            data.sType$Default().stride(boxes.stride()).data().deviceAddress(address);
        } else {
            to.geometryType(KHRAccelerationStructure.VK_GEOMETRY_TYPE_INSTANCES_KHR);
            var data = to.geometry().instances();
            data.sType$Default().data().deviceAddress(address);
        }
    }

    private static int opaque(boolean opaque) {
        return opaque ? KHRAccelerationStructure.VK_GEOMETRY_OPAQUE_BIT_KHR : 0;
    }

    private static int indexType(@Nullable IndexType type) {
        if (type == null) {
            return KHRAccelerationStructure.VK_INDEX_TYPE_NONE_KHR;
        }
        return type == IndexType.UINT16 ? VK13.VK_INDEX_TYPE_UINT16 : VK13.VK_INDEX_TYPE_UINT32;
    }
}
