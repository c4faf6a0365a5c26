package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.Records;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.record.ObserverFeed;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.queue.VulkanQueue;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class VulkanObserverTest {
    private final List<Object> seen = new ArrayList<>();
    private final List<Long> submittedWhenTold = new ArrayList<>();

    private final SubmissionObserver observer = new SubmissionObserver() {
        @Override
        public void submitted(SubmissionRecord record) {
            seen.add(record);
            submittedWhenTold.add(record.queue().timeline().submitted());
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            seen.add(point);
        }
    };

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(observer, DeviceSeams.none());

    private final StagedDriver driver = new StagedDriver();

    @RegisterExtension
    final ValidatedDevice staged = new ValidatedDevice(observer, new DeviceSeams(driver, Set.of()));

    @Test
    void passesBarriersAndHostWaitsAreToldInOrder() {
        Buffer buffer =
                gpu.own(gpu.device().createBuffer("filled", BufferDescription.device(16, BufferUsage.COPY_DST)));
        List<ResourceUse> uses = List.of(new ResourceUse.OfBuffer(buffer, 0, 16, Access.COPY_DST, true));
        BarrierBatch full = new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));
        for (int i = 0; i < 2; i++) {
            gpu.execute("frame " + i, list -> {
                list.beginPass("fill", uses);
                list.fillBuffer(buffer, 0, 16, 1);
                list.endPass();
                list.barrier(full);
            });
        }
        List<SubmissionRecord.Command> commands =
                List.of(new SubmissionRecord.Pass("fill", uses), new SubmissionRecord.Barrier(full));
        assertThat(seen)
                .containsExactly(
                        Records.submission(gpu.graphics(), "frame 0", List.of(), 1, commands),
                        new TimelinePoint(gpu.graphics(), 1),
                        Records.submission(gpu.graphics(), "frame 1", List.of(), 2, commands));
    }

    @Test
    void aSubmissionIsToldBeforeAnotherThreadCanWaitForIt() {
        for (int i = 0; i < 3; i++) {
            gpu.graphics().submit(new Submission("nothing", List.of(), List.of()));
        }
        assertThat(submittedWhenTold).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aPointOfASubmissionThatWasNotToldIsNotToldEither() {
        ObserverFeed feed = new ObserverFeed(observer);
        VulkanQueue queue = (VulkanQueue) gpu.graphics();
        feed.connect(List.of(queue), index -> queue.vulkanTimeline().reported());
        // The device's own feed knows of this one, the feed here does not.
        TimelinePoint point = gpu.graphics().submit(new Submission("known to another", List.of(), List.of()));
        gpu.graphics().timeline().await(point.value(), Duration.ofSeconds(30));
        seen.clear();
        SubmissionRecord record = feed.submitting(queue, new Submission("next", List.of(), List.of()), 2, List.of());
        assertThat(seen).isEmpty();
        feed.submitted(record, 2);
        feed.submitting(queue, new Submission("last", List.of(), List.of()), 3, List.of());
        assertThat(seen).containsExactly(record, new TimelinePoint(gpu.graphics(), 1));
    }

    @Test
    void aSubmissionThatFailedIsNotToldAndCanBeRepeated() {
        Buffer buffer =
                staged.own(staged.device().createBuffer("filled", BufferDescription.device(16, BufferUsage.COPY_DST)));
        try (var context = staged.device().createFrameContext("repeated")) {
            CommandList list = context.beginCommands(staged.graphics(), "list");
            list.fillBuffer(buffer, 0, 16, 1);
            list.end();
            Submission submission = new Submission("repeated", List.of(list), List.of());
            driver.refuseSubmission();
            assertThatThrownBy(() -> staged.graphics().submit(submission))
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .hasMessageContaining("'repeated'");
            assertThat(seen).isEmpty();
            assertThat(staged.graphics().submit(submission).value()).isEqualTo(1);
            staged.device().waitIdle();
        }
        assertThat(seen)
                .containsExactly(Records.submission(
                        staged.graphics(),
                        "repeated",
                        List.of(),
                        1,
                        List.of(new SubmissionRecord.Undeclared(null, buffer))));
    }

    /** Fails whenever it is told of something. */
    private static final class FailingObserver implements SubmissionObserver {
        private final Throwable failure;

        FailingObserver(Throwable failure) {
            this.failure = failure;
        }

        private void fail() {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }

        @Override
        public void submitted(SubmissionRecord record) {
            fail();
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            fail();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheObserverThrowsIsReportedAndTheWorkIsSubmitted(boolean error) {
        Throwable failure = error ? new AssertionError("observer") : new IllegalStateException("observer");
        List<Throwable> reported = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        try (TaskGraph tasks = TaskGraph.builder().name("observed").workers(1).build();
                VulkanDevice device = SeamedDevices.open(
                        "",
                        new DeviceOptions(tasks, "observed", true, new FailingObserver(failure)),
                        DeviceSeams.none())) {
            GpuQueue queue = device.queues().get(0);
            try (Buffer filled = device.createBuffer(
                            "filled", BufferDescription.device(16, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
                    Uploader uploader = new Uploader(device, queue, "uploads", 1024);
                    Readbacks readbacks = new Readbacks(device, queue, "readbacks", 1 << 20)) {
                UploadBatch batch = uploader.upload(
                        filled, 0, ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
                assertThat(uploader.flush()).isNotNull();
                assertThat(reported).as("told of the upload").containsExactly(failure);
                TimelinePoint uploaded = Objects.requireNonNull(batch.point());
                assertThat(queue.timeline().submitted()).isEqualTo(uploaded.value());
                assertThat(queue.timeline().await(uploaded.value(), ValidatedDevice.LONG))
                        .isTrue();
                try (Readback readback = readbacks.read(filled, 0, 16)) {
                    assertThat(reported)
                            .as("told of the wait and the readback")
                            .containsExactly(failure, failure, failure);
                    readback.event().await();
                    assertThat(readback.bytes().get(15)).isEqualTo((byte) 16);
                }
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void passesMustNotNestOrStayOpen() {
        try (var context = gpu.device().createFrameContext("nested")) {
            var list = context.beginCommands(gpu.graphics(), "list");
            list.beginPass("outer", List.of());
            assertThatThrownBy(() -> list.beginPass("inner", List.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'inner'")
                    .hasMessageContaining("'outer'");
            assertThatThrownBy(list::end)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'outer'");
            list.endPass();
            list.end();
        }
    }
}
