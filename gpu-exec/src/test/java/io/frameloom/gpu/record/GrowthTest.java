package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.ThreadAllocation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a program may have any number of costs about the same for each of them, however many there are: the bytes that are
 * allocated for one are held against those for one of fewer. The hazard checker watches.
 */
class GrowthTest {
    private static final int FEW = TestEffort.of(400, 1_000);
    private static final int MANY = TestEffort.of(2_000, 16_000);

    private static final BarrierBatch.Scope COPIES = new BarrierBatch.Scope(
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit() | MemoryAccess.COPY_READ.bit());

    private static final BarrierBatch AFTER_COPIES =
            new BarrierBatch(List.of(), List.of(), List.of(new BarrierBatch.GlobalBarrier(COPIES)));

    /** Does something so many times. */
    @FunctionalInterface
    private interface Scene {
        void run(CommandRig rig, int count);
    }

    private static ResourceUse use(Buffer buffer, long offset, long bytes, Access access) {
        return new ResourceUse.OfBuffer(buffer, offset, bytes, access, access.writes());
    }

    private static Buffer buffer(CommandRig rig, long bytes) {
        return rig.buffer("buffer", bytes, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    }

    private static void fill(CommandList list, Buffer buffer, long offset, long bytes) {
        list.fillBuffer(buffer, offset, bytes, 7);
    }

    /** Layers of a texture with eight mips, so that there are {@code count} subresources. */
    private static Texture layers(CommandRig rig, int count) {
        return rig.texture(
                "texture",
                TextureDescription.of(128, 128, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST, TextureUsage.SAMPLED)
                        .withMips(8)
                        .withLayers(count / 8));
    }

    private static SubresourceRange subresource(int index) {
        return SubresourceRange.of(index % 8, index / 8);
    }

    // The scenes capture nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private enum Structure {
        UPLOADS((rig, count) -> {
            Buffer target = buffer(rig, 4L * count);
            try (Uploader uploader = new Uploader(rig.device, "uploader", 1 << 20)) {
                ByteBuffer word = ByteBuffer.allocate(4);
                for (int i = 0; i < count; i++) {
                    uploader.upload(target, 4L * i, word);
                }
                TimelinePoint point = uploader.flush();
                point.queue().timeline().reached(point.value()).await();
            }
        }),
        READBACKS((rig, count) -> {
            Buffer source = buffer(rig, 4L * count);
            rig.execute(list -> {
                list.beginPass("fill", List.of(use(source, 0, 4L * count, Access.COPY_DST)));
                fill(list, source, 0, 4L * count);
                list.endPass();
                CommandRig.full(list);
            });
            try (Readbacks readbacks = new Readbacks(rig.device, rig.queue(), "readbacks", 1 << 30)) {
                List<Readback> all = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    all.add(readbacks.read(source, 0, 4 * (1 + i % (count / 2))));
                }
                all.forEach(readback -> readback.event().await());
                all.forEach(Readback::close);
                for (int i = 0; i < count; i++) {
                    Readback again = readbacks.read(source, 0, 4 * (1 + i % (count / 2)));
                    again.event().await();
                    again.close();
                }
            }
        }),
        PASSES_ON_A_BUFFER((rig, count) -> {
            Buffer target = buffer(rig, 4L * count);
            rig.execute(list -> {
                for (int i = 0; i < count; i++) {
                    int at = (int) ((i * 7_919L) % count);
                    list.beginPass("fill", List.of(use(target, 4L * at, 4, Access.COPY_DST)));
                    fill(list, target, 4L * at, 4);
                    list.endPass();
                }
                list.barrier(AFTER_COPIES);
                list.beginPass("fill", List.of(use(target, 0, 4L * count, Access.COPY_DST)));
                fill(list, target, 0, 4L * count);
                list.endPass();
            });
        }),
        SUBRESOURCES_OF_A_TEXTURE((rig, count) -> {
            Texture target = layers(rig, count);
            rig.execute(list -> {
                for (int i = 0; i < count; i++) {
                    SubresourceRange range = subresource(i);
                    CommandRig.transition(list, target, range, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                    list.beginPass(
                            "clear",
                            List.of(new ResourceUse.OfTexture(
                                    target, range, Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
                    list.endPass();
                }
                CommandRig.transition(list, target, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO);
            });
        }),
        BARRIERS_OF_A_BATCH((rig, count) -> {
            Buffer target = buffer(rig, 4L * count);
            Texture texture = layers(rig, count);
            rig.execute(list -> {
                list.beginPass("fill", List.of(use(target, 0, 4L * count, Access.COPY_DST)));
                list.endPass();
                list.barrier(new BarrierBatch(
                        IntStream.range(0, count)
                                .mapToObj(i -> new BarrierBatch.TextureBarrier(
                                        texture,
                                        subresource(i),
                                        COPIES,
                                        TextureLayout.UNDEFINED,
                                        TextureLayout.TRANSFER_DST,
                                        null))
                                .toList(),
                        IntStream.range(0, count)
                                .mapToObj(i -> new BarrierBatch.BufferBarrier(target, 4L * i, 4, COPIES, null))
                                .toList(),
                        List.of()));
            });
        }),
        RESOURCES((rig, count) -> {
            List<Buffer> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(rig.device.createBuffer(
                        "buffer " + i, BufferDescription.device(4, BufferUsage.COPY_DST, BufferUsage.COPY_SRC)));
            }
            rig.execute(list -> all.forEach(each -> {
                list.beginPass("fill", List.of(use(each, 0, 4, Access.COPY_DST)));
                fill(list, each, 0, 4);
                list.endPass();
            }));
            assertThat(rig.device.memoryStatistics().allocations()).hasSizeGreaterThanOrEqualTo(count);
            all.forEach(Buffer::close);
        }),
        RESOURCES_OF_A_HEAP((rig, count) -> {
            BufferDescription shape = BufferDescription.device(4, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            long bytes = rig.device.requirements(shape).bytes();
            long step = Math.max(bytes, rig.device.requirements(shape).alignment());
            MemoryHeap heap = rig.device.createHeap(
                    "heap", step * count, rig.device.requirements(shape).memoryTypes());
            List<Buffer> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(heap.placeBuffer("buffer " + i, shape, step * i));
            }
            rig.execute(list -> all.forEach(each -> {
                list.beginPass("fill", List.of(use(each, 0, 4, Access.COPY_DST)));
                fill(list, each, 0, 4);
                list.endPass();
            }));
            all.forEach(Buffer::close);
            heap.close();
        }),
        SUBMISSIONS((rig, count) -> {
            Buffer target = buffer(rig, 4L * count);
            TimelinePoint last = null;
            for (int i = 0; i < count; i++) {
                CommandList list = rig.frame.beginCommands(rig.queue(), "list");
                list.beginPass("fill", List.of(use(target, 4L * i, 4, Access.COPY_DST)));
                fill(list, target, 4L * i, 4);
                list.endPass();
                list.end();
                last = rig.queue().submit(new Submission("submission", List.of(list), List.of()));
                last.queue().timeline().reached(last.value());
            }
            rig.queue().timeline().reached(Objects.requireNonNull(last).value()).await();
            rig.frame.reset();
        }),
        LISTS_OF_A_SUBMISSION((rig, count) -> {
            Buffer target = buffer(rig, 4L * count);
            List<CommandList> lists = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                CommandList list = rig.frame.beginCommands(rig.queue(), "list");
                list.beginPass("fill", List.of(use(target, 4L * i, 4, Access.COPY_DST)));
                fill(list, target, 4L * i, 4);
                list.endPass();
                list.end();
                lists.add(list);
            }
            TimelinePoint last = rig.queue().submit(new Submission("submission", lists, List.of()));
            rig.queue().timeline().reached(last.value()).await();
            rig.frame.reset();
        }),
        LABELS((rig, count) -> rig.execute(list -> {
            for (int i = 0; i < count; i++) {
                list.beginLabel("label");
                list.insertLabel("point");
            }
            for (int i = 0; i < count; i++) {
                list.endLabel();
            }
        })),
        VIEWS_OF_A_TEXTURE((rig, count) -> {
            Texture texture = layers(rig, count);
            for (int i = 0; i < count; i++) {
                texture.view(subresource(i));
            }
        }),
        BINDING_SETS((rig, count) -> {
            Buffer data = rig.buffer("data", 256L * count, BufferUsage.STORAGE, BufferUsage.COPY_DST);
            ComputePipeline pipeline = rig.compute(
                    "sum",
                    "#version 460\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer Data { int d[]; };\n"
                            + "void main() { d[0]++; }",
                    invocation -> {});
            List<BindingSet> sets = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sets.add(rig.device.createBindingSet(
                        "set " + i, pipeline, 0, Map.of("Data", new BoundResource.BufferRange(data, 256L * i, 4))));
            }
            rig.execute(list -> {
                list.bindPipeline(pipeline);
                list.beginPass("sum", List.of(use(data, 0, 256L * count, Access.STORAGE_READ_WRITE_COMPUTE)));
                for (int i = 0; i < count; i++) {
                    list.bindSet(sets.get(i));
                    list.dispatch(1, 1, 1);
                }
                list.endPass();
            });
            sets.forEach(BindingSet::close);
        });

        private final Scene scene;

        Structure(Scene scene) {
            this.scene = scene;
        }

        /** Returns the bytes that all threads allocate for each. */
        private long bytesEach(int count) {
            HazardChecker checker = new HazardChecker();
            long bytes;
            try (CommandRig rig = new CommandRig(Backend.VIRTUAL, true, checker)) {
                ThreadAllocation.OfAll before = ThreadAllocation.ofAll();
                scene.run(rig, count);
                bytes = before.since();
            }
            assertThat(checker.hazards()).isEmpty();
            return bytes / count;
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachCostsTheSame(Structure structure) {
        long few = structure.bytesEach(FEW);
        assertThat(structure.bytesEach(MANY)).isLessThan(few + few / 2);
    }
}
