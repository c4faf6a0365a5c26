package io.frameloom.benchmarks.gpu.streaming;

import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.streaming.Ktx2File;
import io.frameloom.streaming.StreamedTexture;
import io.frameloom.streaming.TextureStreamer;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a {@link TextureStreamer} takes to make levels resident, and a {@link BareCopy} of the same bytes, by turns.
 * The counters have the megabytes, and the milliseconds of each: the one divided by the other is gigabytes a second.
 *
 * <p>A streamer's turn begins with textures that nothing is known of but their paths, and ends when the frame has
 * completed that has all levels of all of them. Frames have nothing else to do and follow each other at once. Files lie
 * in the page cache. The bare copy has all bytes in memory, in the format of the device, and images that are made
 * beforehand. So it is a bound: it neither reads nor transcodes, and moves each byte to the device once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
@Fork(1)
public class StreamingBenchmark {
    /** What is in the files. */
    public enum Stored {
        /** What the device samples; it is read and uploaded as it is. */
        DEVICE_FORMAT,
        /** What workers transcode to that. */
        UASTC
    }

    /** What is in the files. */
    @Param
    public Stored stored = Stored.DEVICE_FORMAT;

    /** Texels a side. */
    @Param("1024")
    public int extent;

    /** Textures; all have one file, which each reads by itself. */
    @Param("64")
    public int textures;

    /** Most bytes on their way at a time. */
    @Param("33554432")
    public int loadBytes;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<StreamedTexture> streamed = new ArrayList<>();
    private Path file = Path.of("");
    private TextureStreamer streamer;
    private FrameExecutor executor;
    private BareCopy bare;
    private long turnBytes;

    /** What turns have moved and taken. JMH adds up these counters over iterations and forks, so none is a rate. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Turns {
        private long bytes;
        private long streamedNanos;
        private long bareNanos;

        /** Forgets the iteration before. */
        @Setup(Level.Iteration)
        public void begin() {
            bytes = 0;
            streamedNanos = 0;
            bareNanos = 0;
        }

        /** Returns the megabytes that each way has moved. */
        public double megabytes() {
            return bytes * 1e-6;
        }

        /** Returns the milliseconds that the streamer took for them. */
        public double streamedMillis() {
            return streamedNanos * 1e-6;
        }

        /** Returns the milliseconds that the bare copy took for them. */
        public double bareMillis() {
            return bareNanos * 1e-6;
        }
    }

    /** Writes the file and opens both devices. */
    @Setup
    public void open() throws IOException {
        Path folder = Files.createTempDirectory("frameloom-streaming");
        opened.push(() -> Files.delete(folder));
        TaskGraph tasks = opened(TaskGraph.builder().name("streaming").build());
        tasks.start(NamedThread.RHI);
        VulkanDevice device = opened(VulkanDevices.open("", DeviceOptions.of(tasks, "Frameloom bench")));
        Ktx2File levels = write(folder, device);
        List<ByteBuffer> contents = read(levels);
        turnBytes = (long) textures
                * contents.stream().mapToInt(ByteBuffer::remaining).sum();
        executor = opened(new FrameExecutor(device, tasks));
        // Twice: an image and the larger one that takes its place are there at a time.
        long budget = 2L * textures * device.requirements(levels.description()).bytes();
        streamer = opened(new TextureStreamer(device, budget, loadBytes));
        bare = opened(new BareCopy(
                PlainDevice.uuid(device.handles().physicalDevice()),
                streamer.uploaded().queue().family(),
                levels.description(),
                contents,
                textures,
                null));
        bare.copy();
        bare.requireCopied();
    }

    private <T extends AutoCloseable> T opened(T each) {
        opened.push(each);
        return each;
    }

    /** Writes the file, of either kind with the same levels for the device. */
    private Ktx2File write(Path folder, VulkanDevice device) {
        Path encoded = folder.resolve("uastc.ktx2");
        opened.push(() -> Files.delete(encoded));
        int levels = 32 - Integer.numberOfLeadingZeros(extent);
        TextureFile.writeUastc(
                encoded,
                extent,
                IntStream.range(0, levels)
                        .mapToObj(level -> texels(extent >> level))
                        .toList());
        file = encoded;
        Ktx2File transcoded = Ktx2File.open(device, encoded);
        if (stored == Stored.UASTC) {
            return transcoded;
        }
        file = folder.resolve("stored.ktx2");
        Path made = file;
        opened.push(() -> Files.delete(made));
        TextureFile.writeStored(file, extent, transcoded.description().format().vulkan(), read(transcoded));
        return Ktx2File.open(device, file);
    }

    /** Returns all levels in memory that native code may read. */
    private static List<ByteBuffer> read(Ktx2File file) {
        return IntStream.range(0, file.description().mips())
                .mapToObj(file::read)
                .map(level ->
                        ByteBuffer.allocateDirect(level.remaining()).put(level).flip())
                .toList();
    }

    private static ByteBuffer texels(int size) {
        ByteBuffer texels = ByteBuffer.allocateDirect(4 * size * size);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                texels.put((byte) (255 * x / size))
                        .put((byte) (255 * y / size))
                        .put((byte) (x * 31 ^ y * 57))
                        .put((byte) 255);
            }
        }
        return texels.flip();
    }

    /** Closes and deletes everything. */
    @TearDown
    public void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** A turn of each. */
    @Benchmark
    public void streamThenCopy(Turns turns) {
        long begin = System.nanoTime();
        stream();
        turns.streamedNanos += System.nanoTime() - begin;
        forget();
        begin = System.nanoTime();
        bare.copy();
        turns.bareNanos += System.nanoTime() - begin;
        turns.bytes += turnBytes;
    }

    private void stream() {
        for (int i = 0; i < textures; i++) {
            streamed.add(streamer.register(file, 0));
        }
        FrameHandle last;
        do {
            last = frame();
        } while (streamed.stream().anyMatch(each -> each.residentLevel() > 0));
        last.completed().await();
    }

    private FrameHandle frame() {
        for (StreamedTexture each : streamed) {
            Throwable failure = each.failure();
            if (failure != null) {
                throw new IllegalStateException("a level was not loaded", failure);
            }
            each.wish(0);
        }
        RenderGraph graph = executor.beginGraph("stream");
        streamer.addTo(graph);
        return executor.run(graph);
    }

    /** Drops all textures, so that the next turn begins with none. */
    private void forget() {
        streamed.forEach(StreamedTexture::close);
        streamed.clear();
        while (streamer.residentBytes() > 0) {
            frame().completed().await();
        }
    }
}
