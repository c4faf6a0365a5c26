package io.frameloom.stress;

import io.frameloom.stress.gpu.GpuCrashMain;
import io.frameloom.stress.gpu.GpuSoakMain;
import io.frameloom.stress.gpu.compute.GpuComputeMain;
import io.frameloom.stress.gpu.cuda.GpuCudaMain;
import io.frameloom.stress.gpu.frames.GpuFramesMain;
import io.frameloom.stress.gpu.litmus.BarrierLitmusMain;
import io.frameloom.stress.gpu.queues.GpuQueuesMain;
import io.frameloom.stress.soak.SoakMain;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts the program that the first argument of {@code ./frameloom stress} names. The Lincheck and jcstress tests are no such
 * program: the launcher starts them.
 *
 * <p>Exit code: that of the program, 0 for {@code --help}, 2 with one line on standard error for an unknown first argument.
 */
public final class Main {
    private static final int BAD_INPUT = 2;

    private static final String USAGE = """
            Usage: ./frameloom stress [--quick | --soak MINUTES | --gpu-soak MINUTES [--device NAME] [--queues Q] [--seed N]
                                      [--validate yes|no] [--city yes|no] |
                                      --gpu-queues [--device NAME] [--queues Q] [--seed N] [--rounds N] [--validate yes|no] |
                                      --gpu-frames [--device NAME] [--queues Q] [--seed N] [--minutes N | --graphs N]
                                      [--validate yes|no] |
                                      --gpu-litmus [--device NAME] [--queues Q] [--seed N] [--rounds N] [--delay N] |
                                      --gpu-compute [--device NAME] [--sizes N,N...] [--work LIST] [--only REGEX] [--runs N]
                                      [--placement WHICH] [--ends LIST] [--stuck LIST] |
                                      --gpu-crash [--device NAME] | --gpu-cuda [--device NAME]]

            Looks for races in the task graph, in the GPU executor and in GPU drivers. Keep the machine free of other work.

              (nothing)          the Lincheck tests, then every jcstress test at its full length: hours
              --quick            the same tests, with few and short rounds of jcstress: minutes
              --soak MINUTES     random task graphs against an oracle, for that long
              --gpu-soak MINUTES random work on all queues of a device against a model, and frames of ever other render
                                 graphs with resizes, lost surfaces, edited shaders, new pipelines, bodies that throw and
                                 want of memory. Every submission is judged, no event may be missed, and memory of the
                                 heap, the process and the device must not rise. --city yes draws the demo's city in
                                 each of these frames
              --gpu-queues       words go round all queues of a device, a thread submits to each, and buffers change queue
                                 families; then again on the device adopted. --rounds (default 50) is how often
              --gpu-frames       random render graphs on all queues against a sequential model: --graphs of them (default
                                 200), or for --minutes. Stops at the first wrong one, with its seed and its graphs as files
                                 for ./frameloom plan in a folder gpu-frames-SEED
              --gpu-litmus       dispatches, fills and copies follow each other with each kind of barrier; status 1 if any
                                 comes out wrong with one. --rounds (default 10) repeats every trial, --delay (0 to 60000,
                                 default 2000) is the length of the loop that holds the first command back
              --gpu-compute      scans, matchings, compactions and clip boxes against a sequential program, every word.
                                 --sizes are numbers, 2^N or 2^N+N (default 2^27, 2^27+513, 2^28); --work is some of scan,
                                 match, compact, clip; --only takes those whose name contains a match; --runs (default 3)
                                 repeats on the same memory; --placement is aligned, unaligned or both (default); --ends is
                                 some of own_box, before_pop, after_pop; --stuck is some of none, eighth, half, all_but_one.
                                 Takes about 20 GB of the device and 6 GB of the host
              --gpu-crash        loses the device by a store to a wild address, and prints what its report says; status 1
                                 if that does not name the pass. May hurt what else runs on the GPU
              --gpu-cuda         CUDA and Vulkan take turns on one buffer of an NVIDIA GPU, every word compared
              --device NAME      as the demo's --device (default auto)
              --queues Q         graphics, compute and copy queues of a driver's device, as in 2,1,1, or all (default)
              --seed N           repeats a run
              -h, --help         print this text

            The Lincheck and jcstress tests end with one line "N passed, N failed, N skipped"; the whole output and the report
            of jcstress lie in stress-tests/target/jcstress. Status 0 when nothing failed, 2 when the command line is wrong.
            """;

    private interface Program {
        void run(String[] arguments) throws Exception;
    }

    private Main() {}

    /**
     * The program.
     *
     * @param arguments see the class
     * @throws Exception what the program throws
     */
    public static void main(String[] arguments) throws Exception {
        List<String> words = Arrays.asList(arguments);
        if (words.contains("-h") || words.contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        Program program = arguments.length == 0 ? null : program(arguments[0]);
        if (program == null) {
            System.exit(refuse(words, System.err));
        } else {
            program.run(withMinutes(arguments));
        }
    }

    private static int refuse(List<String> words, PrintStream err) {
        err.println("frameloom stress: '" + String.join(" ", words)
                + "' names no stress test; take --quick, --soak MINUTES,"
                + " --gpu-soak MINUTES, --gpu-queues, --gpu-frames, --gpu-litmus, --gpu-compute, --gpu-crash or"
                + " --gpu-cuda (see --help)");
        return BAD_INPUT;
    }

    private static @Nullable Program program(String name) {
        return switch (name) {
            case "--soak" -> SoakMain::main;
            case "--gpu-soak" -> GpuSoakMain::main;
            case "--gpu-queues" -> GpuQueuesMain::main;
            case "--gpu-frames" -> GpuFramesMain::main;
            case "--gpu-litmus" -> BarrierLitmusMain::main;
            case "--gpu-compute" -> GpuComputeMain::main;
            case "--gpu-crash" -> GpuCrashMain::main;
            case "--gpu-cuda" -> GpuCudaMain::main;
            default -> null;
        };
    }

    /** The minutes of a soak stand after its name; the program itself has an option for them. */
    private static String[] withMinutes(String[] arguments) {
        Stream<String> rest = Arrays.stream(arguments).skip(1);
        return (arguments[0].endsWith("soak") && arguments.length > 1 && !arguments[1].startsWith("-")
                        ? Stream.concat(Stream.of("--minutes"), rest)
                        : rest)
                .toArray(String[]::new);
    }
}
