package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.command.LevelBinding.Change;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Levels of sparse textures have memory while it is bound, and lose their contents with it. */
@Timeout(60)
class SparseTextureContractTest {
    private static final int EXTENT = 256;
    private static final TextureDescription SHAPE = TextureDescription.of(
                    EXTENT, EXTENT, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST)
            .withMips(9);

    /** A sparse texture, and what fills and reads its levels. */
    private static final class Scene implements AutoCloseable {
        final HazardChecker checker = new HazardChecker();
        final CommandRig rig;
        final GpuQueue queue;
        final Uploader uploader;
        final Readbacks readbacks;
        final Texture texture;
        final SparseLevels levels;

        Scene(Backend backend) {
            rig = new CommandRig(backend, checker, Set.of(Capability.SPARSE_RESIDENCY));
            queue = rig.device.queues().stream()
                    .filter(GpuQueue::bindsLevels)
                    .findFirst()
                    .orElseThrow();
            uploader = rig.own(new Uploader(rig.device, "uploads"));
            readbacks = rig.own(new Readbacks(rig.device, rig.queue(), "readbacks", 4 << 20));
            texture = rig.own(rig.device.createSparseTexture("sparse", SHAPE));
            levels = Objects.requireNonNull(texture.sparse());
        }

        TimelinePoint bind(Change... changes) {
            return bind(List.of(), changes);
        }

        TimelinePoint bind(List<TimelinePoint> after, Change... changes) {
            List<Submission.Wait> waits = after.stream()
                    .map(point -> new Submission.Wait(point, PipelineStage.COPY.bit()))
                    .toList();
            return queue.bind(new LevelBinding("binding", List.of(changes), waits));
        }

        Change gain(int level) {
            return new Change(texture, level, true);
        }

        Change loss(int level) {
            return new Change(texture, level, false);
        }

        TimelinePoint fill(int level, int value, TimelinePoint after) {
            uploader.after(after);
            return fill(uploader, level, value);
        }

        TimelinePoint fill(Uploader by, int level, int value) {
            return by.upload(texture, level, 0, texels(level, value), TextureLayout.TRANSFER_SRC)
                    .point();
        }

        private static ByteBuffer texels(int level, int value) {
            byte[] texels = new byte[4 * SHAPE.width(level) * SHAPE.height(level)];
            Arrays.fill(texels, (byte) value);
            return ByteBuffer.wrap(texels);
        }

        TimelinePoint assertFilled(int level, int value, TimelinePoint after) {
            try (Readback read = readbacks.read(texture, level, 0, TextureLayout.TRANSFER_SRC, after)) {
                read.event().await();
                assertThat(read.bytes().mismatch(texels(level, value))).isEqualTo(-1);
                return read.point();
            }
        }

        long bytes() {
            return rig.device.memoryStatistics().allocations().stream()
                    .filter(each -> each.name().equals("sparse"))
                    .mapToLong(Allocation::bytes)
                    .sum();
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void levelsHaveMemoryWhileItIsBound(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            int tail = scene.levels.tail();
            assertThat(tail).isBetween(1, SHAPE.mips() - 1);
            List<Long> bytes = scene.levels.bytes();
            assertThat(bytes.get(0)).isGreaterThanOrEqualTo(4L * EXTENT * EXTENT);
            assertThat(scene.bytes()).isZero();
            TimelinePoint bound = scene.bind(scene.gain(tail), scene.gain(0));
            assertThat(scene.bytes()).isEqualTo(bytes.get(tail) + bytes.get(0));
            scene.fill(0, 1, bound);
            // The levels of a tail have memory in common, and each its own part of it.
            for (int level = tail; level < SHAPE.mips(); level++) {
                scene.fill(level, 2 + level, bound);
            }
            TimelinePoint filled = scene.uploader.flush();
            scene.assertFilled(0, 1, filled);
            TimelinePoint read = scene.assertFilled(tail, 2 + tail, filled);
            // The tail stays while a finer level goes, and comes again with other contents.
            TimelinePoint lost = scene.bind(List.of(read), scene.loss(0));
            assertThat(scene.queue.timeline().await(lost.value(), Duration.ofSeconds(30)))
                    .isTrue();
            TimelinePoint again = scene.bind(scene.gain(0), scene.gain(1));
            assertThat(scene.bytes()).isEqualTo(bytes.get(tail) + bytes.get(0) + bytes.get(1));
            scene.fill(1, 5, again);
            TimelinePoint refilled = scene.fill(0, 4, again);
            scene.assertFilled(0, 4, refilled);
            scene.assertFilled(1, 5, refilled);
            for (int level = tail; level < SHAPE.mips(); level++) {
                scene.assertFilled(level, 2 + level, refilled);
            }
            assertThat(scene.checker.hazards()).isEmpty();
        }
    }

    /** Neither waits for the other, since both are of one queue. */
    @ParameterizedTest
    @EnumSource
    void aBindingIsInTheOrderOfItsQueue(Backend backend) {
        try (Scene scene = new Scene(backend);
                Uploader same = new Uploader(scene.rig.device, scene.queue, "same queue", 4 << 20)) {
            for (int i = 0; i < 3; i++) {
                scene.bind(scene.gain(1));
                TimelinePoint filled = scene.fill(same, 1, 7 + i);
                scene.assertFilled(1, 7 + i, filled);
                scene.fill(same, 1, 6);
                scene.bind(scene.loss(1));
            }
            assertThat(scene.checker.hazards()).isEmpty();
        }
    }

    /** A barrier after a stage of the queue is after its binding as well. */
    @ParameterizedTest
    @EnumSource
    void whatFollowsInTheQueueSeesTheBinding(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Buffer source = scene.rig.upload(Scene.texels(1, 9).array());
            SubresourceRange range = scene.levels.range(SHAPE, 1);
            BarrierBatch.Scope scope = new BarrierBatch.Scope(
                    PipelineStage.COPY.bit(), 0, PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit());
            scene.bind(scene.gain(1));
            scene.rig.execute(list -> {
                list.barrier(new BarrierBatch(
                        List.of(new BarrierBatch.TextureBarrier(
                                scene.texture,
                                range,
                                scope,
                                TextureLayout.UNDEFINED,
                                TextureLayout.TRANSFER_DST,
                                null)),
                        List.of(),
                        List.of()));
                list.beginPass(
                        "fill",
                        List.of(
                                new ResourceUse.OfBuffer(
                                        source, 0, source.description().bytes(), Access.COPY_SRC, false),
                                new ResourceUse.OfTexture(
                                        scene.texture, range, Access.COPY_DST, false, TextureLayout.TRANSFER_DST)));
                list.copyBufferToTexture(source, 0, scene.texture, 1, 0);
                list.endPass();
            });
            assertThat(scene.checker.hazards()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatDoesNotFitIsRefusedAndChangesNothing(Backend backend) {
        try (Scene scene = new Scene(backend);
                CommandRig other = new CommandRig(Backend.VIRTUAL, null, Set.of(Capability.SPARSE_RESIDENCY))) {
            int tail = scene.levels.tail();
            scene.bind(scene.gain(tail));
            Texture plain = scene.rig.texture("plain", SHAPE);
            Texture foreign = other.own(other.device.createSparseTexture("foreign", SHAPE));
            Texture gone = scene.rig.device.createSparseTexture("gone", SHAPE);
            gone.close();
            refused(scene, "'sparse', which has memory already", scene.gain(tail));
            refused(scene, "level 0 of texture 'sparse', which has no memory to lose", scene.loss(0));
            refused(scene, "as 0 to " + tail + ", where " + tail + " has all coarser ones", scene.gain(tail + 1));
            refused(scene, "as 0 to", scene.gain(-1));
            refused(scene, "twice; name each level once", scene.gain(0), scene.gain(0));
            refused(scene, "'plain', which is not sparse", scene.gain(0), new Change(plain, 0, true));
            refused(scene, "'foreign', which is of another device", scene.gain(0), new Change(foreign, 0, true));
            for (boolean gains : List.of(true, false)) {
                assertThatThrownBy(() -> scene.bind(scene.gain(0), new Change(gone, 0, gains)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("'gone' is bound by 'binding' after it was closed");
            }
            assertThatThrownBy(() -> scene.bind(
                            List.of(new TimelinePoint(
                                    scene.queue, scene.queue.timeline().submitted() + 1)),
                            scene.gain(0)))
                    .hasMessageContaining("submit in the order of the waits");
            assertThat(scene.bytes()).isEqualTo(scene.levels.bytes().get(tail));
            scene.bind(scene.gain(0));
            assertThatThrownBy(() -> scene.rig.device.createSparseTexture("array", SHAPE.withLayers(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("sparse texture 'array'", "one layer");
        }
    }

    private static void refused(Scene scene, String words, Change... changes) {
        assertThatThrownBy(() -> scene.bind(changes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("binding 'binding' names", words);
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceWithoutTheCapabilitySaysSo(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assertThatThrownBy(() -> rig.device.createSparseTexture("sparse", SHAPE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("'sparse'", "SPARSE_RESIDENCY");
            assertThat(rig.queue().bindsLevels()).isFalse();
            assertThatThrownBy(() -> rig.queue().bind(new LevelBinding("binding", List.of(), List.of())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("binding 'binding'", "binds no levels");
        }
    }

    @Test
    void aLevelWithoutMemoryIsFound() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            TimelinePoint bound = scene.bind(scene.gain(1));
            scene.fill(0, 1, bound);
            found(scene, Hazard.Kind.NOT_RESIDENT, "as COPY_DST, which has no memory there");
        }
    }

    @Test
    void aLevelThatHasLostItsMemoryIsFound() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            TimelinePoint filled = scene.fill(1, 1, scene.bind(scene.gain(1), scene.gain(0)));
            TimelinePoint lost = scene.bind(List.of(filled), scene.loss(1));
            scene.fill(0, 1, lost);
            assertThat(scene.checker.hazards()).isEmpty();
            scene.fill(1, 1, lost);
            found(scene, Hazard.Kind.NOT_RESIDENT, "as COPY_DST, which has no memory there");
        }
    }

    @Test
    void aLevelThatGetsMemoryOnAnotherQueueWithoutAWaitIsFound() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            assertThat(scene.uploader.queue()).isNotEqualTo(scene.queue);
            scene.bind(scene.gain(0));
            scene.fill(scene.uploader, 0, 1);
            found(scene, Hazard.Kind.WRITE_AFTER_WRITE, "binding 'binding'");
        }
    }

    @Test
    void aLevelThatLosesMemoryWhileAnotherQueueWritesItIsFound() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            TimelinePoint bound = scene.bind(scene.gain(0));
            TimelinePoint filled = scene.fill(0, 1, bound);
            scene.bind(scene.loss(0));
            found(scene, Hazard.Kind.WRITE_AFTER_WRITE, "takes the memory of 'sparse'");
            assertThat(filled.queue()).isNotEqualTo(scene.queue);
        }
    }

    private static void found(Scene scene, Hazard.Kind kind, String words) {
        assertThat(scene.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo("sparse");
            assertThat(hazard.explanation()).contains(words);
        });
    }
}
