package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.LONG;
import static io.frameloom.gpu.TransferRig.buffer;
import static io.frameloom.gpu.TransferRig.bytes;
import static io.frameloom.gpu.TransferRig.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Uploads and readbacks on every backend; the hazard checker and the validation layer must have nothing to say. */
@Timeout(60)
class TransferTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("transfer").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private void with(Backend backend, TransferRig.Body body) throws Exception {
        TransferRig.with(backend, tasks, body);
    }

    @ParameterizedTest
    @EnumSource
    void fourThreadsUploadManyTimesTheRing(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            int size = 40_000;
            int rounds = 12;
            List<Buffer> targets = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                targets.add(buffer(device, "target " + i, size * rounds));
            }
            long before = device.memoryStatistics().bytes();
            ExecutorService pool = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> threads = new ArrayList<>();
                for (int thread = 0; thread < 4; thread++) {
                    int number = thread;
                    threads.add(pool.submit(() -> {
                        for (int round = 0; round < rounds; round++) {
                            uploader.upload(
                                    targets.get(number),
                                    (long) round * size,
                                    ByteBuffer.wrap(random(number * 100L + round, size)));
                        }
                    }));
                }
                for (Future<?> thread : threads) {
                    thread.get();
                }
            } finally {
                pool.shutdown();
            }
            assertThat(device.memoryStatistics().bytes()).isEqualTo(before);
            TimelinePoint uploaded = uploader.flush();
            for (int i = 0; i < 4; i++) {
                for (int round = 0; round < rounds; round++) {
                    Readback readback = readbacks.read(targets.get(i), (long) round * size, size, uploaded);
                    assertThat(bytes(readback)).isEqualTo(random(i * 100L + round, size));
                }
                targets.get(i).close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void texturesGoThereAndBackMipByMip(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            TextureDescription shape = TextureDescription.of(
                            32,
                            16,
                            Format.R8G8B8A8_UNORM,
                            TextureUsage.SAMPLED,
                            TextureUsage.COPY_DST,
                            TextureUsage.COPY_SRC)
                    .withMips(3)
                    .withLayers(2);
            try (Texture texture = device.createTexture("albedo", shape)) {
                UploadBatch last = null;
                for (int layer = 0; layer < 2; layer++) {
                    for (int mip = 0; mip < 3; mip++) {
                        int size = shape.width(mip) * shape.height(mip) * 4;
                        last = uploader.upload(
                                texture,
                                mip,
                                layer,
                                ByteBuffer.wrap(random(layer * 10 + mip, size)),
                                TextureLayout.SHADER_RO);
                    }
                }
                UploadBatch all = Objects.requireNonNull(last);
                TimelinePoint uploaded = all.point();
                assertThat(all.arrived().await(LONG)).isTrue();
                for (int layer = 0; layer < 2; layer++) {
                    for (int mip = 0; mip < 3; mip++) {
                        int size = shape.width(mip) * shape.height(mip) * 4;
                        assertThat(bytes(readbacks.read(texture, mip, layer, TextureLayout.SHADER_RO, uploaded)))
                                .isEqualTo(random(layer * 10 + mip, size));
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theLastUploadToTheSameBytesWins(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            try (Buffer target = buffer(device, "target", 1024)) {
                for (int i = 0; i < 40; i++) {
                    uploader.upload(target, i % 3 * 4L, ByteBuffer.wrap(random(i, 1000)));
                    if (i % 7 == 6) {
                        uploader.flush();
                    }
                }
                assertThat(bytes(readbacks.read(target, 0, 1000, uploader.flush())))
                        .isEqualTo(random(39, 1000));
                // What is read on the other queue is overwritten only after it was read.
                Readback reading = readbacks.read(target, 0, 1000);
                uploader.after(reading.point());
                uploader.upload(target, 0, ByteBuffer.wrap(random(77, 1000)));
                TimelinePoint overwritten = uploader.flush();
                assertThat(bytes(reading)).isEqualTo(random(39, 1000));
                assertThat(bytes(readbacks.read(target, 0, 1000, overwritten))).isEqualTo(random(77, 1000));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aReadbackIsAPrerequisiteOfATask(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            try (Buffer target = buffer(device, "target", 64)) {
                uploader.upload(target, 0, ByteBuffer.wrap(random(5, 64)));
                AtomicInteger first = new AtomicInteger();
                try (Readback readback = readbacks.read(target, 0, 64, uploader.flush())) {
                    GraphEvent task = tasks.task(
                                    "look", () -> first.set(readback.bytes().get(0)))
                            .after(readback.event())
                            .dispatch();
                    assertThat(task.await(LONG)).isTrue();
                    assertThat(task.isFailed()).isFalse();
                }
                assertThat(first.get()).isEqualTo(random(5, 64)[0]);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aReadbackFollowsWhatItsQueueWasGivenBefore(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            GpuQueue queue = device.queues().get(0);
            try (FrameContext frame = device.createFrameContext("frame");
                    Buffer filled = buffer(device, "filled", 64)) {
                for (int round = 1; round <= 20; round++) {
                    CommandList list = frame.beginCommands(queue, "fill");
                    list.beginPass("fill", List.of(new ResourceUse.OfBuffer(filled, 0, 64, Access.COPY_DST, true)));
                    list.fillBuffer(filled, 0, 64, round);
                    list.endPass();
                    list.end();
                    queue.submit(new Submission("fill", List.of(list), List.of()));
                    assertThat(bytes(readbacks.read(filled, 0, 1))[0]).isEqualTo((byte) round);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void memoryOfReadbacksIsBoundedAndUsedAgain(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            try (Buffer source = buffer(device, "source", 1 << 20)) {
                uploader.upload(source, 0, ByteBuffer.wrap(random(1, 1 << 20)));
                TimelinePoint uploaded = uploader.flush();
                Readback half = readbacks.read(source, 0, 1 << 19, uploaded);
                Readback other = readbacks.read(source, 1 << 19, 1 << 19, uploaded);
                assertThatThrownBy(() -> readbacks.read(source, 0, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("readbacks 'readbacks'")
                        .hasMessageContaining("1048576 of 1048576")
                        .hasMessageContaining("'source'");
                other.close();
                other.close();
                long used = device.memoryStatistics().bytes();
                for (int i = 0; i < 20; i++) {
                    assertThat(bytes(readbacks.read(source, i, 1 << 19, uploaded)))
                            .hasSize(1 << 19);
                }
                assertThat(device.memoryStatistics().bytes()).isEqualTo(used);
                // Another size takes the place of what is free.
                assertThat(bytes(readbacks.read(source, 7, 5000, uploaded))).hasSize(5000);
                assertThat(device.memoryStatistics().bytes()).isLessThan(used);
                assertThat(bytes(half)).hasSize(1 << 19);
                assertThatThrownBy(half::bytes)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeTransferredIsNamed(Backend backend) throws Exception {
        with(backend, (device, uploader, readbacks) -> {
            Buffer vertices = device.createBuffer("vertices", BufferDescription.device(64, BufferUsage.VERTEX));
            Buffer target = buffer(device, "target", 64);
            Texture large = device.createTexture(
                    "large",
                    TextureDescription.of(256, 256, Format.R32_UINT, TextureUsage.COPY_DST, TextureUsage.SAMPLED));
            ByteBuffer four = ByteBuffer.allocate(4);
            assertThatThrownBy(() -> uploader.upload(vertices, 0, four))
                    .hasMessageContaining("'vertices'")
                    .hasMessageContaining("COPY_DST");
            assertThatThrownBy(() -> readbacks.read(vertices, 0, 4)).hasMessageContaining("COPY_SRC");
            assertThatThrownBy(() -> uploader.upload(target, 61, four)).hasMessageContaining("offset 61");
            assertThatThrownBy(() -> uploader.upload(target, -1, four)).hasMessageContaining("offset -1");
            assertThatThrownBy(() -> uploader.upload(target, 0, ByteBuffer.allocate(0)))
                    .hasMessageContaining("are none");
            assertThatThrownBy(() -> uploader.upload(large, 0, 0, four, TextureLayout.SHADER_RO))
                    .hasMessageContaining("mip 0 has 262144 bytes, got 4");
            assertThatThrownBy(() -> uploader.upload(large, 1, 0, four, TextureLayout.SHADER_RO))
                    .hasMessageContaining("no mip 1");
            assertThatThrownBy(() -> readbacks.read(target, 60, 8)).hasMessageContaining("offset 60");
            assertThatThrownBy(() -> readbacks.read(large, 0, 0, TextureLayout.GENERAL))
                    .hasMessageContaining("COPY_SRC");
            assertThat(uploader.flush().value()).isZero();
            target.close();
            assertThatThrownBy(() -> uploader.upload(target, 0, four))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            vertices.close();
            large.close();
            uploader.close();
            uploader.close();
            readbacks.close();
            assertThatThrownBy(uploader::flush).hasMessageContaining("'uploads' is closed");
        });
    }
}
