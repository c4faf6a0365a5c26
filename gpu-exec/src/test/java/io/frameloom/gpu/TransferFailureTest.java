package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.LONG;
import static io.frameloom.gpu.TransferRig.RING;
import static io.frameloom.gpu.TransferRig.buffer;
import static io.frameloom.gpu.TransferRig.bytes;
import static io.frameloom.gpu.TransferRig.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong with a transfer is told to whom it concerns, harms nobody else, and leaks nothing. */
@Timeout(60)
class TransferFailureTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("transfer").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    @FunctionalInterface
    private interface Faulty {
        void run(FaultyDevice faulty, GpuDevice device, Buffer target) throws Exception;
    }

    /** A device that calls can be made to fail on; what leaks fails its closing. */
    private void faulty(Backend backend, Faulty body) throws Exception {
        try (GpuDevice real = backend.open(new DeviceOptions(tasks, "faulty", false, null))) {
            FaultyDevice faulty = new FaultyDevice(real);
            try (Buffer target = buffer(real, "target", 4 * RING)) {
                body.run(faulty, faulty.device(), target);
                faulty.heal();
                real.waitIdle();
            }
            assertThat(real.validationMessages()).isEmpty();
        }
    }

    private static void assertFailed(UploadBatch batch, Throwable cause) {
        assertThatThrownBy(batch::point).isInstanceOf(GpuException.class).hasRootCause(cause);
        GraphEvent arrived = batch.arrived();
        assertThatThrownBy(() -> arrived.await(LONG)).hasRootCause(cause);
    }

    @ParameterizedTest
    @EnumSource
    void everyUploadOfABatchThatCannotBeSubmittedFails(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            for (Throwable failure : new Throwable[] {new GpuOutOfMemoryException("no room"), new OutOfMemoryError()}) {
                try (Uploader uploader = new Uploader(device, "uploads", RING)) {
                    UploadBatch first = uploader.upload(target, 0, ByteBuffer.wrap(random(1, 64)));
                    UploadBatch second = uploader.upload(target, 64, ByteBuffer.wrap(random(1, 64)));
                    faulty.fail("submit", failure);
                    assertThatThrownBy(uploader::flush)
                            .isInstanceOf(GpuException.class)
                            .hasMessageContaining("uploads were not submitted")
                            .hasRootCause(failure);
                    assertFailed(first, failure);
                    assertFailed(second, failure);
                    faulty.heal();
                    // The uploader goes on.
                    UploadBatch third = uploader.upload(target, 0, ByteBuffer.wrap(random(3, 64)));
                    assertThat(third.arrived().await(LONG)).isTrue();
                    uploader.flush();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anUploadIsNotHarmedByTheBatchThatMadeRoomForIt(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            GpuOutOfMemoryException failure = new GpuOutOfMemoryException("no room");
            try (Uploader uploader = new Uploader(device, "uploads", RING);
                    Readbacks readbacks = new Readbacks(device, uploader.queue(), "readbacks", 1 << 20)) {
                UploadBatch lost = uploader.upload(target, 0, ByteBuffer.wrap(random(1, RING / 2)));
                uploader.upload(target, RING / 2, ByteBuffer.wrap(random(2, RING / 2)));
                AtomicInteger submissions = new AtomicInteger();
                faulty.fail("submit", failure, () -> submissions.getAndIncrement() == 0);
                UploadBatch good = uploader.upload(target, 2 * RING, ByteBuffer.wrap(random(3, RING / 2)));
                assertThat(good).isNotSameAs(lost);
                assertThatThrownBy(uploader::flush).hasRootCause(failure);
                assertThat(bytes(readbacks.read(target, 2 * RING, RING / 2, good.point())))
                        .isEqualTo(random(3, RING / 2));
                assertFailed(lost, failure);
                assertThatCode(uploader::flush).doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void dataOfSeveralBatchesFailsWithAnyOfThem(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            GpuOutOfMemoryException failure = new GpuOutOfMemoryException("no room");
            try (Uploader uploader = new Uploader(device, "uploads", RING)) {
                AtomicInteger submissions = new AtomicInteger();
                faulty.fail("submit", failure, () -> submissions.getAndIncrement() == 0);
                assertThatThrownBy(() -> uploader.upload(target, 0, ByteBuffer.allocate(4 * RING)))
                        .isInstanceOf(GpuException.class)
                        .hasRootCause(failure);
                assertThatCode(uploader::flush).doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyFailureThatNobodyAskedForIsTold(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            GpuOutOfMemoryException one = new GpuOutOfMemoryException("no room");
            GpuOutOfMemoryException two = new GpuOutOfMemoryException("still no room");
            try (Uploader uploader = new Uploader(device, "uploads", RING)) {
                faulty.fail("submit", one);
                uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
                uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
                uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
                faulty.fail("submit", two);
                assertThatThrownBy(uploader::flush)
                        .hasRootCause(one)
                        .satisfies(thrown -> assertThat(thrown.getSuppressed())
                                .singleElement()
                                .satisfies(other -> assertThat(other).hasRootCause(two)));
                assertThatCode(uploader::flush).doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPointIsWaitedForByOneBatchAlone(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            try (Uploader uploader = new Uploader(device, "uploads", RING)) {
                uploader.upload(target, 0, ByteBuffer.allocate(4));
                TimelinePoint point = uploader.flush();
                // More batches than are under way at a time, so that each is begun where another one was.
                for (int i = 0; i < 12; i++) {
                    uploader.upload(target, 0, ByteBuffer.allocate(4));
                    if (i % 2 == 0) {
                        uploader.after(point);
                    }
                    TimelinePoint arrived = uploader.flush();
                    assertThat(arrived.queue().timeline().await(arrived.value(), LONG))
                            .isTrue();
                    uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
                    uploader.flush();
                }
                List<Integer> waits = faulty.submitted().stream()
                        .map(submission -> submission.waits().size())
                        .toList();
                assertThat(waits).hasSize(25);
                for (int i = 1; i < waits.size(); i++) {
                    assertThat(waits.get(i)).as("batch %d", i).isEqualTo(i % 4 == 1 ? 1 : 0);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aFailureThatNobodyAskedForIsToldByClose(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            GpuOutOfMemoryException failure = new GpuOutOfMemoryException("no room");
            Uploader uploader = new Uploader(device, "uploads", RING);
            uploader.upload(target, 0, ByteBuffer.allocate(4));
            faulty.fail("submit", failure);
            assertThatThrownBy(uploader::close).isInstanceOf(GpuException.class).hasRootCause(failure);
            assertThatCode(uploader::close).doesNotThrowAnyException();
            faulty.heal();
            // One that was told is not told again.
            Uploader other = new Uploader(device, "uploads", RING);
            UploadBatch batch = other.upload(target, 0, ByteBuffer.allocate(4));
            faulty.fail("submit", failure);
            assertThatThrownBy(batch::point).hasRootCause(failure);
            assertThatCode(other::close).doesNotThrowAnyException();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"createBuffer", "createFrameContext", "beginCommands", "reset"})
    void whatCannotBeOpenedLeavesNothingBehind(String call) throws Exception {
        for (Backend backend : Backend.values()) {
            faulty(backend, (faulty, device, target) -> {
                GpuOutOfMemoryException failure = new GpuOutOfMemoryException("no room");
                try (Uploader uploader = new Uploader(device, "uploads", RING);
                        Readbacks readbacks = new Readbacks(device, uploader.queue(), "readbacks", 1 << 20)) {
                    if (call.equals("reset")) {
                        uploader.upload(target, 0, ByteBuffer.allocate(RING / 2))
                                .point();
                        uploader.upload(target, 0, ByteBuffer.allocate(RING / 2))
                                .point();
                        device.waitIdle();
                    }
                    faulty.fail(call, failure);
                    if (call.equals("createBuffer")) {
                        assertThatThrownBy(() -> new Uploader(device, "more", RING))
                                .isSameAs(failure);
                    } else {
                        assertThatThrownBy(() -> uploader.upload(target, 0, ByteBuffer.allocate(RING / 2)))
                                .isSameAs(failure);
                        assertThatThrownBy(() -> uploader.upload(target, 0, ByteBuffer.allocate(RING / 2)))
                                .isSameAs(failure);
                    }
                    assertThatThrownBy(() -> readbacks.read(target, 0, 4)).isSameAs(failure);
                    faulty.heal();
                    assertThat(uploader.upload(target, 0, ByteBuffer.wrap(random(7, 64)))
                                    .arrived()
                                    .await(LONG))
                            .isTrue();
                    assertThat(bytes(readbacks.read(target, 0, 64))).isEqualTo(random(7, 64));
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReadbackThatCannotBeSubmittedGivesItsMemoryBack(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            try (Readbacks readbacks = new Readbacks(device, device.queues().get(0), "readbacks", 4096)) {
                for (String call : new String[] {"submit", "reached"}) {
                    faulty.fail(call, new GpuOutOfMemoryException(call));
                    assertThatThrownBy(() -> readbacks.read(target, 0, 4)).hasMessage(call);
                    faulty.heal();
                    assertThat(bytes(readbacks.read(target, 0, 4))).hasSize(4);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLostDeviceLeavesNoReadbackBehind(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            Readbacks readbacks = new Readbacks(device, device.queues().get(0), "readbacks", 1 << 20);
            Readback open = readbacks.read(target, 0, 4);
            for (int i = 1; i < 4; i++) {
                readbacks.read(target, 0, 5000 * i).close();
            }
            device.waitIdle();
            faulty.fail("await", new DeviceLostException("lost"));
            faulty.fail("submit", new DeviceLostException("lost"));
            // Makes room by freeing what was never seen to arrive.
            assertThatThrownBy(() -> readbacks.read(target, 0, 4 * RING)).isInstanceOf(DeviceLostException.class);
            readbacks.close();
            open.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLostDeviceLeavesNoUploaderBehind(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            Uploader uploader = new Uploader(device, "uploads", RING);
            UploadBatch submitted = uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
            submitted.point();
            device.waitIdle();
            UploadBatch open = uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
            uploader.upload(target, 0, ByteBuffer.allocate(RING / 2));
            DeviceLostException lost = new DeviceLostException("lost");
            faulty.fail("submit", lost);
            faulty.fail("await", lost);
            assertThatThrownBy(() -> uploader.upload(target, 0, ByteBuffer.allocate(RING / 2)))
                    .isSameAs(lost);
            assertFailed(open, lost);
            uploader.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatABatchShouldHaveWaitedForIsWaitedForByTheNext(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            try (Uploader uploader = new Uploader(device, "uploads", RING)) {
                TimelinePoint reader =
                        device.queues().get(0).submit(new Submission("reader of target", List.of(), List.of()));
                uploader.after(reader);
                GpuOutOfMemoryException failure = new GpuOutOfMemoryException("no room");
                faulty.fail("submit", failure);
                for (int i = 0; i < 2; i++) {
                    uploader.upload(target, 0, ByteBuffer.allocate(64));
                    assertThatThrownBy(uploader::flush).hasRootCause(failure);
                }
                faulty.heal();
                uploader.upload(target, 0, ByteBuffer.allocate(64));
                uploader.flush();
                uploader.upload(target, 0, ByteBuffer.allocate(64));
                uploader.flush();
                assertThat(faulty.submitted())
                        .extracting(Submission::waits)
                        .containsExactly(
                                List.of(),
                                List.of(new Submission.Wait(reader, PipelineStage.ALL_COMMANDS.bit())),
                                List.of());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBatchGoesOnWithoutWhatIsClosedBeforeItIsSubmitted(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            TextureDescription shape =
                    TextureDescription.of(2, 2, Format.R32_UINT, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
            try (Buffer target = buffer(device, "target", 128);
                    Texture texture = device.createTexture("texture", shape)) {
                for (int round = 0; round < 8; round++) {
                    byte[] data = random(round, 32);
                    UploadBatch batch = uploader.upload(target, 0, ByteBuffer.wrap(data));
                    Buffer gone = buffer(device, "gone", 64);
                    Texture lost = device.createTexture("lost", shape);
                    uploader.upload(gone, 0, ByteBuffer.wrap(random(2, 32)));
                    uploader.upload(gone, 16, ByteBuffer.wrap(random(3, 32)));
                    uploader.upload(texture, 0, 0, ByteBuffer.wrap(random(round, 16)), TextureLayout.TRANSFER_SRC);
                    uploader.upload(lost, 0, 0, ByteBuffer.wrap(random(4, 16)), TextureLayout.TRANSFER_SRC);
                    gone.close();
                    lost.close();
                    // The same bytes as before, so that the order of copies is kept as well.
                    uploader.upload(target, 16, ByteBuffer.wrap(random(100 + round, 32)));
                    TimelinePoint uploaded = batch.point();
                    System.arraycopy(random(100 + round, 32), 0, data, 16, 16);
                    assertThat(bytes(readbacks.read(target, 0, 32, uploaded))).isEqualTo(data);
                    assertThat(bytes(readbacks.read(texture, 0, 0, TextureLayout.TRANSFER_SRC, uploaded)))
                            .isEqualTo(random(round, 16));
                    assertThatThrownBy(uploader::flush)
                            .isInstanceOf(GpuException.class)
                            .hasMessageContaining("uploader 'uploads'")
                            .hasMessageContaining("buffer 'gone', texture 'lost'");
                    assertThatCode(uploader::flush).doesNotThrowAnyException();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBatchOfWhichEverythingIsClosedIsReachedAllTheSame(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            Buffer gone = buffer(device, "gone", 64);
            UploadBatch batch = uploader.upload(gone, 0, ByteBuffer.wrap(random(2, 32)));
            gone.close();
            assertThat(batch.arrived().await(LONG)).isTrue();
            assertThatThrownBy(uploader::flush).hasMessageContaining("buffer 'gone'");
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsClosedWhileABatchIsSubmittedCostsItselfAlone(Backend backend) throws Exception {
        faulty(backend, (faulty, device, target) -> {
            try (Uploader uploader = new Uploader(device, "uploads", RING);
                    Readbacks readbacks = new Readbacks(device, uploader.queue(), "readbacks", 1 << 20)) {
                Buffer[] gone = {buffer(device, "first", 64), buffer(device, "second", 64)};
                for (Buffer buffer : gone) {
                    uploader.upload(buffer, 0, ByteBuffer.wrap(random(2, 32)));
                }
                UploadBatch batch = uploader.upload(target, 0, ByteBuffer.wrap(random(1, 32)));
                AtomicInteger submissions = new AtomicInteger();
                faulty.fail("submit", new AssertionError("never"), () -> {
                    int submission = submissions.getAndIncrement();
                    if (submission < gone.length) {
                        gone[submission].close();
                    }
                    return false;
                });
                TimelinePoint uploaded = batch.point();
                assertThat(submissions).hasValue(3);
                assertThat(bytes(readbacks.read(target, 0, 32, uploaded))).isEqualTo(random(1, 32));
                assertThatThrownBy(uploader::flush).hasMessageContaining("buffer 'first', buffer 'second'");
            }
        });
    }
}
