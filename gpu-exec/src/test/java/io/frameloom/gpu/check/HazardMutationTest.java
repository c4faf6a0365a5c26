package io.frameloom.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Program.Spec;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
    private static final int PROGRAMS = TestEffort.of(100, 600);

    @Test
    void reportsExactlyWhatIsNeeded() {
        int needed = 0;
        int redundant = 0;
        int neededBits = 0;
        int idleBits = 0;
        int tooNarrow = 0;
        int tooEarly = 0;
        int unordered = 0;
        int halves = 0;
        int halvesNeeded = 0;
        int astray = 0;
        int tucked = 0;
        int untransferred = 0;
        int hasty = 0;
        int tooLow = 0;
        for (long seed = 0; seed < PROGRAMS; seed++) {
            List<Spec> specs = RandomPrograms.specs(new SplittableRandom(seed));
            long current = seed;
            if (problem(specs, seed) != null) {
                List<Spec> least = RandomPrograms.shrunk(specs, fewer -> problem(fewer, current) != null);
                throw new AssertionError("seed " + seed + ": " + problem(least, seed));
            }
            Program program = program(specs, seed);
            for (int i = 0; i < program.removable(); i++) {
                if (Reference.correct(program.without(i))) {
                    redundant++;
                } else {
                    needed++;
                }
            }
            for (Program scoped : new ProgramMutants(program).scoped()) {
                tooNarrow += Reference.correct(scoped) ? 0 : 1;
            }
            for (Program early : new ProgramMutants(program).impatient()) {
                tooEarly += Reference.correct(early) ? 0 : 1;
            }
            for (Program ordered : new ProgramMutants(program).ungrouped()) {
                unordered += Reference.correct(ordered) ? 0 : 1;
            }
            for (Program half : new ProgramMutants(program).halved()) {
                halves++;
                halvesNeeded += Reference.correct(half) ? 0 : 1;
            }
            for (Program other : new ProgramMutants(program).misdirected()) {
                assertThat(Reference.correct(other))
                        .as("families of a transfer")
                        .isFalse();
                astray++;
            }
            tucked += incorrect(Mutations.tucked(program));
            untransferred += incorrect(Mutations.untransferred(program));
            hasty += incorrect(Mutations.hasty(program));
            tooLow += incorrect(Mutations.tooLow(program));
            for (ProgramMutants.Part part : new ProgramMutants(program).parts()) {
                if (Reference.correct(new ProgramMutants(program).without(part))) {
                    idleBits++;
                } else {
                    neededBits++;
                }
            }
        }
        assertThat(tooNarrow)
                .as("barriers that must be of all memory to hand memory over")
                .isGreaterThan(least(100));
        assertThat(tooEarly)
                .as("waits that must be for more than the early point")
                .isGreaterThan(least(30));
        assertThat(unordered)
                .as("writes that are right only because they overlap")
                .isGreaterThan(least(30));
        assertThat(halvesNeeded)
                .as("halves of transfers that are needed, of %d", halves)
                .isGreaterThan(least(500));
        assertThat(astray).as("halves of transfers that name other families").isGreaterThan(least(1_000));
        assertThat(tucked).as("barriers that are inside of a pass").isGreaterThan(least(1_000));
        assertThat(untransferred).as("transfers that are needed").isGreaterThan(least(100));
        assertThat(hasty).as("waits of the host that are needed").isGreaterThan(least(100));
        assertThat(tooLow).as("waits for too low a value").isGreaterThan(least(30));
        assertThat(neededBits)
                .as("bits that break a program, %d that do not", idleBits)
                .isGreaterThan(least(1_000));
        assertThat(idleBits).as("bits that break nothing").isPositive();
        assertThat(needed)
                .as("mutants that break a program, %d that do not", redundant)
                .isGreaterThan(least(1_000));
        assertThat(redundant).as("mutants that break nothing").isPositive();
    }

    /** Of a number that all programs exceed, what those of the usual run do. */
    private static int least(int thorough) {
        return TestEffort.of(thorough / 10, thorough);
    }

    private static int incorrect(List<Program> mutants) {
        return (int)
                mutants.stream().filter(mutant -> !Reference.correct(mutant)).count();
    }

    /** Returns what is wrong with the checker on a program and its mutants, null if nothing. */
    private static @Nullable String problem(List<Spec> specs, long seed) {
        Program program = program(specs, seed);
        if (!Reference.correct(program)) {
            return "the generator made an incorrect program" + program;
        }
        List<Hazard> hazards = program.judge();
        if (!hazards.isEmpty()) {
            return "correct, but reported " + hazards + program;
        }
        List<Program> mutants = new ArrayList<>();
        for (int i = 0; i < program.removable(); i++) {
            mutants.add(program.without(i));
        }
        new ProgramMutants(program).parts().forEach(part -> mutants.add(new ProgramMutants(program).without(part)));
        mutants.addAll(new ProgramMutants(program).scoped());
        mutants.addAll(new ProgramMutants(program).impatient());
        mutants.addAll(new ProgramMutants(program).ungrouped());
        mutants.addAll(new ProgramMutants(program).halved());
        mutants.addAll(new ProgramMutants(program).misdirected());
        mutants.addAll(Mutations.tucked(program));
        mutants.addAll(Mutations.untransferred(program));
        mutants.addAll(Mutations.hasty(program));
        mutants.addAll(Mutations.tooLow(program));
        for (Program mutant : mutants) {
            boolean correct = Reference.correct(mutant);
            List<Hazard> found = mutant.judge();
            if (correct != found.isEmpty()) {
                return "a mutant is " + (correct ? "correct, but reported " + found : "incorrect, but silent") + mutant
                        + "\nof" + program;
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
