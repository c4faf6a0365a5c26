package io.frameloom.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Program.Spec;
import io.frameloom.testing.TestEffort;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random programs on one to three queues that are correct by construction are silent, and without any one barrier, wait,
 * or bit of their masks, with a barrier of all memory made one of a single resource, with a wait made one for an early point,
 * with a write taken out of its group, or with half of an ownership transfer left out or between other families, the checker reports something exactly when a brute-force reference says that it was
 * needed.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HazardMutationTest {
    private static final int PROGRAMS = TestEffort.of(50, 600);

    /** What a mutant lacks or has changed, and how many in a thorough run make a program wrong at least. */
    private enum Kind {
        WHOLE(1_000),
        BITS(1_000),
        /** Barriers that must be of all memory to hand memory over. */
        SCOPED(100),
        /** Waits that must be for more than the early point. */
        IMPATIENT(30),
        /** Writes that are right only because they overlap. */
        UNGROUPED(30),
        /** Halves of transfers. */
        HALVED(500),
        /** Halves of transfers that name other families: each makes a program wrong. */
        MISDIRECTED(1_000),
        /** Barriers that are inside of a pass. */
        TUCKED(1_000),
        /** Whole transfers. */
        UNTRANSFERRED(100),
        /** Waits of the host. */
        HASTY(100),
        /** Waits for too low a value. */
        TOO_LOW(30);

        private final int thorough;

        Kind(int thorough) {
            this.thorough = thorough;
        }

        /** What the programs of this run exceed. */
        int least() {
            return TestEffort.of(thorough / 20, thorough);
        }
    }

    /** How many mutants of each kind are wrong, and right. */
    private record Tally(Map<Kind, Integer> wrong, Map<Kind, Integer> right) {
        Tally() {
            this(new EnumMap<>(Kind.class), new EnumMap<>(Kind.class));
        }

        void add(Kind kind, boolean correct) {
            (correct ? right : wrong).merge(kind, 1, Integer::sum);
        }
    }

    @Test
    void reportsExactlyWhatIsNeeded() {
        Tally tally = new Tally();
        for (long seed = 0; seed < PROGRAMS; seed++) {
            List<Spec> specs = RandomPrograms.specs(new SplittableRandom(seed));
            long current = seed;
            if (problem(specs, seed, tally) != null) {
                List<Spec> least = RandomPrograms.shrunk(specs, fewer -> problem(fewer, current, new Tally()) != null);
                throw new AssertionError("seed " + seed + ": " + problem(least, seed, new Tally()));
            }
        }
        for (Kind kind : Kind.values()) {
            assertThat(tally.wrong().getOrDefault(kind, 0))
                    .as(
                            "%s that make a program wrong, %s that do not",
                            kind, tally.right().get(kind))
                    .isGreaterThan(kind.least());
        }
        assertThat(tally.right()).containsKeys(Kind.WHOLE, Kind.BITS).doesNotContainKey(Kind.MISDIRECTED);
    }

    private static Map<Kind, List<Program>> mutants(Program program) {
        ProgramMutants mutants = new ProgramMutants(program);
        Map<Kind, List<Program>> all = new EnumMap<>(Kind.class);
        all.put(
                Kind.WHOLE,
                IntStream.range(0, program.removable())
                        .mapToObj(program::without)
                        .toList());
        all.put(Kind.BITS, mutants.parts().stream().map(mutants::without).toList());
        all.put(Kind.SCOPED, mutants.scoped());
        all.put(Kind.IMPATIENT, mutants.impatient());
        all.put(Kind.UNGROUPED, mutants.ungrouped());
        all.put(Kind.HALVED, mutants.halved());
        all.put(Kind.MISDIRECTED, mutants.misdirected());
        all.put(Kind.TUCKED, Mutations.tucked(program));
        all.put(Kind.UNTRANSFERRED, Mutations.untransferred(program));
        all.put(Kind.HASTY, Mutations.hasty(program));
        all.put(Kind.TOO_LOW, Mutations.tooLow(program));
        return all;
    }

    /** Returns what is wrong with the checker on a program and its mutants, null if nothing; counts the mutants. */
    private static @Nullable String problem(List<Spec> specs, long seed, Tally tally) {
        Program program = program(specs, seed);
        if (!Reference.correct(program)) {
            return "the generator made an incorrect program" + program;
        }
        List<Hazard> hazards = program.judge();
        if (!hazards.isEmpty()) {
            return "correct, but reported " + hazards + program;
        }
        for (Map.Entry<Kind, List<Program>> mutants : mutants(program).entrySet()) {
            for (Program mutant : mutants.getValue()) {
                boolean correct = Reference.correct(mutant);
                tally.add(mutants.getKey(), correct);
                List<Hazard> found = mutant.judge();
                if (correct != found.isEmpty()) {
                    return "a mutant is " + (correct ? "correct, but reported " + found : "incorrect, but silent")
                            + mutant + "\nof" + program;
                }
            }
        }
        return null;
    }

    private static Program program(List<Spec> specs, long seed) {
        Program program = Program.of(specs);
        SplittableRandom random = new SplittableRandom(~seed);
        program.addHostWaits(random);
        program.addEarlySignals(random);
        program.addEarlyHostWaits(random);
        program.addExternalPoints(random);
        return program;
    }
}
