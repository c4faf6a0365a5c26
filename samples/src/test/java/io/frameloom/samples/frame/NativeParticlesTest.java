package io.frameloom.samples.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is found when the pass that draws the particles does not declare that it reads them. */
@Timeout(60)
final class NativeParticlesTest {
    private static final int COUNT = 64;

    /** Where the draw has the buffer from. */
    private enum Read {
        DECLARED,
        NOT_DECLARED,
        BEHIND_THE_GRAPH
    }

    private final HazardChecker checker = new HazardChecker();

    /** Executes one frame; returns what the validation layer says. */
    private List<ValidationMessage> run(Read read) {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (TaskGraph tasks = TaskGraph.builder().name("particles").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "particles", true, checker));
            try (device;
                    NativeParticles particles = new NativeParticles(
                            device.handles(), COUNT, FrameResources.RADIANCE.vulkan(), FrameResources.DEPTH.vulkan());
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                RenderGraph graph = new RenderGraph("frame");
                declare(graph, device.handles(), particles, read);
                FrameHandle handle = executor.run(graph);
                handle.completed().await();
                return device.validationMessages();
            }
        }
    }

    private static void declare(RenderGraph graph, VulkanHandles handles, NativeParticles particles, Read read) {
        RdgBuffer constants = graph.createBuffer("constants", BufferDescription.device(FrameConstants.BYTES));
        RdgBuffer places =
                graph.createBuffer("particles", BufferDescription.device((long) COUNT * NativeParticles.BYTES));
        RdgTexture color = graph.createTexture("color", TextureDescription.of(16, 16, FrameResources.RADIANCE));
        RdgTexture depth = graph.createTexture("depth", TextureDescription.of(16, 16, FrameResources.DEPTH));
        AtomicLong taken = new AtomicLong();
        graph.addPass("constants", PassKind.COPY)
                .overwrites(constants, Access.COPY_DST)
                .record(context ->
                        context.commands().fillBuffer(context.buffer(constants), 0, FrameConstants.BYTES, 0x3f800000));
        graph.addPass("move", PassKind.COMPUTE)
                .reads(constants, Access.UNIFORM_COMPUTE)
                .overwrites(places, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .flag(PassFlag.NEVER_PARALLEL) // taken is set before the draw is recorded
                .recordNative((vk, context) -> {
                    taken.set(handles.buffer(context.buffer(places)));
                    particles.move(vk, 0, handles.buffer(context.buffer(constants)), taken.get());
                });
        PassBuilder draw = graph.addPass("draw", PassKind.RASTER)
                .reads(constants, Access.UNIFORM_GRAPHICS)
                .color(color, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .depth(depth, LoadOp.CLEAR, 0)
                .flag(PassFlag.NEVER_CULL)
                .flag(PassFlag.NEVER_PARALLEL);
        if (read == Read.DECLARED) {
            draw.reads(places, Access.VERTEX);
        }
        draw.recordNative((vk, context) -> {
            long buffer = read == Read.BEHIND_THE_GRAPH ? taken.get() : handles.buffer(context.buffer(places));
            particles.draw(vk, 0, handles.buffer(context.buffer(constants)), buffer);
        });
    }

    @Test
    void whatIsDeclaredIsInOrder() {
        assertThat(run(Read.DECLARED)).isEmpty();
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
    }

    @Test
    void theContextRefusesWhatIsNotDeclared() {
        assertThatThrownBy(() -> run(Read.NOT_DECLARED))
                .rootCause()
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("pass 'draw'")
                .hasMessageContaining("takes resource 'particles' that it has not declared");
    }

    /** Nothing but synchronization validation looks at native commands. */
    @Test
    void validationFindsWhatIsReadBehindTheGraph() {
        assertThat(run(Read.BEHIND_THE_GRAPH))
                .extracting(ValidationMessage::id)
                .contains("SYNC-HAZARD-READ-AFTER-WRITE");
    }
}
