package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Frames whose passes the host and the device run in turn, held against the same passes one after the other. */
final class HostFrames {
    static final BufferDescription READBACK = new BufferDescription(
            MixKernel.BYTES,
            EnumSet.of(BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC),
            MemoryUsage.READBACK);
    static final BufferDescription UPLOAD =
            BufferDescription.upload(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    static final BufferDescription DEVICE =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    private static final int FRAMES = 8;
    private static final int SALT = 7;

    private HostFrames() {}

    static void fill(RenderGraph graph, RdgBuffer target, int value, boolean async) {
        PassBuilder pass = graph.addPass("fill " + target.name(), PassKind.COPY).overwrites(target, Access.COPY_DST);
        if (async) {
            pass.flag(PassFlag.ASYNC_COPY);
        }
        pass.record(context -> context.commands().fillBuffer(context.buffer(target), 0, MixKernel.BYTES, value));
    }

    static void copy(RenderGraph graph, RdgBuffer from, RdgBuffer to, boolean async) {
        PassBuilder pass = graph.addPass("copy " + from.name() + " to " + to.name(), PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(to, Access.COPY_DST);
        if (async) {
            pass.flag(PassFlag.ASYNC_COPY);
        }
        pass.record(context ->
                context.commands().copyBuffer(context.buffer(from), 0, context.buffer(to), 0, MixKernel.BYTES));
    }

    static void mix(
            RenderGraph graph, ComputePipeline pipeline, RdgBuffer a, RdgBuffer b, RdgBuffer to, boolean async) {
        PassBuilder pass = graph.addPass("mix to " + to.name(), PassKind.COMPUTE)
                .reads(a, Access.STORAGE_READ_COMPUTE)
                .reads(b, Access.STORAGE_READ_COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE);
        if (async) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        pass.record(context -> MixKernel.dispatch(
                context.commands(), pipeline, context.buffer(a), context.buffer(b), context.buffer(to), SALT));
    }

    /** The same mix on the host. */
    static void mixOnHost(RenderGraph graph, RdgBuffer a, RdgBuffer b, RdgBuffer to) {
        graph.hostPass("host mix to " + to.name())
                .reads(a, Access.HOST_READ)
                .reads(b, Access.HOST_READ)
                .overwrites(to, Access.HOST_WRITE)
                .run(context -> mix(context.read(a), context.read(b), context.write(to)));
    }

    private static void mix(ByteBuffer a, ByteBuffer b, ByteBuffer to) {
        assertThat(a.isReadOnly()).isTrue();
        IntBuffer first = a.asIntBuffer();
        IntBuffer second = b.asIntBuffer();
        IntBuffer result = to.asIntBuffer();
        for (int i = 0; i < MixKernel.WORDS; i++) {
            result.put(i, MixKernel.mix(first.get(i), second.get(i), SALT, i));
        }
    }

    static int[] mixed(int[] a, int[] b) {
        return MixKernel.mix(a, b, SALT);
    }

    static int[] filled(int value) {
        int[] words = new int[MixKernel.WORDS];
        Arrays.fill(words, value);
        return words;
    }

    /** Each frame in flight goes to the host and back, through transients of its own. */
    static void everyFrameGoesToTheHostAndBack(DeviceRig rig) {
        List<Buffer> results = new ArrayList<>();
        try (ComputePipeline pipeline = MixKernel.create(rig.device)) {
            List<FrameHandle> frames = new ArrayList<>();
            for (int frame = 0; frame < FRAMES; frame++) {
                Buffer result = rig.device.createBuffer("result " + frame, READBACK);
                results.add(result);
                RenderGraph graph = new RenderGraph("there and back");
                RdgBuffer seed = graph.createBuffer("seed", DEVICE);
                RdgBuffer down = graph.createBuffer("down", READBACK);
                RdgBuffer up = graph.createBuffer("up", UPLOAD);
                RdgBuffer out = graph.registerExternal(result);
                fill(graph, seed, frame, true);
                mix(graph, pipeline, seed, seed, down, true);
                mixOnHost(graph, down, down, up);
                mix(graph, pipeline, up, seed, out, false);
                frames.add(rig.executor.execute(rig.compile(graph)));
            }
            frames.forEach(frame -> frame.completed().await());
            for (int frame = 0; frame < FRAMES; frame++) {
                int[] seed = filled(frame);
                int[] down = mixed(seed, seed);
                assertThat(RandomFrames.words(results.get(frame))).isEqualTo(mixed(mixed(down, down), seed));
            }
            rig.executor.close();
        } finally {
            results.forEach(Buffer::close);
        }
    }

    /** What outlives the frame is touched by the host and the device of frames in flight in turn. */
    static void framesInFlightShareWhatTheHostTouches(DeviceRig rig) {
        try (Buffer counter = rig.device.createBuffer("counter", READBACK);
                Buffer state = rig.device.createBuffer("state", READBACK);
                Buffer seen = rig.device.createBuffer("seen", READBACK)) {
            state.mapped().putInt(0, 0);
            AtomicInteger copied = new AtomicInteger();
            FrameHandle last = null;
            FramePlan plan = sharing(rig, counter, state, seen, copied);
            for (int frame = 0; frame < FRAMES; frame++) {
                last = rig.executor.execute(plan);
            }
            Objects.requireNonNull(last).completed().await();
            int[] words = RandomFrames.words(seen);
            int device = 0;
            for (int frame = 0; frame < FRAMES; frame++) {
                // The host adds one to what it finds, and the device hands that to the next frame's host.
                device = device + 1;
                assertThat(words[frame]).isEqualTo(device);
            }
            rig.executor.close();
        }
    }

    private static FramePlan sharing(DeviceRig rig, Buffer counter, Buffer state, Buffer seen, AtomicInteger copied) {
        RenderGraph graph = new RenderGraph("shared");
        RdgBuffer count = graph.registerExternal(counter);
        RdgBuffer kept = graph.registerExternal(state);
        RdgBuffer out = graph.registerExternal(seen);
        graph.hostPass("add")
                .reads(kept, 0, 4, Access.HOST_READ)
                .overwrites(count, 0, 4, Access.HOST_WRITE)
                .run(context ->
                        context.write(count).putInt(0, context.read(kept).getInt(0) + 1));
        graph.addPass("keep", PassKind.COPY)
                .reads(count, 0, 4, Access.COPY_SRC)
                .overwrites(kept, 0, 4, Access.COPY_DST)
                .flag(PassFlag.ASYNC_COPY)
                .record(context -> context.commands().copyBuffer(context.buffer(count), 0, context.buffer(kept), 0, 4));
        graph.addPass("show", PassKind.COPY)
                .reads(count, 0, 4, Access.COPY_SRC)
                .writes(out, Access.COPY_DST)
                .flag(PassFlag.NEVER_PARALLEL)
                .record(context -> context.commands()
                        .copyBuffer(context.buffer(count), 0, context.buffer(out), 4L * copied.getAndIncrement(), 4));
        return rig.compile(graph);
    }

    /** The device writes a transient last that the host writes first, in the next frame with the same transients. */
    static void laterFramesWriteOverWhatTheDeviceWroteLast(DeviceRig rig) {
        try (Buffer seen = rig.device.createBuffer("seen", READBACK);
                Buffer after = rig.device.createBuffer("after", READBACK)) {
            AtomicInteger written = new AtomicInteger();
            AtomicInteger copied = new AtomicInteger();
            RenderGraph graph = new RenderGraph("in turn");
            RdgBuffer turn = graph.createBuffer("turn", UPLOAD);
            RdgBuffer out = graph.registerExternal(seen);
            graph.hostPass("write")
                    .overwrites(turn, Access.HOST_WRITE)
                    .run(context -> context.write(turn).putInt(0, 100 + written.getAndIncrement()));
            graph.addPass("show", PassKind.COPY)
                    .reads(turn, 0, 4, Access.COPY_SRC)
                    .writes(out, Access.COPY_DST)
                    .flag(PassFlag.NEVER_PARALLEL)
                    .record(context -> context.commands()
                            .copyBuffer(
                                    context.buffer(turn), 0, context.buffer(out), 4L * copied.getAndIncrement(), 4));
            fill(graph, turn, 5, false);
            copy(graph, turn, graph.registerExternal(after), false);
            FramePlan plan = rig.compile(graph);
            FrameHandle last = null;
            for (int frame = 0; frame < FRAMES; frame++) {
                last = rig.executor.execute(plan);
            }
            Objects.requireNonNull(last).completed().await();
            assertThat(Arrays.copyOf(RandomFrames.words(seen), FRAMES))
                    .containsExactly(IntStream.range(100, 100 + FRAMES).toArray());
            assertThat(RandomFrames.words(after)).isEqualTo(filled(5));
            rig.executor.close();
        }
    }

    /** Random passes of the host and of all queues over a few buffers, in frames in flight. */
    static void randomFramesEqualTheSerialModel(DeviceRig rig, long seed, int frames) {
        Random random = new Random(seed);
        BufferDescription[] shapes = {READBACK, UPLOAD, READBACK, DEVICE, DEVICE};
        List<Buffer> outside = new ArrayList<>();
        List<int[]> model = new ArrayList<>();
        try (ComputePipeline pipeline = MixKernel.create(rig.device)) {
            for (int i = 0; i < shapes.length; i++) {
                Buffer buffer = rig.device.createBuffer("outside " + i, shapes[i]);
                outside.add(buffer);
                model.add(new int[MixKernel.WORDS]);
            }
            List<FrameHandle> handles = new ArrayList<>();
            for (int frame = 0; frame < frames; frame++) {
                RenderGraph graph = new RenderGraph("random");
                List<RdgBuffer> buffers = new ArrayList<>();
                outside.forEach(buffer -> buffers.add(graph.registerExternal(buffer)));
                List<int[]> words = new ArrayList<>(model);
                for (int i = 0; i < 3; i++) {
                    RdgBuffer made = graph.createBuffer("inside " + i, i == 0 ? UPLOAD : i == 1 ? READBACK : DEVICE);
                    buffers.add(made);
                    words.add(filled(i));
                    fill(graph, made, i, random.nextBoolean());
                }
                if (frame == 0) {
                    for (int i = 0; i < shapes.length; i++) {
                        fill(graph, buffers.get(i), i, false);
                        words.set(i, filled(i));
                    }
                }
                for (int pass = 0; pass < 10; pass++) {
                    randomPass(graph, pipeline, random, buffers, words);
                }
                for (int i = 0; i < shapes.length; i++) {
                    model.set(i, words.get(i));
                }
                handles.add(rig.executor.execute(rig.compile(graph)));
            }
            handles.forEach(handle -> handle.completed().await());
            for (int i = 0; i < 3; i++) {
                assertThat(RandomFrames.words(outside.get(i)))
                        .as("outside %d of seed %d", i, seed)
                        .isEqualTo(model.get(i));
            }
            rig.executor.close();
        } finally {
            outside.forEach(Buffer::close);
        }
    }

    private static void randomPass(
            RenderGraph graph, ComputePipeline pipeline, Random random, List<RdgBuffer> buffers, List<int[]> words) {
        List<Integer> mapped = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            if (buffers.get(i).description().memory() != MemoryUsage.DEVICE) {
                mapped.add(i);
            }
        }
        boolean host = random.nextInt(3) == 0;
        int a = host ? mapped.get(random.nextInt(mapped.size())) : random.nextInt(buffers.size());
        int b = host ? mapped.get(random.nextInt(mapped.size())) : random.nextInt(buffers.size());
        int to = host ? mapped.get(random.nextInt(mapped.size())) : random.nextInt(buffers.size());
        if (to == a || to == b) {
            return;
        }
        boolean async = random.nextBoolean();
        if (host) {
            mixOnHost(graph, buffers.get(a), buffers.get(b), buffers.get(to));
            words.set(to, mixed(words.get(a), words.get(b)));
        } else if (random.nextBoolean()) {
            copy(graph, buffers.get(a), buffers.get(to), async);
            words.set(to, words.get(a));
        } else {
            mix(graph, pipeline, buffers.get(a), buffers.get(b), buffers.get(to), async);
            words.set(to, mixed(words.get(a), words.get(b)));
        }
    }
}
