package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.stress.gpu.DeviceProgram;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks scans, matchings, compactions and clip boxes of a device at lengths that tests have no time and no memory for: with
 * offsets, canaries and poison around and in all that is written, several runs without clearing, and each word of each run
 * compared with a sequential program's, which goes through windows beside it.
 *
 * <pre>
 * GpuComputeMain [--device NAME] [--sizes N,N...] [--work LIST] [--runs N]
 * </pre>
 *
 * <p>Sizes are numbers of elements, as they are or as exponents of two: {@code 2^27} or {@code 2^27+513}. The host needs
 * about 6 GB of heap for 2^28 elements, the device about 20 GB.
 *
 * <p>Exit code 0: everything was right. 1: something was not, or a failure. 2: the command line is wrong.
 */
public final class GpuComputeMain {
    private static final String USAGE =
            "usage: GpuComputeMain [--device NAME] [--sizes N,N...] [--work scan,match,compact,clip] [--runs N]";
    private static final int BAD_INPUT = 2;
    private static final int MOST_RUNS = 1_000;
    private static final int LARGEST_EXPONENT = 29;
    private static final String POWER = "2^";
    /** 2^27, that and half a section and one more, and 2^28. */
    private static final List<Long> SIZES = List.of(1L << 27, (1L << 27) + 513, 1L << 28);

    private GpuComputeMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        int runs = 3;
        List<Long> sizes = SIZES;
        Set<ComputeSuite.Kind> kinds = EnumSet.allOf(ComputeSuite.Kind.class);
        DeviceSelector selector = new DeviceSelector.Auto();
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--runs" -> runs = (int) within(Long.parseLong(value), MOST_RUNS);
                    case "--sizes" -> sizes = sizes(value);
                    case "--work" -> kinds = kinds(value);
                    case "--device" -> selector = DeviceSelector.parse(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs whole numbers, got '" + value + "'");
            } catch (IllegalArgumentException e) {
                refuse(arguments[i] + ": " + e.getMessage());
            }
        }
        DeviceSelector device = selector;
        List<Long> lengths = sizes;
        Set<ComputeSuite.Kind> works = kinds;
        int times = runs;
        System.exit(DeviceProgram.run(System.getProperties(), () -> run(device, works, lengths, times), System.err));
    }

    static List<Long> sizes(String text) {
        List<Long> sizes = new ArrayList<>();
        for (String size : text.split(",", -1)) {
            sizes.add(within(size(size), 1L << LARGEST_EXPONENT));
        }
        return sizes;
    }

    private static long size(String text) {
        if (!text.startsWith(POWER)) {
            return Long.parseLong(text);
        }
        int plus = text.indexOf('+');
        String exponent = text.substring(POWER.length(), plus < 0 ? text.length() : plus);
        return (1L << within(Long.parseLong(exponent), LARGEST_EXPONENT))
                + (plus < 0 ? 0 : Long.parseLong(text.substring(plus + 1)));
    }

    static Set<ComputeSuite.Kind> kinds(String text) {
        Set<ComputeSuite.Kind> kinds = EnumSet.noneOf(ComputeSuite.Kind.class);
        for (String name : text.split(",", -1)) {
            ComputeSuite.Kind kind = EnumSet.allOf(ComputeSuite.Kind.class).stream()
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("'" + name + "' is none of scan, match, compact, clip"));
            kinds.add(kind);
        }
        return kinds;
    }

    private static long within(long number, long most) {
        if (number < 1 || number > most) {
            throw new IllegalArgumentException("must be from 1 to " + most + ", got " + number);
        }
        return number;
    }

    private static void refuse(String reason) {
        System.err.println(reason + "; " + USAGE);
        System.exit(BAD_INPUT);
    }

    private static boolean run(DeviceSelector selector, Set<ComputeSuite.Kind> kinds, List<Long> lengths, int runs) {
        try (TaskGraph tasks = TaskGraph.builder().name("compute").workers(1).build();
                GpuDevice device = GpuDevices.open(selector, new DeviceOptions(tasks, "gpu compute", false, null))) {
            System.out.printf(
                    "gpu compute: %s, %s elements, %d runs%n",
                    device.capabilities().name(), lengths, runs);
            return new ComputeSuite(device, System.out).run(kinds, lengths, runs);
        } catch (GpuException | IllegalStateException e) {
            e.printStackTrace(System.out);
            return false;
        }
    }
}
