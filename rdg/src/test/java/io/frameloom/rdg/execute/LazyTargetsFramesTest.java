package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the plan says of lazily allocated targets is what the device gets. */
class LazyTargetsFramesTest {
    private static final int GREEN = 0xFF00FF00;
    private static final ClearColor GREEN_COLOR = new ClearColor(0, 1, 0, 1);
    private static final TextureDescription COLOR =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
    private static final TextureDescription DEPTH =
            TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);

    private static DeviceRig tiler() {
        return new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                RdgOptions.defaults(),
                false,
                options -> VirtualDevices.open(
                        new VirtualGpuOptions(1, 3).withLazyMemory(true),
                        options.require(Capability.DYNAMIC_RENDERING_LOCAL_READ)));
    }

    private static RdgReadback draw(RenderGraph graph, Set<Texture> taken) {
        RdgTexture picture = graph.createTexture("picture", COLOR);
        RdgTexture depth = graph.createTexture("depth", DEPTH);
        graph.addPass("draw", PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, GREEN_COLOR)
                .depth(depth, LoadOp.CLEAR, 1)
                .record(context -> {
                    synchronized (taken) {
                        taken.add(context.texture(depth));
                    }
                });
        return ReadbackPasses.texture(graph, picture);
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    @Test
    void depthHasMemoryOfItsOwnThatAllFramesUse() {
        Set<Texture> taken = new HashSet<>();
        try (DeviceRig rig = tiler()) {
            for (int frame = 0; frame < 5; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                RdgReadback read = draw(graph, taken);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.resources())
                        .filteredOn(FramePlan.ResourcePlan::lazy)
                        .extracting(FramePlan.ResourcePlan::name)
                        .containsExactly("depth");
                FrameHandle handle = rig.executor.execute(plan);
                handle.completed().await();
                assertThat(words(read)).containsOnly(GREEN);
            }
            assertThat(taken).singleElement().satisfies(texture -> {
                assertThat(texture.description().usage()).contains(TextureUsage.TRANSIENT_ATTACHMENT);
                assertThat(rig.device.memoryStatistics().allocations())
                        .filteredOn(allocation -> allocation.name().equals("depth"))
                        .singleElement()
                        .satisfies(
                                allocation -> assertThat(allocation.kind()).isEqualTo(MemoryStatistics.Kind.TEXTURE));
            });
            rig.assertClean();
        }
        assertThat(taken).allMatch(Texture::isClosed);
    }

    /** Devices without such memory place it; with the usage set by hand they have it all the same. */
    @ParameterizedTest
    @EnumSource
    void aDeviceWithoutSuchMemoryRenders(TestDevice device) {
        device.run(rig -> {
            assertThat(rig.device.capabilities().limits().memory().lazilyAllocated())
                    .isFalse();
            RenderGraph graph = new RenderGraph("frame");
            Set<Texture> taken = new HashSet<>();
            RdgReadback read = draw(graph, taken);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.resources()).noneMatch(FramePlan.ResourcePlan::lazy);
            rig.executor.execute(plan).completed().await();
            assertThat(words(read)).containsOnly(GREEN);
        });
    }

    /** The usage is one that every device takes: a plan for lazy memory runs where there is none. */
    @ParameterizedTest
    @EnumSource
    void aPlanForSuchMemoryRunsWhereThereIsNone(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("frame");
            Set<Texture> taken = new HashSet<>();
            RdgReadback read = draw(graph, taken);
            FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                    .compile(graph, QueueTopology.of(rig.device), new Sizes(MemorySizer.of(rig.device)));
            rig.executor.execute(plan).completed().await();
            assertThat(words(read)).containsOnly(GREEN);
            assertThat(taken)
                    .allMatch(texture -> texture.description().usage().contains(TextureUsage.TRANSIENT_ATTACHMENT));
        });
    }

    /** A device that has lazily allocated memory. */
    private record Sizes(MemorySizer sizes) implements MemorySizer {
        @Override
        public boolean lazyMemory() {
            return true;
        }

        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return sizes.requirements(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return sizes.requirements(description);
        }
    }
}
