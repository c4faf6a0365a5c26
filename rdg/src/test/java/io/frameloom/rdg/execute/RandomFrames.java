package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Frames of random compute passes over transients, with state that lives over frames in two buffers that take turns,
 * compared with a serial model of the same passes.
 */
final class RandomFrames {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private final DeviceRig rig;
    private final Random random;
    private final int passes;
    private final List<int[]> expected = new ArrayList<>();

    RandomFrames(DeviceRig rig, long seed, int passes) {
        this.rig = rig;
        this.random = new Random(seed);
        this.passes = passes;
    }

    /** A value of the graph with what the serial model says it contains. */
    private static final class Value {
        private final RdgBuffer buffer;
        private final int[] contents;

        Value(RdgBuffer buffer, int[] contents) {
            this.buffer = buffer;
            this.contents = contents;
        }
    }

    /** Runs frames, several in flight, and compares what each of them read back. */
    void run(int frames) {
        List<Buffer> results = new ArrayList<>();
        try (ComputePipeline mix = MixKernel.create(rig.device);
                Buffer even = rig.device.createBuffer("even", DATA);
                Buffer odd = rig.device.createBuffer("odd", DATA)) {
            int[] state = new int[MixKernel.WORDS];
            FrameHandle last = null;
            for (int frame = 0; frame < frames; frame++) {
                Buffer result = rig.device.createBuffer("result " + frame, BufferDescription.readback(MixKernel.BYTES));
                results.add(result);
                Buffer from = frame % 2 == 0 ? even : odd;
                Buffer to = frame % 2 == 0 ? odd : even;
                RenderGraph graph = new RenderGraph("frame " + frame);
                state = declare(graph, mix, frame == 0, from, to, result, state);
                last = rig.executor.execute(rig.compile(graph));
            }
            if (last != null) {
                last.completed().await();
            }
            for (int frame = 0; frame < frames; frame++) {
                assertThat(words(results.get(frame))).as("frame %d", frame).isEqualTo(expected.get(frame));
            }
            rig.executor.close();
        } finally {
            results.forEach(Buffer::close);
        }
    }

    private int[] declare(
            RenderGraph graph, ComputePipeline mix, boolean first, Buffer from, Buffer to, Buffer result, int[] state) {
        List<Value> values = new ArrayList<>();
        RdgBuffer history = graph.registerExternal(from);
        if (first) {
            graph.addPass("clear", PassKind.COPY)
                    .overwrites(history, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(history), 0, MixKernel.BYTES, 0));
        }
        values.add(new Value(history, state));
        int word = random.nextInt();
        RdgBuffer seed = graph.createBuffer("seed", DATA);
        graph.addPass("seed", PassKind.COPY)
                .overwrites(seed, Access.COPY_DST)
                .record(context -> context.commands().fillBuffer(context.buffer(seed), 0, MixKernel.BYTES, word));
        int[] filled = new int[MixKernel.WORDS];
        Arrays.fill(filled, word);
        values.add(new Value(seed, filled));
        int count = 1 + random.nextInt(2 * passes);
        for (int i = 0; i < count; i++) {
            values.add(addMix(graph, mix, "mix " + i, graph.createBuffer("t" + i, DATA), pick(values), pick(values)));
            rig.passBeside(graph, "beside " + i);
        }
        // Nothing of this frame waits for the pass that keeps the state: only the frame boundary orders it.
        Value newest = values.get(values.size() - 1);
        Value kept = addMix(graph, mix, "keep", graph.registerExternal(to), newest, pick(values));
        RdgBuffer out = graph.registerExternal(result);
        graph.addPass("read back", PassKind.COPY)
                .reads(newest.buffer, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyBuffer(context.buffer(newest.buffer), 0, context.buffer(out), 0, MixKernel.BYTES));
        expected.add(newest.contents);
        return kept.contents;
    }

    /** Prefers recent values, so that lifetimes end and memory is shared. */
    private Value pick(List<Value> values) {
        int back = Math.min(values.size() - 1, random.nextInt(4));
        return values.get(values.size() - 1 - back);
    }

    private Value addMix(RenderGraph graph, ComputePipeline mix, String name, RdgBuffer target, Value a, Value b) {
        int salt = random.nextInt();
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).reads(a.buffer, Access.STORAGE_READ_COMPUTE);
        if (a.buffer != b.buffer) {
            pass.reads(b.buffer, Access.STORAGE_READ_COMPUTE);
        }
        if (random.nextInt(3) == 0) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        pass.overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> MixKernel.dispatch(
                        context.commands(),
                        mix,
                        context.buffer(a.buffer),
                        context.buffer(b.buffer),
                        context.buffer(target),
                        salt));
        return new Value(target, MixKernel.mix(a.contents, b.contents, salt));
    }

    static int[] words(Buffer buffer) {
        ByteBuffer bytes = buffer.mapped().order(ByteOrder.nativeOrder());
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }
}
