package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An observer that fails is reported, and changes nothing for the work that it is told of. */
@Timeout(60)
class ObserverContractTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int WORDS = 16;

    /** Notes what it is told, and then throws. */
    private static final class FailingObserver implements SubmissionObserver {
        private final Throwable failure;
        private final List<String> told = new ArrayList<>();

        FailingObserver(Throwable failure) {
            this.failure = failure;
        }

        private void fail(String what) {
            told.add(what);
            throwAny(failure);
        }

        /** Throws a checked exception as well, as generated code and code of other languages does. */
        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void throwAny(Throwable failure) throws T {
            throw (T) failure;
        }

        @Override
        public void submitted(SubmissionRecord record) {
            fail(record.label() + " " + record.value());
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            fail("waited " + point.value());
        }

        @Override
        public void closed(Resource resource) {
            fail("closed " + resource.name() + " " + resource.isClosed());
        }

        @Override
        public void takenBack(DeviceEventSet events) {
            fail("taken back " + events.name());
        }

        @Override
        public void hostBegan(HostAccess access) {
            fail("began " + access.name());
        }

        @Override
        public void hostEnded(HostAccess access) {
            fail("ended " + access.name());
        }
    }

    private static void assertWorks(Backend backend, FailingObserver observer) {
        try (TaskGraph tasks = TaskGraph.builder().name("observed").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "observed", false, observer));
                FrameContext frame = device.createFrameContext("frame")) {
            fill(device, frame, observer);
            assertThat(observer.told)
                    .containsExactly(
                            "fill 1",
                            "waited 1",
                            "next 2",
                            "taken back events",
                            "taken back events",
                            "waited 2",
                            "began host",
                            "ended host",
                            "closed words true");
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private static void fill(GpuDevice device, FrameContext frame, FailingObserver observer) {
        try (Buffer words = device.createBuffer("words", BufferDescription.readback(WORDS * 4L))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "fill");
            list.fillBuffer(words, 0, WORDS * 4L, 7);
            list.barrier(new BarrierBatch(
                    List.of(),
                    List.of(),
                    List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                            PipelineStage.COPY.bit(),
                            MemoryAccess.COPY_WRITE.bit(),
                            PipelineStage.HOST.bit(),
                            MemoryAccess.HOST_READ.bit())))));
            list.end();
            TimelinePoint filled = queue.submit(new Submission("fill", List.of(list), List.of()));
            assertThat(filled.value()).isEqualTo(1);
            assertThat(queue.timeline().submitted()).isEqualTo(1);
            assertThat(queue.timeline().await(1, LONG)).isTrue();
            for (int i = 0; i < WORDS; i++) {
                assertThat(words.mapped().getInt(4 * i)).isEqualTo(7);
            }
            TimelinePoint next = queue.submit(new Submission("next", List.of(), List.of()));
            assertThat(queue.timeline().reached(next.value()).await(LONG)).isTrue();
            assertThat(observer.told).containsExactly("fill 1", "waited 1", "next 2");
            frame.reset();
            // Told at the reset and at the close.
            try (DeviceEventSet events = device.createDeviceEventSet("events", 1)) {
                events.reset();
            }
            assertThat(queue.timeline().await(next.value(), LONG)).isTrue();
            device.endHostAccess(device.beginHostAccess("host", List.of()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionIsReportedAndTheWorkIsSubmitted(Backend backend) {
        assertReported(backend, new IllegalStateException("observer"));
    }

    @ParameterizedTest
    @EnumSource
    void anErrorIsReportedAndTheWorkIsSubmitted(Backend backend) {
        assertReported(backend, new AssertionError("observer"));
    }

    @ParameterizedTest
    @EnumSource
    void aCheckedExceptionIsReportedAndTheWorkIsSubmitted(Backend backend) {
        assertReported(backend, new IOException("observer"));
    }

    private static void assertReported(Backend backend, Throwable failure) {
        List<Throwable> reported = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        assertWorks(backend, new FailingObserver(failure));
        assertThat(reported).hasSize(9).containsOnly(failure);
    }

    /** A virtual machine ignores what the handler of a thread throws; it must not reach who submits either. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatFailsToReportIsIgnored(Backend backend) {
        List<Throwable> reported = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            reported.add(thrown);
            throw new AssertionError("handler", thrown);
        });
        IllegalStateException failure = new IllegalStateException("observer");
        assertWorks(backend, new FailingObserver(failure));
        assertThat(reported).hasSize(9).containsOnly(failure);
    }
}
