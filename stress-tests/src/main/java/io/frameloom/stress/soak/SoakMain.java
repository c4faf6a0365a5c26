package io.frameloom.stress.soak;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs random rounds for a given time.
 *
 * <pre>
 * SoakMain [--minutes N] [--seed N]
 * </pre>
 *
 * <p>Exit code 0: nothing was wrong. 1: a round did something wrong, which is printed with its seed, or did not end
 * within two minutes, in which case all threads and what they wait for are printed. 2: the command line is wrong.
 */
public final class SoakMain {
    private static final String USAGE = "usage: SoakMain [--minutes N] [--seed N]";
    private static final int BAD_INPUT = 2;
    private static final int MOST_WORKERS = 24;
    private static final long LONGEST_ROUND_MINUTES = 2;

    private SoakMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     * @throws InterruptedException if the main thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        long minutes = 10;
        long seed = System.nanoTime();
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (!value.matches("\\d{1,9}")) {
                refuse(arguments[i] + " needs a whole number");
            } else if (arguments[i].equals("--minutes")) {
                minutes = Long.parseLong(value);
            } else if (arguments[i].equals("--seed")) {
                seed = Long.parseLong(value);
            } else {
                refuse("unknown option " + arguments[i]);
            }
        }
        System.exit(soak(Duration.ofMinutes(minutes), seed) ? 0 : 1);
    }

    private static void refuse(String reason) {
        System.err.println(reason + "; " + USAGE);
        System.exit(BAD_INPUT);
    }

    private static boolean soak(Duration length, long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        long begin = System.nanoTime();
        int rounds = 0;
        while (System.nanoTime() - begin < length.toNanos()) {
            int workers = 1 + random.nextInt(MOST_WORKERS);
            long roundSeed = random.nextLong(1_000_000_000L);
            SoakRound round =
                    rounds % 2 == 0 ? new DynamicSoak(workers, roundSeed) : new CompiledSoak(workers, roundSeed);
            List<String> problems = runGuarded(round);
            rounds++;
            if (!problems.isEmpty()) {
                System.out.println("soak: " + round + ": " + problems.size() + " problems");
                problems.stream().limit(20).forEach(System.out::println);
                return false;
            }
        }
        System.out.println("soak: " + rounds + " rounds in "
                + Duration.ofNanos(System.nanoTime() - begin).toSeconds() + " s, first seed " + seed + ", 0 problems");
        return true;
    }

    private static List<String> runGuarded(SoakRound round) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread guard = new Thread(() -> guard(round, ended), "soak-guard");
        guard.setDaemon(true);
        guard.start();
        try {
            return round.run();
        } finally {
            ended.countDown();
            guard.join();
        }
    }

    private static void guard(SoakRound round, CountDownLatch ended) {
        try {
            if (ended.await(LONGEST_ROUND_MINUTES, TimeUnit.MINUTES)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        System.out.println("soak: " + round + " does not end");
        System.out.println(round.waits().get());
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            System.out.println(thread.getKey());
            for (@Nullable StackTraceElement frame : thread.getValue()) {
                System.out.println("    at " + frame);
            }
        }
        System.exit(1);
    }
}
