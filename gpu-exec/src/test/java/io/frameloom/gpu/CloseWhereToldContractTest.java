package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device is closed by what an application does where it is told of completion. */
@Timeout(60)
class CloseWhereToldContractTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("close where told").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private static long submitNothing(GpuDevice device) {
        return device.queues()
                .get(0)
                .submit(new Submission("nothing", List.of(), List.of()))
                .value();
    }

    /** Closes the device at the end of an event, if that is told by another thread, which is returned. */
    private static CompletableFuture<Thread> closing(GpuDevice device, GraphEvent event) {
        Thread test = Thread.currentThread();
        return event.toCompletableFuture().handle((result, failure) -> {
            if (Thread.currentThread() != test) {
                device.close();
            }
            return Thread.currentThread();
        });
    }

    private static Thread get(CompletableFuture<Thread> closed) throws Exception {
        return closed.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceIsClosedWhereItsCompletionIsTold(Backend backend) throws Exception {
        GpuDevice device = backend.open(new DeviceOptions(tasks, "close where told", false, null));
        GpuTimeline timeline = device.queues().get(0).timeline();
        Thread test = Thread.currentThread();
        Thread completer = test;
        long value = 0;
        GraphEvent other = timeline.reached(value);
        // What is complete before anybody asks is told on this thread.
        while (completer == test) {
            value = submitNothing(device);
            other = timeline.reached(value);
            completer = get(closing(device, timeline.reached(value)));
        }
        assertThat(other.await(LONG)).isTrue();
        assertThat(other.isFailed()).isFalse();
        completer.join(LONG.toMillis());
        assertThat(completer.isAlive())
                .as("%s ends, which is at %s", completer, List.of(completer.getStackTrace()))
                .isFalse();
        assertThatThrownBy(() -> submitNothing(device)).hasMessageContaining("is closed");
        assertThat(timeline.completed()).isEqualTo(value);
        assertThat(device.validationMessages()).isEmpty();
        device.close();
    }

    @Test
    void aVirtualDeviceIsClosedWhereItsLossIsTold() throws Exception {
        GpuDevice device = VirtualDevice.open(
                new VirtualGpuOptions(3, 1).withLossAt(1), new DeviceOptions(tasks, "lost", false, null));
        GpuTimeline timeline = device.queues().get(0).timeline();
        long value = submitNothing(device);
        Thread completer = get(closing(device, timeline.reached(value)));
        if (completer == Thread.currentThread()) {
            device.close();
        } else {
            completer.join(LONG.toMillis());
            assertThat(completer.isAlive()).isFalse();
        }
        assertThatThrownBy(() -> submitNothing(device)).hasMessageContaining("is closed");
    }
}
