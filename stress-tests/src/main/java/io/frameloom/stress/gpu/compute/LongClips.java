package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.ClipArguments;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import java.util.Locale;

/** Clip boxes: a quarter of the elements draw, the others begin and end clips. */
final class LongClips implements LongWork {
    private static final int BOX_WORDS = 4;
    private static final ClipBox VIEWPORT = new ClipBox(-3000, -2500.5f, 3000, 2999);

    private final Nest nest;
    private final ClipEnd end;
    private final ClipBoxes clips;

    LongClips(GpuDevice device, Nest nest, ClipEnd end) {
        this.nest = nest;
        this.end = end;
        clips = ClipBoxes.create(device);
    }

    private static int operation(Nest nest, long index, long length) {
        if (WordSource.random(~index) >>> 30 == 0) {
            return ClipBoxes.DRAW;
        }
        return nest.opens(index, length) ? ClipBoxes.BEGIN : ClipBoxes.END;
    }

    /** A coordinate of a box; some boxes are empty. */
    private static int coordinate(long word) {
        int random = WordSource.random(word);
        float offset = (random >>> 12) / 512f - 1024;
        return Float.floatToRawIntBits(word % BOX_WORDS < 2 ? offset - 1000 : offset + 1000);
    }

    @Override
    public String name() {
        return name(nest, end);
    }

    static String name(Nest nest, ClipEnd end) {
        return "clip boxes, " + (nest + ", " + end).toLowerCase(Locale.ROOT);
    }

    @Override
    public long maxLength() {
        return clips.maxLength();
    }

    @Override
    public List<Input> inputs(long length) {
        return List.of(
                new Input("operations", length, index -> operation(nest, index, length)),
                new Input("boxes", length * BOX_WORDS, LongClips::coordinate));
    }

    private ClipStack stack(long length) {
        return new ClipStack(
                VIEWPORT, end, index -> operation(nest, index, length), word -> Float.intBitsToFloat(coordinate(word)));
    }

    @Override
    public List<Output> outputs(long length) {
        return List.of(
                new Output(
                        "effective boxes",
                        length * BOX_WORDS,
                        () -> stack(length).effectiveWords()),
                new Output("links", length, () -> stack(length).links()));
    }

    @Override
    public long scratchBytes(long length) {
        return clips.scratchBytes(length);
    }

    @Override
    public void record(
            CommandList list, long length, List<BufferRange> inputs, List<BufferRange> outputs, BufferRange scratch) {
        clips.record(
                list,
                new ClipArguments(
                        length, end, VIEWPORT, inputs.get(0), inputs.get(1), outputs.get(0), outputs.get(1), scratch));
    }

    @Override
    public void close() {
        clips.close();
    }
}
