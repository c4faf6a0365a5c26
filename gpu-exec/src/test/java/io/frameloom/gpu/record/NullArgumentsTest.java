package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.AccelerationStructure.Level;
import io.frameloom.gpu.resource.BlockLayout;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.gpu.virtual.VirtualSurface;
import io.frameloom.gpu.vulkan.SharedMemory;
import io.frameloom.gpu.vulkan.SharedTexture;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.gpu.vulkan.VulkanExtensions;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.Struct;

/** An argument that is missing is named, not the line inside that needs it. */
@Timeout(60)
class NullArgumentsTest {
    private static void names(String parameter, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessageContaining(parameter + " must not be null");
    }

    /** Hides from the compiler's checks that something is missing. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T none() {
        @Nullable T nothing = null;
        return nothing;
    }

    @ParameterizedTest
    @EnumSource
    void devicesNameThem(Backend backend) {
        try (CommandRig rig = new CommandRig(
                backend,
                null,
                Set.of(
                        Capability.DESCRIPTOR_INDEXING,
                        Capability.CONDITIONAL_RENDERING,
                        Capability.DYNAMIC_VERTEX_INPUT))) {
            GpuDevice device = rig.device;
            BufferDescription noBuffer = none();
            TextureDescription noTexture = none();
            names("description", () -> device.createBuffer("b", noBuffer));
            names("description", () -> device.requirements(noBuffer));
            names("description", () -> device.createTexture("t", noTexture));
            names("description", () -> device.requirements(noTexture));
            names("description", () -> device.sampler(none()));
            names("description", () -> device.createComputePipeline(none()));
            names("description", () -> device.createGraphicsPipeline(none()));
            names("description", () -> device.createRayTracingPipeline(none()));
            names("pipeline", () -> device.createBindingSet("s", none(), 0, Map.of()));
            names("kind", () -> device.createQuerySet("q", none(), 1));
            names("format", () -> device.formatSupport(none()));
            names("surface", () -> device.createSwapchain("s", none(), SwapchainDescription.of(1, 1)));
            names("capability", () -> device.capabilities().has(none()));
            try (BindlessTable table = device.createBindlessTable("table")) {
                names("view", () -> table.sampledTexture(none()));
                names("view", () -> table.storageTexture(none()));
                names("sampler", () -> table.sampler(none()));
                names("buffer", () -> table.storageBuffer(none(), 0, 4));
                names("kind", () -> table.capacity(none()));
            }
            rig.execute(list -> {
                names("cull", () -> list.setCullMode(none()));
                names("front", () -> list.setFrontFace(none()));
                names("topology", () -> list.setTopology(none()));
                names("buffers", () -> list.setVertexInput(none()));
                names("condition", () -> list.beginConditionalRendering(none(), 0, false));
                names("info", () -> list.beginRendering(none()));
                names("table", () -> list.traceRays(none(), none(), 0, 1, 1, 1));
                names("a buffer of command list 'list'", () -> list.fillBuffer(none(), 0, 4, 0));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void accelerationStructuresNameThem(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, null, Set.of(Capability.RAY_QUERIES));
                AccelerationStructure one = rig.device.createAccelerationStructure("one", Level.BOTTOM, 256);
                AccelerationStructure other = rig.device.createAccelerationStructure("other", Level.BOTTOM, 256)) {
            AccelerationStructureDescription noDescription = none();
            AccelerationStructureBuild noBuild = none();
            names("description", () -> rig.device.sizes(noDescription));
            names("level", () -> rig.device.createAccelerationStructure("s", none(), 256));
            names("serialized", () -> rig.device.canDeserialize(none()));
            names("data", () -> new TopLevelInstances(none()));
            rig.execute(list -> {
                names("build", () -> list.buildAccelerationStructure(noBuild));
                names("mode", () -> list.copyAccelerationStructure(one, other, none()));
            });
        }
    }

    @Test
    void vulkanDevicesNameThem() {
        try (CommandRig rig = new CommandRig(Backend.VULKAN, null, Set.of())) {
            VulkanDevice device = (VulkanDevice) rig.device;
            VulkanHandles handles = device.handles();
            Buffer noBuffer = none();
            Texture noTexture = none();
            names("buffer", () -> device.share(noBuffer));
            names("texture", () -> device.share(noTexture));
            SharedTexture noShared = none();
            names("shared", () -> device.importTexture("t", noShared));
            SharedMemory noMemory = none();
            names("memory", () -> device.importBuffer("b", BufferDescription.readback(4), noMemory));
            names("texture", () -> handles.image(none()));
            names("view", () -> handles.imageView(none()));
            names("buffer", () -> handles.buffer(none()));
            names("pipeline", () -> handles.pipeline(none()));
            names("pipeline", () -> handles.pipelineLayout(none()));
            names("set", () -> handles.descriptorSet(none()));
            names("sampler", () -> handles.sampler(none()));
            names("queue", () -> handles.queue(none()));
            names("queue", () -> handles.guard(none()));
            names("queue", () -> handles.timeline(none()));
            CommandList noList = none();
            names("list", () -> VulkanHandles.recordNative(noList, commands -> {}));
            rig.execute(list -> names("commands", () -> VulkanHandles.recordNative(list, none())));
        }
    }

    @Test
    void whatIsAskedOfDevicesNamesThem() {
        DeviceOptions noOptions = none();
        names("options", () -> VulkanDevices.open("", noOptions));
        names("description", () -> VulkanDevices.adopt(none(), noOptions));
        names("names", () -> VulkanExtensions.of((String[]) none()));
        names("structures", () -> VulkanExtensions.of().withFeatures((Struct<?>[]) none()));
        names("a name", () -> VulkanExtensions.of("VK_KHR_swapchain", none()));
        names("a structure", () -> VulkanExtensions.of().withFeatures((Struct<?>) none()));
        names("a capability", () -> options().require(Capability.MULTIVIEW, none()));
        names("instanceExtensions", () -> options().withSurfaces(none()));
        names("names", () -> Capability.parse(none()));
        names("taskGraph", () -> DeviceOptions.of(none(), "nothing"));
        TextureDescription picture = TextureDescription.of(1, 1, Format.R8_UNORM, TextureUsage.SAMPLED);
        names("memory", () -> new SharedTexture(none(), picture));
        names("driver", () -> new SharedMemory(1, 1, 0, "0", none(), null));
        BlockLayout.Pointer pointer = BlockLayout.scalar().pointer(4);
        names("target", () -> pointer.put(ByteBuffer.allocate(8), 0, none(), 0));
        names("struct", () -> BlockLayout.scalar().structs(none(), 1));
        names("kind", () -> QueryResults.of(none(), new long[1]));
        names("copied", () -> QueryResults.of(QueryKind.SAMPLES, (ByteBuffer) none()));
        GraphicsPipelineDescription triangle =
                GraphicsPipelineDescription.of("t", RenderPassScene.VERTEX, null, Format.R8_UNORM);
        names("cull", () -> triangle.withCull(none()));
        names("raster", () -> triangle.withRaster(none()));
        names("dynamicStates", () -> triangle.withDynamicStates(none()));
        names("vertexShader", () -> GraphicsPipelineDescription.of("t", none(), null));
    }

    @Test
    void pipelinesOfRaysNameThem() {
        List<RayTracingPipelineDescription.Group> groups = RayScene.PIPELINE.groups();
        names("name", () -> new RayTracingPipelineDescription(none(), groups, 1));
        names("groups", () -> new RayTracingPipelineDescription("rays", none(), 1));
        names("name", () -> new RayTracingPipelineDescription.TrianglesHit(none(), null, null));
        names("shader", () -> new RayTracingPipelineDescription.General("pixel", none()));
        ShaderRecord record = new ShaderRecord("pixel");
        names("group", () -> new ShaderRecord(none()));
        names("data", () -> new ShaderRecord("pixel", none()));
        List<ShaderRecord> noRecords = none();
        names("pipeline", () -> new ShaderBindingTable(none(), record, List.of(), List.of(), List.of()));
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL, null, Set.of(Capability.RAY_TRACING_PIPELINES));
                RayTracingPipeline rays = rig.device.createRayTracingPipeline(RayScene.PIPELINE)) {
            names("generation", () -> new ShaderBindingTable(rays, none(), List.of(), List.of(), List.of()));
            names("miss", () -> new ShaderBindingTable(rays, record, noRecords, List.of(), List.of()));
            names("hit", () -> new ShaderBindingTable(rays, record, List.of(), noRecords, List.of()));
            names("callable", () -> new ShaderBindingTable(rays, record, List.of(), List.of(), noRecords));
        }
    }

    private static DeviceOptions options() {
        TaskGraph tasks = TaskGraph.builder().name("options").build();
        tasks.close();
        return DeviceOptions.of(tasks, "options");
    }

    @Test
    void presentingNamesThem() {
        names("format", () -> SurfaceFormat.srgb(none()));
        names("colorSpace", () -> new SurfaceFormat(Format.R8_UNORM, (ColorSpace) none()));
        names("primaries", () -> new HdrMetadata(none(), 1000, 0, 0, 0));
        SwapchainDescription wished = SwapchainDescription.of(4, 4);
        names("wished", () -> wished.withFormats((SurfaceFormat[]) none()));
        names("wished", () -> wished.withPresentModes((PresentMode[]) none()));
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL);
                Surface surface = rig.device.createHeadlessSurface("window", 4, 4)) {
            VirtualSurface window = (VirtualSurface) surface;
            names("period", () -> window.simulateDisplay(none()));
            names("time", () -> window.advance(none()));
            names("whom", () -> window.onPresented(none()));
            try (Swapchain swapchain = rig.device.createSwapchain("window", surface, wished)) {
                names("metadata", () -> swapchain.setHdrMetadata(none()));
            }
        }
    }
}
