package io.frameloom.taskgraph.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the number of helpers follows a load, on machines that exist as a formula only. */
final class HelperChoiceTest {
    private static final int LIMIT = 15;
    private static final int NODES = 65_536;
    /** About how many nodes one thread runs before it finds them too long. */
    private static final int FIRST_BODIES = 32;

    /** What runs cost: bodies, and what every helper adds to every node that it shares. */
    private static final class Machine {
        final HelperChoice choice = new HelperChoice(NODES, LIMIT);
        final Map<Integer, Integer> runsWith = new HashMap<>();
        double bodyNanos;
        /** Per node, for the first helper, and for each further one. */
        double sharing;

        double contention;
        boolean neverAlone;
        long total;
        long slowest;
        int helpers;

        Machine(double bodyNanos, double sharing, double contention) {
            this.bodyNanos = bodyNanos;
            this.sharing = sharing;
            this.contention = contention;
        }

        long elapsedWith(int number) {
            double shared =
                    number == 0 && !neverAlone ? bodyNanos : (bodyNanos + sharing) / (number + 1) + contention * number;
            return (long) (NODES * shared);
        }

        long best() {
            long best = Long.MAX_VALUE;
            for (int number : new int[] {0, 1, 2, 4, 8, LIMIT}) {
                best = Math.min(best, elapsedWith(number));
            }
            return best;
        }

        void run(double disturbance) {
            helpers = choice.next(!neverAlone);
            long elapsed = elapsedWith(helpers);
            HelperChoice.Course course =
                    helpers == 0 && !neverAlone ? HelperChoice.Course.ALONE : HelperChoice.Course.SHARED;
            int participants = helpers + 1;
            long toBeat = choice.nanosToBeat();
            if (course == HelperChoice.Course.ALONE && toBeat == 0L && bodyNanos > HelperChoice.LONG_NANOS) {
                course = HelperChoice.Course.LONG_BODIES;
                elapsed = elapsedWith(LIMIT) + (long) (FIRST_BODIES * bodyNanos);
                participants = LIMIT + 1;
            } else if (course == HelperChoice.Course.ALONE && toBeat > 0L && elapsed > toBeat) {
                // It becomes a shared run: soon if it is hopeless, or when it is overdue.
                long alone = elapsed > toBeat * 3 / 2
                        ? (long) (FIRST_BODIES * bodyNanos)
                        : Math.min(elapsed, toBeat + HelperChoice.HITCH_NANOS);
                if (alone < elapsed) {
                    course = HelperChoice.Course.OVERDUE;
                    elapsed = alone + (long) ((1 - alone / (double) elapsed) * elapsedWith(LIMIT));
                    participants = LIMIT + 1;
                }
            }
            long busy = course == HelperChoice.Course.OVERDUE ? elapsedWith(0) : elapsed * participants;
            elapsed += (long) disturbance;
            total += elapsed;
            slowest = Math.max(slowest, elapsed);
            runsWith.merge(participants - 1, 1, Integer::sum);
            choice.ran(elapsed, busy, course);
        }

        void run(int times) {
            for (int i = 0; i < times; i++) {
                run(0.0);
            }
        }

        void forgetTotals() {
            total = 0L;
            slowest = 0L;
            runsWith.clear();
        }
    }

    /**
     * A frame of a hundred bodies of 1 us and one helper, in a program that starts: everything is slow until its code is
     * compiled, parked helpers take a while to wake, and now and then another program has the processor.
     */
    private static final class Frame {
        private static final int BODIES = 100;
        private static final long ALONE = 100_000L;

        final HelperChoice choice = new HelperChoice(BODIES, 1);
        private final Random random = new Random(11);
        /** What a run with the helper takes of the time of one without. */
        double together;

        /** One in so many runs with the helper takes 3 ms more. */
        int stops = 50;

        private int runs;
        private int shared;
        private int inRow;

        Frame(double together) {
            this.together = together;
        }

        /** Returns how many of the runs had the helper. */
        int run(int times) {
            int before = shared;
            for (int i = 0; i < times; i++) {
                run();
            }
            return shared - before;
        }

        private void run() {
            boolean helped = choice.next(true) > 0;
            double bodies = 1 + 20 * Math.exp(-runs++ / 10.0);
            double nanos = ALONE * bodies;
            if (helped) {
                inRow++;
                shared++;
                nanos = nanos * together + 300_000 * Math.exp(-shared / 20.0) + 200_000 * Math.exp(1 - inRow);
            } else {
                inRow = 0;
            }
            nanos *= 1 + random.nextDouble() / 10;
            nanos += random.nextInt(helped ? stops : 50) == 0 ? 3_000_000 : 0;
            long busy = (long) (ALONE * bodies);
            choice.ran(
                    (long) nanos,
                    helped ? busy + HelperChoice.LONG_NANOS * BODIES / 4 : busy,
                    helped ? HelperChoice.Course.SHARED : HelperChoice.Course.ALONE);
        }
    }

    @Test
    void aHelperThatPaysIsFoundInAProgramThatStarts() {
        Frame frame = new Frame(0.55);
        frame.run(500);
        assertThat(frame.run(10_000)).isGreaterThan(9_500);
    }

    @Test
    void aHelperThatDoesNotPayIsLetGo() {
        Frame frame = new Frame(1.0);
        frame.run(500);
        assertThat(frame.run(10_000)).isLessThan(1_500);
    }

    /** Most runs gain, but other programs need the processors and stop one of two threads more often than one alone. */
    @Test
    void aHelperThatIsStoppedTooOftenIsLetGo() {
        Frame frame = new Frame(0.7);
        frame.run(500);
        frame.stops = 20;
        frame.run(2_000);
        assertThat(frame.run(10_000)).isLessThan(3_000);
    }

    /** What it lost on is over some day: another program was busy, say. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000})
    void aHelperThatDidNotPayIsTriedAgain(int runsBefore) {
        Frame frame = new Frame(1.0);
        frame.run(runsBefore);
        frame.together = 0.55;
        frame.run(10_000);
        assertThat(frame.run(10_000)).isGreaterThan(9_500);
    }

    /** A run with nodes of named threads is not looked at alone, so only its time shows that bodies have become long. */
    @Test
    void whatIsNeverAloneIsSharedSoonAfterItsBodiesBecomeLong() {
        Machine machine = new Machine(0.5, 10, 0.9);
        machine.neverAlone = true;
        machine.sharing = 0;
        machine.contention = 0;
        machine.run(3_000);
        machine.forgetTotals();
        machine.bodyNanos = 100_000;
        machine.run(3);
        assertThat(machine.helpers).isEqualTo(LIMIT);
        assertThat(machine.runsWith.get(0)).isEqualTo(1);
    }

    /** The measured case: empty bodies that share at fifteen times the price of one thread. */
    @Test
    void emptyBodiesAreRunByOneThreadThoughSharedOnesLookLong() {
        Machine machine = new Machine(0.9, 10, 0.9);
        machine.run(200);
        assertThat(machine.runsWith.get(0)).isGreaterThan(150);
        machine.run(20_000);
        machine.forgetTotals();
        machine.run(20_000);
        assertThat(machine.total).isLessThan(20_000 * machine.best() / 100 * 102);
        assertThat(machine.runsWith.get(0)).isGreaterThan(19_500);
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 40, 80, 120, 180})
    void fineBodiesGetTheNumberThatIsFastest(double bodyNanos) {
        for (double contention : new double[] {0, 0.5, 2, 5, 20, 60}) {
            Machine machine = new Machine(bodyNanos, 60, contention);
            machine.run(3_000);
            machine.forgetTotals();
            machine.run(3_000);
            assertThat((double) machine.total / machine.best())
                    .as("contention %s, runs by helpers %s", contention, machine.runsWith)
                    .isLessThan(3_000 * 1.17);
        }
    }

    @Test
    void longBodiesGetAllHelpersAndLittleTimeGoesToOtherTrials() {
        Machine machine = new Machine(1_000, 50, 1);
        machine.run(10_000);
        assertThat(machine.runsWith).containsOnlyKeys(LIMIT);
        assertThat(machine.total).isLessThan(10_000 * machine.best() / 1000 * 1001);
    }

    @Test
    void longLookingBodiesAreFoundToBeShort() {
        Machine machine = new Machine(1, 20, 25);
        machine.run(1);
        assertThat(machine.choice.expectsLongBodies()).isTrue();
        machine.run(10);
        assertThat(machine.choice.expectsLongBodies()).isFalse();
        machine.run(1_000);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat(machine.runsWith.get(0)).isGreaterThan(950);
    }

    @Test
    void shortRunsNeverGetAHelperAfterTheFirst() {
        HelperChoice choice = new HelperChoice(100, LIMIT);
        assertThat(choice.next(true)).isEqualTo(LIMIT);
        choice.ran(30_000, 15_000, HelperChoice.Course.SHARED);
        for (int run = 0; run < 100_000; run++) {
            assertThat(choice.next(true)).isZero();
            choice.ran(400, 400, HelperChoice.Course.ALONE);
        }
    }

    @Test
    void aLoadThatChangesIsFollowed() {
        Machine machine = new Machine(1, 60, 2);
        machine.run(2_000);
        assertThat(machine.choice.expectsLongBodies()).isFalse();
        machine.bodyNanos = 5_000;
        machine.run(5);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat(machine.runsWith).containsOnlyKeys(LIMIT);
        machine.bodyNanos = 1;
        machine.run(30);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat(machine.runsWith.get(0)).isGreaterThan(800);
        machine.bodyNanos = 150;
        machine.run(2_000);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat((double) machine.total / machine.best()).isLessThan(1_000 * 1.17);
    }

    /** Code that is not compiled yet is slow alone, too; but no finding outlasts what it was found on by much. */
    @Test
    void aMistakeEnds() {
        Machine machine = new Machine(400, 1_000, 500);
        machine.run(5_000);
        machine.bodyNanos = 1;
        machine.run(20);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat(machine.runsWith.get(0)).isGreaterThan(980);
    }

    /** Named threads keep such a run from being one thread's; the numbers of helpers are compared all the same. */
    @Test
    void runsThatAreNeverAloneAreTriedWithoutHelpers() {
        Machine machine = new Machine(20, 10, 0.5);
        machine.neverAlone = true;
        machine.run(3_000);
        machine.forgetTotals();
        machine.run(1_000);
        assertThat((double) machine.total / machine.best()).isLessThan(1_000 * 1.17);
    }

    @Test
    void disturbancesOfTheMachineDoNotMislead() {
        Random random = new Random(7);
        Machine machine = new Machine(0.9, 10, 0.9);
        machine.run(2_000);
        machine.forgetTotals();
        double disturbed = 0;
        for (int run = 0; run < 20_000; run++) {
            double disturbance = random.nextInt(20) == 0 ? 3_000_000 : 0;
            disturbed += disturbance;
            machine.run(disturbance);
        }
        assertThat(machine.runsWith.get(0)).isGreaterThan(18_000);
        assertThat(machine.total - disturbed).isLessThan(20_000.0 * machine.best() * 1.5);
    }

    @Test
    void aTrialIsNoHitch() {
        Machine machine = new Machine(150, 20, 1);
        machine.run(5_000);
        machine.forgetTotals();
        machine.run(50_000);
        long allowed = 2 * HelperChoice.HITCH_NANOS;
        assertThat(machine.slowest).isLessThan(machine.best() * 5 / 4 + allowed);
    }
}
