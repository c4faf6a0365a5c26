package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.StuckTiles;
import io.frameloom.stress.gpu.DeviceProgram;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * Checks scans, matchings, compactions and clip boxes of a device at lengths that tests have no time and no memory for: with
 * offsets, canaries and poison around and in all that is written, several runs on scratch memory that is not cleared, and
 * each word of each run compared with a sequential program's, which goes through windows beside it.
 *
 * <pre>
 * GpuComputeMain [--device NAME] [--sizes N,N...] [--work LIST] [--only REGEX] [--runs N] [--placement WHICH]
 *                [--ends LIST] [--stuck LIST]
 * </pre>
 *
 * <p>Sizes are numbers of elements, as they are or as exponents of two: {@code 2^27} or {@code 2^27+513}. The host needs
 * about 6 GB of heap for 2^28 elements, the device about 20 GB. Inputs and outputs begin at words that are no multiple of
 * four ({@code unaligned}), at such ({@code aligned}), or, as is usual, in every second run at such ({@code both}). Clip
 * boxes of all nests and modes of ENDs are checked at 2^24, those of three nests in one mode each at all sizes; those of
 * all nests are in the modes that {@code --ends} lists. Scans that look back are checked in the same way with tiles that are
 * stuck, as if the device did not let their workgroups get on: with no tile, an eighth, half and all but one at 2^24, with
 * no tile and one of the others at all sizes, or with those of {@code --stuck}. {@code --only} takes work whose name, which
 * stands at the beginning of its line, contains a match.
 *
 * <p>Exit code 0: everything was right. 1: something was not, or a failure. 2: the command line is wrong.
 */
public final class GpuComputeMain {
    private static final String USAGE =
            "usage: GpuComputeMain [--device NAME] [--sizes N,N...] [--work scan,match,compact,clip]"
                    + " [--only REGEX] [--runs N] [--placement aligned|unaligned|both]"
                    + " [--ends own_box,before_pop,after_pop] [--stuck none,eighth,half,all_but_one]";
    private static final int BAD_INPUT = 2;
    private static final int MOST_RUNS = 1_000;
    private static final int LARGEST_EXPONENT = 29;
    private static final String POWER = "2^";
    private static final String BOTH = "both";
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
        List<Placement> placements = placements(BOTH);
        Set<ClipEnd> ends = EnumSet.noneOf(ClipEnd.class);
        Set<StuckTiles> stuck = EnumSet.noneOf(StuckTiles.class);
        Pattern only = ComputePlan.ALL;
        DeviceSelector selector = new DeviceSelector.Auto();
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--runs" -> runs = (int) within(Long.parseLong(value), MOST_RUNS);
                    case "--sizes" -> sizes = sizes(value);
                    case "--work" -> kinds = listed(value, ComputeSuite.Kind.class);
                    case "--placement" -> placements = placements(value);
                    case "--only" -> only = Pattern.compile(value);
                    case "--stuck" -> stuck = listed(value, StuckTiles.class);
                    case "--ends" -> ends = listed(value, ClipEnd.class);
                    case "--device" -> selector = DeviceSelector.parse(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs whole numbers, got '" + value + "'");
            } catch (PatternSyntaxException e) {
                refuse(arguments[i] + ": " + e.getDescription() + " in '" + value + "'");
            } catch (IllegalArgumentException e) {
                refuse(arguments[i] + ": " + e.getMessage());
            }
        }
        DeviceSelector device = selector;
        ComputePlan plan = new ComputePlan(kinds, sizes, Placement.byTurns(placements, runs), ends, stuck, only);
        if (ComputeSuite.names(plan).isEmpty()) {
            refuse("--only: no name of this work contains '" + only + "'");
        }
        System.exit(DeviceProgram.run(System.getProperties(), () -> run(device, plan), System.err));
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

    /** Returns constants by their names in lower case. */
    static <T extends Enum<T>> Set<T> listed(String text, Class<T> type) {
        Set<T> listed = EnumSet.noneOf(type);
        for (String name : text.split(",", -1)) {
            listed.add(EnumSet.allOf(type).stream()
                    .filter(each -> lower(each).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is none of "
                            + EnumSet.allOf(type).stream()
                                    .map(GpuComputeMain::lower)
                                    .collect(Collectors.joining(", ")))));
        }
        return listed;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static List<Placement> placements(String text) {
        return text.equals(BOTH) ? List.of(Placement.values()) : List.copyOf(listed(text, Placement.class));
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

    private static boolean run(DeviceSelector selector, ComputePlan plan) {
        try (TaskGraph tasks = TaskGraph.builder().name("compute").workers(1).build();
                GpuDevice device = GpuDevices.open(selector, new DeviceOptions(tasks, "gpu compute", false, null))) {
            System.out.printf(
                    "gpu compute: %s, %s elements, runs %s%n",
                    device.capabilities().name(), plan.lengths(), plan.placements());
            return new ComputeSuite(device, System.out).run(plan);
        }
    }
}
