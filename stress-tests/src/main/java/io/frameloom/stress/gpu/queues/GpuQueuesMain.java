package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.stress.gpu.DeviceProgram;
import java.util.List;

/**
 * Runs {@link QueueChecks} on all queues of a device.
 *
 * <pre>
 * GpuQueuesMain [--device NAME] [--queues all|G,C,T] [--rounds N] [--seed N] [--validate yes|no]
 * </pre>
 *
 * <p>Exit code 0: nothing was wrong. 1: something was. 2: the command line is wrong.
 */
public final class GpuQueuesMain {
    private static final String USAGE =
            "usage: GpuQueuesMain [--device NAME] [--queues all|G,C,T] [--rounds N] [--seed N]"
                    + " [--validate yes|no]";
    private static final int BAD_INPUT = 2;
    private static final int MOST_ROUNDS = 10_000;

    private GpuQueuesMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        DeviceSelector selector = new DeviceSelector.Auto();
        QueueCounts counts = QueueCounts.ALL;
        int rounds = 50;
        long seed = System.nanoTime();
        boolean validation = false;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--device" -> selector = DeviceSelector.parse(value);
                    case "--queues" -> counts = QueueCounts.parse(value);
                    case "--rounds" -> rounds = within(Integer.parseInt(value));
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--validate" -> validation = yes(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs a whole number, got '" + value + "'");
            } catch (IllegalArgumentException e) {
                refuse(arguments[i] + ": " + e.getMessage());
            }
        }
        DeviceSelector device = selector;
        QueueCounts queues = counts;
        int turns = rounds;
        long start = seed;
        boolean validate = validation;
        System.exit(DeviceProgram.run(
                System.getProperties(), () -> run(device, queues, turns, start, validate), System.err));
    }

    private static int within(int rounds) {
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw new IllegalArgumentException("must be from 1 to " + MOST_ROUNDS + ", got " + rounds);
        }
        return rounds;
    }

    private static boolean yes(String value) {
        return switch (value) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new IllegalArgumentException("is yes or no, got '" + value + "'");
        };
    }

    private static void refuse(String reason) {
        System.err.println(reason + "; " + USAGE);
        System.exit(BAD_INPUT);
    }

    private static boolean run(DeviceSelector selector, QueueCounts counts, int rounds, long seed, boolean validation) {
        List<String> problems = new QueueChecks(System.out, rounds, seed).run(selector, counts, validation);
        problems.stream().distinct().limit(20).forEach(System.out::println);
        System.out.println("gpu queues: " + problems.size() + " problems, seed " + seed);
        return problems.isEmpty();
    }
}
