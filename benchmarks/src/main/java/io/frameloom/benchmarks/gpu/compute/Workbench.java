package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Memory of a device that is filled, compared and timed. Inputs and results pass through windows of mapped memory, so
 * that the host holds none of them as a whole.
 */
final class Workbench implements AutoCloseable {
    private static final int POISON = 0x7777_7777;
    /** Words that pass between host and device at a time. */
    static final int WINDOW_WORDS = 1 << 22;

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final BarrierBatch FULL = new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));
    /**
     * Work before the samples of each case. While the processor compares results the device is idle, and its processors
     * fall to a fraction of their clock. They take most of a second of work to come back: an H200 was seen at 345 MHz after
     * some seconds, and its scans to take three times as long after 30 ms of work.
     */
    private static final double WARM_UP_NANOS = 1e9;

    /** The same for a software driver: the processor is not idle meanwhile. */
    private static final double WARM_UP_OF_PROCESSOR_NANOS = 1e8;

    /** The same for a first look. */
    private static final double QUICK_WARM_UP_OF_PROCESSOR_NANOS = 1e7;

    /** Long enough that the two timestamps of a sample weigh nothing. */
    private static final double SAMPLE_NANOS = 5e6;

    private static final int MOST_REPETITIONS = 400;

    final GpuDevice device;
    private final int samples;
    private final double warmUpNanos;
    private final GpuQueue queue;
    private final FrameContext frame;
    private final Buffer upload;
    private final Buffer readback;
    private final int[] window = new int[WINDOW_WORDS];
    private final TimestampSet timestamps;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    private final RoleMemory memory;

    /**
     * A workbench on a device.
     *
     * @param samples how many samples a timing has
     * @param quick whether timings are a first look, on a software driver after little work
     * @param usualBytes what most buffers of the largest case need
     */
    Workbench(GpuDevice device, int samples, boolean quick, long usualBytes) {
        this.device = device;
        this.samples = samples;
        double ofProcessor = quick ? QUICK_WARM_UP_OF_PROCESSOR_NANOS : WARM_UP_OF_PROCESSOR_NANOS;
        warmUpNanos = device.capabilities().kind() == DeviceKind.CPU ? ofProcessor : WARM_UP_NANOS;
        memory = new RoleMemory(device, usualBytes);
        queue = device.queues().get(0);
        frame = device.createFrameContext("bench");
        long bytes = (long) WINDOW_WORDS * Integer.BYTES;
        upload = device.createBuffer("upload", BufferDescription.upload(bytes, BufferUsage.COPY_SRC));
        readback = device.createBuffer("readback", BufferDescription.readback(bytes));
        timestamps = device.createTimestampSet("bench", 2);
    }

    /** Returns device memory for shaders, until {@link #release}; one buffer of a name at a time. */
    Buffer storage(String name, long bytes) {
        return own(memory.buffer(
                name,
                BufferDescription.device(
                        Math.max(Integer.BYTES, bytes),
                        BufferUsage.STORAGE,
                        BufferUsage.COPY_SRC,
                        BufferUsage.COPY_DST)));
    }

    /** Keeps something until {@link #release}. */
    <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    /** Closes what was made for a case. */
    void release() {
        while (!owned.isEmpty()) {
            AutoCloseable thing = owned.pop();
            try {
                thing.close();
            } catch (Exception failure) {
                throw new IllegalStateException(thing + " cannot be closed", failure);
            }
        }
    }

    void fill(Buffer buffer, long words, WordSource source) {
        IntBuffer mapped = ints(upload);
        for (long first = 0; first < words; first += WINDOW_WORDS) {
            long begin = first;
            int count = (int) Math.min(WINDOW_WORDS, words - first);
            IntStream.range(0, count).parallel().forEach(i -> mapped.put(i, source.word(begin + i)));
            execute(list -> list.copyBuffer(upload, 0, buffer, begin * Integer.BYTES, (long) count * Integer.BYTES));
        }
    }

    /** Overwrites everything with a word that no result is. */
    void poison(Buffer buffer) {
        execute(list ->
                list.fillBuffer(buffer, 0, buffer.description().bytes() / Integer.BYTES * Integer.BYTES, POISON));
    }

    /** Returns the index of the first word that is not the next of {@code expected}, or -1. */
    long firstDifference(Buffer buffer, long words, IntSupplier expected) {
        for (long first = 0; first < words; first += WINDOW_WORDS) {
            int count = (int) Math.min(WINDOW_WORDS, words - first);
            fetch(buffer, first, count);
            for (int i = 0; i < count; i++) {
                if (window[i] != expected.getAsInt()) {
                    return first + i;
                }
            }
        }
        return -1;
    }

    /**
     * Returns which of some words is the first that is not as expected, or -1.
     *
     * @param first first word of the buffer that is compared
     * @param count number of words, at most {@link #WINDOW_WORDS}
     */
    int firstDifference(Buffer buffer, long first, int[] expected, int count) {
        fetch(buffer, first, count);
        return Arrays.mismatch(window, 0, count, expected, 0, count);
    }

    private void fetch(Buffer buffer, long first, int count) {
        execute(list -> list.copyBuffer(buffer, first * Integer.BYTES, readback, 0, (long) count * Integer.BYTES));
        ints(readback).get(0, window, 0, count);
    }

    private static IntBuffer ints(Buffer mapped) {
        return mapped.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /** Records one list, submits it and waits for it. */
    void execute(Consumer<CommandList> body) {
        CommandList list = frame.beginCommands(queue, "bench");
        list.barrier(FULL);
        body.accept(list);
        list.barrier(FULL);
        list.end();
        long value =
                queue.submit(new Submission("bench", List.of(list), List.of())).value();
        if (!queue.timeline().await(value, LONG)) {
            throw new GpuException("the device did not finish within " + LONG);
        }
        frame.reset();
    }

    /** Times executions that follow each other in one list, by the device's own clock. */
    Timing time(Consumer<CommandList> body) {
        double spent = 0;
        double nanos = 0;
        int repetitions = 1;
        while (spent < warmUpNanos) {
            nanos = Math.max(1, sample(body, repetitions));
            spent += nanos * repetitions;
            repetitions = (int) Math.max(1, Math.min(MOST_REPETITIONS, SAMPLE_NANOS / nanos));
        }
        double[] all = new double[samples];
        for (int i = 0; i < samples; i++) {
            all[i] = sample(body, repetitions);
        }
        return Timing.of(all);
    }

    private double sample(Consumer<CommandList> body, int repetitions) {
        timestamps.reset();
        execute(list -> {
            list.writeTimestamp(timestamps, 0);
            for (int i = 0; i < repetitions; i++) {
                body.accept(list);
                list.barrier(FULL);
            }
            list.writeTimestamp(timestamps, 1);
        });
        long[] nanos = timestamps.readNanos();
        return (double) (nanos[1] - nanos[0]) / repetitions;
    }

    @Override
    public void close() {
        release();
        memory.close();
        timestamps.close();
        upload.close();
        readback.close();
        frame.close();
    }
}
