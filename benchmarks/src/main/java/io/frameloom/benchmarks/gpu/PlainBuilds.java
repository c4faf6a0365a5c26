package io.frameloom.benchmarks.gpu;

import static io.frameloom.benchmarks.gpu.plain.PlainDevice.check;

import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.concurrent.locks.Lock;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkAccelerationStructureBuildGeometryInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureBuildRangeInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureCreateInfoKHR;
import org.lwjgl.vulkan.VkAccelerationStructureGeometryKHR;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.lwjgl.vulkan.VkSubmitInfo;

/** Builds by hand, as a careful user of LWJGL would; on the same VkDevice and from the same memory as the others. */
final class PlainBuilds implements BuildWay {
    private static final long NEVER = Long.MAX_VALUE;

    private final VkDevice device;
    private final Triangles triangles;
    private final int flags;
    private final GpuQueue queue;
    private final VulkanDevice frameloom;
    private final AccelerationStructure memory;
    private final long vertices;
    private final long indices;
    private final long scratch;
    private final long structure;
    private final long pool;
    private final VkCommandBuffer list;
    private final long fence;

    PlainBuilds(VulkanDevice frameloom, BuiltMesh mesh) {
        this.frameloom = frameloom;
        device = frameloom.handles().device();
        queue = frameloom.queues().get(0);
        triangles = (Triangles) mesh.description.geometries().get(0);
        flags = flags(mesh);
        vertices = address(frameloom.handles().buffer(mesh.vertices));
        indices = address(frameloom.handles().buffer(mesh.indices));
        scratch = address(frameloom.handles().buffer(mesh.scratch));
        memory = mesh.structure("by hand");
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(KHRAccelerationStructure.vkCreateAccelerationStructureKHR(
                    device,
                    VkAccelerationStructureCreateInfoKHR.calloc(stack)
                            .sType$Default()
                            .buffer(frameloom.handles().buffer(memory))
                            .size(mesh.sizes.structureBytes())
                            .type(KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR),
                    null,
                    out));
            structure = out.get(0);
            check(VK13.vkCreateCommandPool(
                    device,
                    VkCommandPoolCreateInfo.calloc(stack).sType$Default().queueFamilyIndex(queue.family()),
                    null,
                    out));
            pool = out.get(0);
            PointerBuffer lists = stack.mallocPointer(1);
            check(VK13.vkAllocateCommandBuffers(
                    device,
                    VkCommandBufferAllocateInfo.calloc(stack)
                            .sType$Default()
                            .commandPool(pool)
                            .commandBufferCount(1),
                    lists));
            list = new VkCommandBuffer(lists.get(0), device);
            check(VK13.vkCreateFence(device, VkFenceCreateInfo.calloc(stack).sType$Default(), null, out));
            fence = out.get(0);
        }
    }

    private static int flags(BuiltMesh mesh) {
        int how = mesh.description.flags().contains(Flag.FAST_BUILD)
                ? KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR
                : KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
        return mesh.description.flags().contains(Flag.UPDATABLE)
                ? how | KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR
                : how;
    }

    private long address(long buffer) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return VK13.vkGetBufferDeviceAddress(
                    device,
                    VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(buffer));
        }
    }

    @Override
    public String name() {
        return "plain LWJGL";
    }

    @Override
    public void build(boolean update) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(VK13.vkBeginCommandBuffer(
                    list,
                    VkCommandBufferBeginInfo.calloc(stack)
                            .sType$Default()
                            .flags(VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)));
            record(update, stack);
            check(VK13.vkEndCommandBuffer(list));
            VkSubmitInfo submission = VkSubmitInfo.calloc(stack).sType$Default().pCommandBuffers(stack.pointers(list));
            Lock guard = frameloom.handles().guard(queue);
            guard.lock();
            try {
                check(VK13.vkQueueSubmit(frameloom.handles().queue(queue), submission, fence));
            } finally {
                guard.unlock();
            }
            check(VK13.vkWaitForFences(device, fence, true, NEVER));
            check(VK13.vkResetFences(device, fence));
            check(VK13.vkResetCommandPool(device, pool, 0));
        }
    }

    private void record(boolean update, MemoryStack stack) {
        var geometry = VkAccelerationStructureGeometryKHR.calloc(1, stack);
        geometry.get(0)
                .sType$Default()
                .geometryType(KHRAccelerationStructure.VK_GEOMETRY_TYPE_TRIANGLES_KHR)
                .flags(KHRAccelerationStructure.VK_GEOMETRY_OPAQUE_BIT_KHR);
        var data = geometry.get(0).geometry().triangles();
        data.sType$Default()
                .vertexFormat(VK13.VK_FORMAT_R32G32B32_SFLOAT)
                .vertexStride(triangles.stride())
                .maxVertex(triangles.vertices() - 1)
                .indexType(VK13.VK_INDEX_TYPE_UINT32);
        data.vertexData().deviceAddress(vertices);
        data.indexData().deviceAddress(indices);
        var info = VkAccelerationStructureBuildGeometryInfoKHR.calloc(1, stack);
        info.get(0)
                .sType$Default()
                .type(KHRAccelerationStructure.VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR)
                .flags(flags)
                .mode(
                        update
                                ? KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                                : KHRAccelerationStructure.VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR)
                .srcAccelerationStructure(update ? structure : VK13.VK_NULL_HANDLE)
                .dstAccelerationStructure(structure)
                .geometryCount(1)
                .pGeometries(geometry);
        info.get(0).scratchData().deviceAddress(scratch);
        var range = VkAccelerationStructureBuildRangeInfoKHR.calloc(1, stack);
        range.get(0).primitiveCount(triangles.primitives());
        KHRAccelerationStructure.vkCmdBuildAccelerationStructuresKHR(list, info, stack.pointers(range));
    }

    @Override
    public void close() {
        VK13.vkDestroyFence(device, fence, null);
        VK13.vkDestroyCommandPool(device, pool, null);
        KHRAccelerationStructure.vkDestroyAccelerationStructureKHR(device, structure, null);
        memory.close();
    }
}
