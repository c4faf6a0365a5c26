package io.frameloom.benchmarks.gpu;

import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.benchmarks.gpu.async.AsyncBench;
import io.frameloom.benchmarks.gpu.compute.ComputeBench;
import io.frameloom.benchmarks.gpu.frame.FrameBench;
import io.frameloom.benchmarks.gpu.queues.QueueBench;
import io.frameloom.benchmarks.gpu.recording.RecordingBench;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code bench --gpu NAME}: the benchmarks that need a Vulkan device, by name. */
public final class GpuBench {
    private static final String HELP = """
            usage: bench --gpu NAME [OPTIONS]

            Measures GPU work and what it costs the host, on a Vulkan device.

              recording    how fast command lists are recorded, next to the same commands in plain LWJGL
              frame        what a render graph costs the host, next to the same frame in plain LWJGL
              latency      how long the host takes to learn that the GPU is done
              builds       how long acceleration structures take to build, next to the same builds in plain LWJGL
              queues       what 1, 2, 4, ... queues of each kind give: submissions, latency, compute work side by side
              compute      scans, bracket matching and compaction against copies and processors
              async        what builds of acceleration structures and traces of rays gain beside raster passes
              -h, --help   print this text; bench --gpu NAME --help says more""";

    private GpuBench() {}

    /** A benchmark with its own command line; returns the exit code. */
    @FunctionalInterface
    private interface Program {
        int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException;
    }

    private static Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put("recording", RecordingBench::run);
        programs.put("frame", FrameBench::run);
        programs.put("latency", LatencyBench::run);
        programs.put("builds", BuildsBench::run);
        programs.put("queues", QueueBench::run);
        programs.put("compute", ComputeBench::run);
        programs.put("async", AsyncBench::run);
        return programs;
    }

    /**
     * Runs the benchmark that the first argument names and returns the exit code: 0, or 2 with one line on standard error
     * when the command line is wrong.
     *
     * @param arguments what follows {@code --gpu}
     * @throws IOException when a result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        Map<String, Program> programs = programs();
        if (!arguments.isEmpty()
                && (arguments.get(0).equals("-h") || arguments.get(0).equals("--help"))) {
            out.println(HELP);
            return 0;
        }
        Program program = arguments.isEmpty() ? null : programs.get(arguments.get(0));
        if (program == null) {
            return Complaints.refuse(
                    complaints,
                    "--gpu takes one of " + programs.keySet() + ", got "
                            + (arguments.isEmpty() ? "nothing" : "'" + arguments.get(0) + "'"));
        }
        return program.run(arguments.subList(1, arguments.size()), out, complaints);
    }
}
