package io.frameloom.samples.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FrameloomMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void tasksFramesQueuesAndMemoryAreMetered() {
        FrameloomMetrics metrics = new FrameloomMetrics();
        try (TaskGraph tasks =
                TaskGraph.builder().name("t").workers(2).observer(metrics).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(DeviceSelector.parse("virtual"), DeviceOptions.of(tasks, "d"));
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                metrics.device(device);
                metrics.bindTo(registry);
                assertThat(gauge("frameloom.frame.passes")).isNaN();

                GraphEvent failed = tasks.task("fails", () -> {
                            throw new IllegalStateException("on purpose");
                        })
                        .dispatch();
                failed.awaitCompletion();
                assertThat(failed.failure()).isNotNull();
                assertThat(count("frameloom.tasks.failed")).isEqualTo(1);
                tasks.task("works", () -> {}).dispatch().await();

                for (int i = 0; i < 3; i++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer bytes = graph.createBuffer("bytes", BufferDescription.readback(64));
                    graph.addPass("fill", PassKind.COPY)
                            .overwrites(bytes, Access.COPY_DST)
                            .record(context -> context.commands().fillBuffer(context.buffer(bytes), 0, 64, 1));
                    ReadbackPasses.buffer(graph, bytes);
                    FrameHandle frame = executor.run(graph);
                    frame.completed().await();
                    metrics.frame(frame.statistics());
                    metrics.pools(executor.poolStatistics());
                }
                assertThat(count("frameloom.tasks")).isGreaterThan(2);
                assertThat(registry.get("frameloom.frame.record").timer().count())
                        .isEqualTo(3);
                assertThat(registry.get("frameloom.frame.gpu").timer().totalTime(TimeUnit.NANOSECONDS))
                        .isPositive();
                assertThat(gauge("frameloom.frame.passes")).isGreaterThanOrEqualTo(1);
                assertThat(gauge("frameloom.pools.created")).isGreaterThanOrEqualTo(1);
                assertThat(gauge("frameloom.workers")).isEqualTo(2);
                assertThat(gauge("frameloom.gpu.validation")).isZero();
                String queue = device.queues().get(0).name();
                assertThat(count("frameloom.gpu.submitted", "queue", queue))
                        .isEqualTo(count("frameloom.gpu.completed", "queue", queue))
                        .isGreaterThanOrEqualTo(3);
                assertThat(gauge("frameloom.gpu.memory.occupied", "heap", "0"))
                        .isLessThanOrEqualTo(gauge("frameloom.gpu.memory.budget", "heap", "0"));
                registry.close();
            }
        }
    }
}
