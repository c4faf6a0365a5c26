package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device is lost at each submission of two frames in flight: all that waits ends, and with one report. */
@Timeout(60)
class LostFramesTest {
    private static final List<String> PASSES = List.of("graphics first", "compute second", "graphics third");
    private static final int FRAMES = 2;
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST);

    private static RenderGraph frame(ComputePipeline mix, Buffer out) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer first = graph.createBuffer("first", DATA);
        RdgBuffer second = graph.createBuffer("second", DATA);
        RdgBuffer third = graph.registerExternal(out);
        graph.addPass(PASSES.get(0), PassKind.COPY)
                .overwrites(first, Access.COPY_DST)
                .record(context -> context.commands().fillBuffer(context.buffer(first), 0, MixKernel.BYTES, 1));
        graph.addPass(PASSES.get(1), PassKind.COMPUTE)
                .reads(first, Access.STORAGE_READ_COMPUTE)
                .overwrites(second, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {
                    Buffer from = context.buffer(first);
                    MixKernel.bind(context.commands(), mix, from, from, context.buffer(second), 0, 3);
                    context.commands().dispatch(1, 1, 1);
                });
        graph.addPass(PASSES.get(2), PassKind.COMPUTE)
                .reads(second, Access.STORAGE_READ_COMPUTE)
                .overwrites(third, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    Buffer from = context.buffer(second);
                    MixKernel.bind(context.commands(), mix, from, from, context.buffer(third), 0, 3);
                    context.commands().dispatch(1, 1, 1);
                });
        return graph;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyFrameFailsWithTheReportOfThePass(int loseAt) {
        VirtualGpuOptions gpu = new VirtualGpuOptions(2, 1)
                .withOrder(VirtualGpuOptions.Order.IN_ORDER)
                .withLossAt(loseAt);
        try (TaskGraph tasks = TaskGraph.builder().name("lost").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            try (VirtualDevice device = VirtualDevices.open(gpu, DeviceOptions.of(tasks, "lost"));
                    Buffer out = device.createBuffer("out", DATA);
                    ComputePipeline mix = MixKernel.create(device);
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                List<FrameHandle> frames = new ArrayList<>();
                for (int i = 0; i < FRAMES; i++) {
                    frames.add(executor.execute(executor.compile(frame(mix, out))));
                }
                Set<CrashReport> reports = Collections.newSetFromMap(new IdentityHashMap<>());
                for (int i = 0; i < FRAMES; i++) {
                    frames.get(i).completed().awaitCompletion();
                    Throwable failure = frames.get(i).completed().failure();
                    // What a frame before the loss had done stays done.
                    assertThat(failure == null).isEqualTo(loseAt > (i + 1) * PASSES.size());
                    if (failure != null) {
                        reports.add(CrashReport.of(failure).orElseThrow());
                    }
                }
                assertThat(reports).hasSize(1);
                CrashReport report = Objects.requireNonNull(reports.iterator().next());
                String pass = PASSES.get((loseAt - 1) % PASSES.size());
                assertThat(report.queues().stream().flatMap(queue -> queue.open().stream()))
                        .containsExactly(pass);
                assertThat(report.summary()).contains("had begun and not ended '" + pass + "'");
            }
        }
    }
}
