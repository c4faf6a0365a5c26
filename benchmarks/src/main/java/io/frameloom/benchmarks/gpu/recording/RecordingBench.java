package io.frameloom.benchmarks.gpu.recording;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.benchmarks.driver.Allocation;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench --gpu recording}: commands per second that 1 to N threads record, through Frameloom and by hand in plain
 * LWJGL in turns in one run, and the bytes that a frame allocates beyond those of a frame in which nobody records
 * anything, which are the benchmark's own. A frame is one list of {@link Stream#LENGTH} commands for each thread; nothing is
 * submitted. The figure is the median of the frames. Draws that take a buffer by its number in a bindless table are
 * compared with those that bind it.
 */
public final class RecordingBench {
    /** The command line. */
    public static final String USAGE = "usage: bench --gpu recording [--quick] [--threads N] [--json FILE]";

    private static final int FRAMES = 200;
    private static final int QUICK_FRAMES = 30;
    /** Times as many lists warm up: the JVM compiles last what runs once a list, its begin and end. */
    private static final int WARM_UPS = 25;

    private static final double SECOND = 1e9;

    private RecordingBench() {}

    /** Records nothing: what a frame costs the benchmark itself. */
    private static final class NoRecorder implements Recorder {
        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public void record(Stream stream, int thread) {}

        @Override
        public void reset() {}

        @Override
        public void close() {}
    }

    /** What takes turns with others. */
    private record Way(Recorder recorder, Stream stream) {}

    /** A measured way: nanoseconds of the frames, and the least bytes that one allocated. */
    private record Result(double nanos, long bytes) {
        double perSecond(int threads) {
            return threads * Stream.LENGTH / nanos * SECOND;
        }
    }

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code recording}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        int frames = FRAMES;
        int threads = Runtime.getRuntime().availableProcessors();
        String json = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            String value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            if (option.equals("--quick")) {
                frames = QUICK_FRAMES;
            } else if (option.equals("--threads") && value.matches("[1-9]\\d?")) {
                threads = Integer.parseInt(value);
                i++;
            } else if (option.equals("--json") && !value.isEmpty()) {
                json = value;
                i++;
            } else {
                return Complaints.refuse(complaints, "'" + option + "' is not understood here; " + USAGE);
            }
        }
        return measure(frames, threads, json, out, complaints);
    }

    private static int measure(int frames, int most, @Nullable String json, PrintStream out, PrintStream complaints)
            throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode();
        ArrayNode rows = root.putArray("rows");
        ExecutorService pool = Executors.newFixedThreadPool(most);
        try (TaskGraph tasks = TaskGraph.builder().name("recording").workers(1).build();
                VulkanDevice device = VulkanDevices.open(
                        "",
                        new DeviceOptions(tasks, "Frameloom bench", false, null)
                                .prefer(Capability.DESCRIPTOR_INDEXING));
                FrameloomRecorder ours = new FrameloomRecorder(device, most);
                Recorder plain =
                        new PlainRecorder(PlainDevice.uuid(device.handles().physicalDevice()), most);
                Recorder nothing = new NoRecorder()) {
            root.put("device", device.capabilities().name())
                    .put("driver", device.capabilities().driver())
                    .put("processors", Runtime.getRuntime().availableProcessors())
                    .put("frames", frames)
                    .put("commandsPerList", Stream.LENGTH);
            out.println(
                    device.capabilities().name() + ", " + device.capabilities().driver() + ", "
                            + Runtime.getRuntime().availableProcessors() + " processors, " + frames + " frames of "
                            + Stream.LENGTH + " commands a thread");
            Table table = new Table(nothing, most, frames, pool, out, rows);
            table.head("plain");
            for (Stream stream : Stream.PLAIN) {
                table.add(new Way(ours, stream), new Way(plain, stream), "plain");
            }
            if (ours.hasTables()) {
                table.head("bound");
                table.add(new Way(ours, Stream.BINDLESS), new Way(ours, Stream.DRAW), "bound");
            } else {
                out.println("bindless draws are left out: the device has no DESCRIPTOR_INDEXING");
            }
        } catch (NoSuchDeviceException e) {
            return Complaints.refuse(complaints, String.valueOf(e.getMessage()));
        } finally {
            pool.shutdown();
        }
        if (json != null) {
            mapper.writeValue(Path.of(json).toFile(), root);
        }
        return 0;
    }

    /** Prints and keeps rows, each for 1 to {@code most} threads. */
    private record Table(
            Recorder nothing, int most, int frames, ExecutorService pool, PrintStream out, ArrayNode rows) {
        void head(String other) {
            out.printf(
                    Locale.ROOT,
                    "%-10s %8s %18s %18s %8s %14s %14s%n",
                    "commands",
                    "threads",
                    "frameloom 1/s",
                    other + " 1/s",
                    "ratio",
                    "bytes/frame",
                    other + " bytes");
        }

        void add(Way way, Way against, String other) {
            String commands = way.stream.name().toLowerCase(Locale.ROOT);
            for (int threads = 1; threads <= most; threads *= 2) {
                Result[] results = compare(List.of(way, against, new Way(nothing, way.stream)), threads, frames, pool);
                double ours = results[0].perSecond(threads);
                double theirs = results[1].perSecond(threads);
                long bytes = results[0].bytes - results[2].bytes;
                long theirBytes = results[1].bytes - results[2].bytes;
                out.printf(
                        Locale.ROOT,
                        "%-10s %8d %18.0f %18.0f %8.2f %14d %14d%n",
                        commands,
                        threads,
                        ours,
                        theirs,
                        ours / theirs,
                        bytes,
                        theirBytes);
                rows.addObject()
                        .put("commands", commands)
                        .put("threads", threads)
                        .put("perSecond", ours)
                        .put(other + "PerSecond", theirs)
                        .put("ratio", ours / theirs)
                        .put("bytesPerFrame", bytes)
                        .put(other + "BytesPerFrame", theirBytes);
            }
        }
    }

    /** Lets the ways take turns frame by frame, so that all meet the same disturbances. */
    private static Result[] compare(List<Way> ways, int threads, int frames, ExecutorService pool) {
        double[][] nanos = new double[ways.size()][frames];
        long[] bytes = new long[ways.size()];
        Arrays.fill(bytes, Long.MAX_VALUE);
        Allocation allocation = new Allocation();
        int warmUp = frames * Math.max(1, WARM_UPS / threads);
        for (int frame = -warmUp; frame < frames; frame++) {
            for (int way = 0; way < ways.size(); way++) {
                long before = allocation.bytes();
                long start = System.nanoTime();
                frame(ways.get(way).recorder, ways.get(way).stream, threads, pool);
                long time = System.nanoTime() - start;
                long allocated = allocation.bytes() - before;
                ways.get(way).recorder.reset();
                if (frame >= 0) {
                    nanos[way][frame] = time;
                }
                // A thread of the JVM that ends in between takes the bytes of its whole life along.
                if (frame >= 0 && allocated >= 0) {
                    bytes[way] = Math.min(bytes[way], allocated);
                }
            }
        }
        Result[] results = new Result[ways.size()];
        for (int way = 0; way < ways.size(); way++) {
            Arrays.sort(nanos[way]);
            results[way] = new Result(nanos[way][frames / 2], bytes[way]);
        }
        return results;
    }

    private static void frame(Recorder recorder, Stream stream, int threads, ExecutorService pool) {
        if (threads == 1) {
            recorder.record(stream, 0);
            return;
        }
        List<Future<?>> parts = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            parts.add(pool.submit(() -> recorder.record(stream, thread)));
        }
        for (Future<?> part : parts) {
            try {
                part.get();
            } catch (InterruptedException | ExecutionException failure) {
                throw new IllegalStateException("recording by " + recorder.name() + " failed", failure);
            }
        }
    }
}
