package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.stress.gpu.DeviceProgram;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs every {@linkplain Experiment experiment} with every {@linkplain Ordering ordering} on one queue of each kind, or on
 * all queues that are asked for, and prints how many trials came out wrong.
 *
 * <pre>
 * BarrierLitmusMain [--rounds N] [--device NAME] [--queues all|G,C,T] [--seed N] [--delay N]
 * </pre>
 *
 * <p>Exit code 0: every barrier held. 1: a device broke what a barrier promises, or a failure. 2: the command line is
 * wrong.
 */
public final class BarrierLitmusMain {
    private static final String USAGE =
            "usage: BarrierLitmusMain [--rounds N] [--device NAME] [--queues all|G,C,T] [--seed N] [--delay N]";
    private static final int BAD_INPUT = 2;
    private static final int MOST_ROUNDS = 1_000_000;
    /** lavapipe cuts an invocation at 65,535 rounds of its loops. */
    private static final int LONGEST_DELAY = 60_000;

    private final BarrierLitmus litmus;
    private final int rounds;
    private final List<String> broken = new ArrayList<>();
    private int experiments;
    private int visible;

    private BarrierLitmusMain(BarrierLitmus litmus, int rounds) {
        this.litmus = litmus;
        this.rounds = rounds;
    }

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        int rounds = 10;
        int delay = 2_000;
        long seed = System.nanoTime();
        DeviceSelector selector = new DeviceSelector.Auto();
        QueueCounts queues = QueueCounts.ONE_OF_EACH;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--rounds" -> rounds = within(Integer.parseInt(value), 1, MOST_ROUNDS);
                    case "--delay" -> delay = within(Integer.parseInt(value), 0, LONGEST_DELAY);
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--device" -> selector = DeviceSelector.parse(value);
                    case "--queues" -> queues = QueueCounts.parse(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs a whole number, got '" + value + "'");
            } catch (IllegalArgumentException e) {
                refuse(arguments[i] + ": " + e.getMessage());
            }
        }
        DeviceSelector device = selector;
        QueueCounts counts = queues;
        int turns = rounds;
        int length = delay;
        long start = seed;
        System.exit(
                DeviceProgram.run(System.getProperties(), () -> run(device, counts, turns, length, start), System.err));
    }

    private static int within(int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException("must be from " + least + " to " + most + ", got " + number);
        }
        return number;
    }

    private static void refuse(String reason) {
        System.err.println(reason + "; " + USAGE);
        System.exit(BAD_INPUT);
    }

    private static boolean run(DeviceSelector selector, QueueCounts queues, int rounds, int delay, long seed) {
        try (TaskGraph tasks = TaskGraph.builder().name("litmus").workers(1).build();
                GpuDevice device =
                        GpuDevices.open(selector, new DeviceOptions(tasks, "litmus", false, null).withQueues(queues));
                BarrierLitmus litmus = new BarrierLitmus(device, seed, delay)) {
            System.out.printf(
                    "barrier litmus: %s, %s, %s, delay %d, seed %d%n",
                    device.capabilities().name(),
                    Plural.of(device.queues().size(), "queue"),
                    Plural.of(rounds, "round"),
                    delay,
                    seed);
            BarrierLitmusMain main = new BarrierLitmusMain(litmus, rounds);
            device.queues().forEach(main::queue);
            return main.summary();
        }
    }

    private void queue(GpuQueue queue) {
        StringBuilder heads = new StringBuilder();
        for (Ordering ordering : Ordering.values()) {
            heads.append("  ").append(ordering.name().replace('_', ' ').toLowerCase(Locale.ROOT));
        }
        System.out.printf("%nqueue '%s': wrong trials by what stands between%n%-68s%s%n", queue.name(), "", heads);
        for (Experiment experiment : Experiment.on(queue.kind())) {
            experiment(queue, experiment);
        }
    }

    private void experiment(GpuQueue queue, Experiment experiment) {
        Map<Ordering, Integer> wrong = new EnumMap<>(Ordering.class);
        StringBuilder row = new StringBuilder();
        for (Ordering ordering : Ordering.values()) {
            for (int round = 0; round < rounds; round++) {
                BarrierLitmus.Outcome outcome = litmus.run(queue, experiment, ordering);
                wrong.merge(ordering, outcome.wrongTrials(), Integer::sum);
                if (ordering.orders() && outcome.wrongTrials() > 0) {
                    broken.add("queue '" + queue.name() + "', " + experiment + ", with "
                            + ordering.name().replace('_', ' ').toLowerCase(Locale.ROOT) + ": "
                            + outcome.firstWrong());
                }
            }
            row.append("  ").append(String.format("%" + ordering.name().length() + "d", wrong.get(ordering)));
        }
        experiments++;
        visible += wrong.getOrDefault(Ordering.NONE, 0) > 0 ? 1 : 0;
        System.out.printf("%-68s%s%n", experiment, row);
    }

    private boolean summary() {
        broken.stream().limit(20).forEach(System.out::println);
        System.out.printf(
                "%nbarrier litmus: %d experiments, %d show their hazard without a barrier, %d outcomes with a barrier"
                        + " were wrong%n",
                experiments, visible, broken.size());
        return broken.isEmpty();
    }
}
