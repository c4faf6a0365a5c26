package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Fills and compares memory of a device through windows of mapped memory, so that the host holds no input and no result as
 * a whole. One thread.
 */
final class ComputeStand implements AutoCloseable {
    /** A word that is where nothing was written. */
    static final int POISON = 0x7777_7777;

    private static final int WINDOW_WORDS = 1 << 22;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final BarrierBatch FULL = new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));

    final GpuDevice device;
    private final GpuQueue queue;
    private final FrameContext frame;
    private final Buffer upload;
    private final Buffer readback;
    private final int[] window = new int[WINDOW_WORDS];

    ComputeStand(GpuDevice device) {
        this.device = device;
        queue = device.queues().get(0);
        frame = device.createFrameContext("stand");
        long bytes = (long) WINDOW_WORDS * Integer.BYTES;
        upload = device.createBuffer("upload", BufferDescription.upload(bytes, BufferUsage.COPY_SRC));
        readback = device.createBuffer("readback", BufferDescription.readback(bytes));
    }

    /** Overwrites everything, canaries included. */
    void poison(GuardedBuffer memory) {
        Buffer buffer = memory.buffer();
        execute(list -> list.fillBuffer(buffer, 0, buffer.description().bytes(), POISON));
    }

    /** Fills the words that are used. */
    void fill(GuardedBuffer memory, WordSource source) {
        IntBuffer mapped = ints(upload);
        for (long first = 0; first < memory.words(); first += WINDOW_WORDS) {
            long begin = first;
            int count = (int) Math.min(WINDOW_WORDS, memory.words() - first);
            IntStream.range(0, count).parallel().forEach(i -> mapped.put(i, source.word(begin + i)));
            long at = (memory.before() + begin) * Integer.BYTES;
            execute(list -> list.copyBuffer(upload, 0, memory.buffer(), at, (long) count * Integer.BYTES));
        }
    }

    /** Returns what is wrong first with words that are filled from a source, empty if nothing is. */
    String difference(GuardedBuffer memory, WordSource source) {
        IntBuffer mapped = ints(readback);
        for (long first = 0; first < memory.words(); first += WINDOW_WORDS) {
            long begin = first;
            int count = fetch(memory.buffer(), memory.before() + begin, memory.words() - begin, mapped);
            OptionalInt wrong = IntStream.range(0, count)
                    .parallel()
                    .filter(i -> window[i] != source.word(begin + i))
                    .findFirst();
            if (wrong.isPresent()) {
                int at = wrong.getAsInt();
                return wrong(
                        memory.role() + ": word ", begin + at, memory.words(), window[at], source.word(begin + at));
            }
        }
        return "";
    }

    /** Returns what is wrong with the words that are used, empty if nothing is. */
    String difference(GuardedBuffer memory, IntSupplier expected) {
        return difference(memory.buffer(), memory.role() + ": word ", memory.before(), memory.words(), expected);
    }

    /** Returns what was written before or behind the words that are used, empty if nothing was. */
    String written(GuardedBuffer memory) {
        String before = difference(
                memory.buffer(), "before the " + memory.role() + ": word ", 0, memory.before(), () -> POISON);
        long behind = memory.before() + memory.words();
        return before.isEmpty()
                ? difference(
                        memory.buffer(),
                        "behind the " + memory.role() + ": word ",
                        behind,
                        memory.behind(),
                        () -> POISON)
                : before;
    }

    private String difference(Buffer buffer, String what, long from, long words, IntSupplier expected) {
        IntBuffer mapped = ints(readback);
        for (long first = 0; first < words; first += WINDOW_WORDS) {
            int count = fetch(buffer, from + first, words - first, mapped);
            for (int i = 0; i < count; i++) {
                int right = expected.getAsInt();
                if (window[i] != right) {
                    return wrong(what, first + i, words, window[i], right);
                }
            }
        }
        return "";
    }

    /** Copies words into the window, as many as it holds at most; returns how many. */
    private int fetch(Buffer buffer, long from, long words, IntBuffer mapped) {
        int count = (int) Math.min(WINDOW_WORDS, words);
        execute(list -> list.copyBuffer(buffer, from * Integer.BYTES, readback, 0, (long) count * Integer.BYTES));
        mapped.get(0, window, 0, count);
        return count;
    }

    private static String wrong(String what, long word, long words, int is, int right) {
        return "%s%d of %d is 0x%08x, not 0x%08x".formatted(what, word, words, is, right);
    }

    private static IntBuffer ints(Buffer mapped) {
        return mapped.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /** Records one list, submits it and waits for it. */
    void execute(Consumer<CommandList> body) {
        CommandList list = frame.beginCommands(queue, "stand");
        list.barrier(FULL);
        body.accept(list);
        list.barrier(FULL);
        list.end();
        long value =
                queue.submit(new Submission("stand", List.of(list), List.of())).value();
        if (!queue.timeline().await(value, LONG)) {
            throw new GpuException("the device did not finish within " + LONG);
        }
        frame.reset();
    }

    @Override
    public void close() {
        upload.close();
        readback.close();
        frame.close();
    }
}
