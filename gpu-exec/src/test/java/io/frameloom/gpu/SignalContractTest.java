package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Submissions that reach their point before everything in them is done. */
@Timeout(60)
class SignalContractTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("signals").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    @ParameterizedTest
    @EnumSource
    void anEarlyPointTakesTwoValuesWhichAreReachedInOrder(Backend backend) {
        try (GpuDevice device = backend.open(new DeviceOptions(tasks, "signals", false, null));
                FrameContext frame = device.createFrameContext("frame");
                Buffer buffer = device.createBuffer("words", BufferDescription.device(64, BufferUsage.COPY_DST))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "fill");
            list.fillBuffer(buffer, 0, 64, 7);
            list.end();
            TimelinePoint early = queue.submit(
                    new Submission("early", List.of(list), List.of()).signalling(PipelineStage.COMPUTE_SHADER.bit()));
            assertThat(early.value()).isEqualTo(1);
            assertThat(queue.timeline().submitted()).isEqualTo(2);
            TimelinePoint next = queue.submit(new Submission(
                    "next", List.of(), List.of(new Submission.Wait(early, PipelineStage.ALL_COMMANDS.bit()))));
            assertThat(next.value()).isEqualTo(3);
            assertThat(queue.timeline().reached(1).await(LONG)).isTrue();
            assertThat(queue.timeline().reached(2).await(LONG)).isTrue();
            assertThat(queue.timeline().await(3, LONG)).isTrue();
            assertThat(queue.timeline().completed()).isEqualTo(3);
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void theVirtualDeviceSignalsEarlyForSomeSeedAndNeverTooEarly() {
        boolean early = false;
        for (long seed = 1; seed <= 40; seed++) {
            List<String> order = executed(seed);
            int dispatch = position(order, "dispatch");
            int copy = position(order, "copy");
            int first = position(order, "signal 1");
            int second = position(order, "signal 2");
            assertThat(dispatch).as("%s", order).isBetween(0, first - 1);
            assertThat(copy).as("%s", order).isBetween(0, second - 1);
            assertThat(first).isLessThan(second);
            assertThat(position(order, "signal 3")).isGreaterThan(second);
            assertThat(position(order, "signal 4")).isGreaterThan(position(order, "signal 3"));
            early |= first < copy;
        }
        assertThat(early).isTrue();
    }

    private static int position(List<String> order, String words) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).contains(words)) {
                return i;
            }
        }
        return -1;
    }

    private List<String> executed(long seed) {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, seed), new DeviceOptions(tasks, "signals", false, null));
                FrameContext frame = device.createFrameContext("frame");
                Buffer written = device.createBuffer("written", BufferDescription.device(64, BufferUsage.STORAGE));
                Buffer copied = device.createBuffer("copied", BufferDescription.device(64, BufferUsage.COPY_DST));
                ComputePipeline write = device.createComputePipeline(new ComputePipelineDescription(
                        "write", new ShaderSource("write.comp", ShaderStage.COMPUTE, """
                                #version 450
                                layout(local_size_x = 1) in;
                                layout(set = 0, binding = 0) buffer Data { int data[]; };
                                void main() { data[0] = 1; }
                                """), null))) {
            device.onExecuted(order::add);
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            list.beginPass(
                    "dispatch", List.of(new ResourceUse.OfBuffer(written, 0, 64, Access.STORAGE_WRITE_COMPUTE, true)));
            list.bindPipeline(write);
            list.bindBuffer("Data", written, 0, 64);
            list.dispatch(1, 1, 1);
            list.endPass();
            list.beginPass("copy", List.of(new ResourceUse.OfBuffer(copied, 0, 64, Access.COPY_DST, true)));
            list.fillBuffer(copied, 0, 64, 1);
            list.endPass();
            list.end();
            queue.submit(
                    new Submission("both", List.of(list), List.of()).signalling(PipelineStage.COMPUTE_SHADER.bit()));
            queue.submit(
                    new Submission("nothing", List.of(), List.of()).signalling(PipelineStage.COMPUTE_SHADER.bit()));
            device.waitIdle();
        }
        return order;
    }

    @ParameterizedTest
    @EnumSource
    void aPointOfATimelineIsNotNegative(Backend backend) {
        try (GpuDevice device = backend.open(new DeviceOptions(tasks, "signals", false, null))) {
            GpuQueue queue = device.queues().get(0);
            assertThatThrownBy(() -> new TimelinePoint(queue, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + queue.name() + "'")
                    .hasMessageContaining("-1");
        }
    }
}
