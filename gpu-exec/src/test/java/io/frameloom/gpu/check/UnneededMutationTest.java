package io.frameloom.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Program.Spec;
import io.frameloom.gpu.check.ProgramMutants.Part;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is reported as not needed is exactly what can be left out, alone, of a random program that stays correct by the
 * brute-force reference: whole waits and barriers, and bits of those that are needed as a whole.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnneededMutationTest {
    private static final int PROGRAMS = TestEffort.of(250, 4_000);
    private static final int PROGRAMS_BY_BITS = TestEffort.of(60, 600);
    private static final int MINIMAL_PROGRAMS = TestEffort.of(60, 300);

    /** A finding as the test names it: the number of the wait or barrier, and the bit or nothing. */
    private record Found(int n, @Nullable Part part) {}

    @Test
    void wholeWaitsAndBarriers() {
        int[] counts = compare(PROGRAMS, UnneededSync.Search.WHOLE);
        assertThat(counts[0]).as("not needed").isGreaterThan(TestEffort.of(400, 1_000));
        assertThat(counts[1]).as("needed").isGreaterThan(TestEffort.of(400, 1_000));
        assertThat(counts[2]).as("known before the end").isGreaterThan(100);
    }

    @Test
    void bitsOfMasks() {
        int[] counts = compare(PROGRAMS_BY_BITS, UnneededSync.Search.PARTS);
        assertThat(counts[0]).as("not needed").isGreaterThan(TestEffort.of(400, 1_000));
        assertThat(counts[1]).as("needed").isGreaterThan(TestEffort.of(400, 1_000));
    }

    @Test
    void nothingOfMinimalPrograms() {
        int elements = 0;
        for (long seed = 0; seed < MINIMAL_PROGRAMS; seed++) {
            Program program = program(RandomPrograms.specs(new SplittableRandom(seed)), seed);
            for (int i = 0; i < program.removable(); ) {
                if (Reference.correct(program.without(i))) {
                    program = program.without(i);
                    i = 0;
                } else {
                    i++;
                }
            }
            elements += program.removable();
            assertThat(found(program, UnneededSync.Search.WHOLE, new HashSet<>()))
                    .as("seed %d:%s", seed, program)
                    .isEmpty();
        }
        assertThat(elements).isGreaterThan(TestEffort.of(400, 1_000));
    }

    private static int[] compare(int programs, UnneededSync.Search search) {
        int[] counts = new int[3];
        for (long seed = 0; seed < programs; seed++) {
            List<Spec> specs = RandomPrograms.specs(new SplittableRandom(seed));
            long current = seed;
            if (problem(specs, seed, search, counts) != null) {
                List<Spec> least =
                        RandomPrograms.shrunk(specs, fewer -> problem(fewer, current, search, new int[3]) != null);
                throw new AssertionError("seed " + seed + ": " + problem(least, seed, search, new int[3]));
            }
        }
        return counts;
    }

    private static @Nullable String problem(List<Spec> specs, long seed, UnneededSync.Search search, int[] counts) {
        Program program = program(specs, seed);
        Set<Found> expected = new HashSet<>();
        Set<Integer> whole = new HashSet<>();
        for (int n = 0; n < program.removable(); n++) {
            if (program.isInner(n)) {
                // What a pass needs inside of it nobody knows.
                whole.add(n);
            } else if (Reference.correct(program.without(n))) {
                whole.add(n);
                expected.add(new Found(n, null));
                counts[0]++;
            } else {
                counts[1]++;
            }
        }
        if (search == UnneededSync.Search.PARTS) {
            for (Part part : new ProgramMutants(program).parts()) {
                if (!whole.contains(part.n()) && Reference.correct(new ProgramMutants(program).without(part))) {
                    expected.add(new Found(part.n(), part));
                }
            }
        }
        Set<Found> early = new HashSet<>();
        Set<Found> actual = found(program, search, early);
        counts[2] += early.size();
        if (actual.equals(expected)) {
            return null;
        }
        Set<Found> missed = new HashSet<>(expected);
        missed.removeAll(actual);
        actual.removeAll(expected);
        return "not reported " + missed + ", reported although needed " + actual + program;
    }

    private static Program program(List<Spec> specs, long seed) {
        Program program = Program.of(specs);
        SplittableRandom random = new SplittableRandom(~seed);
        program.addHostWaits(random);
        program.addEarlySignals(random);
        program.addEarlyHostWaits(random);
        return program;
    }

    /** Returns what the checker reports; {@code early} takes what it reports before it is told that nothing comes. */
    private static Set<Found> found(Program program, UnneededSync.Search search, Set<Found> early) {
        Map<List<Long>, Integer> batches = new HashMap<>();
        for (int i = 0; i < program.batches.size(); i++) {
            batches.put(List.of((long) program.batches.get(i).queue, program.submittedValue(i)), i);
        }
        List<Found> all = new ArrayList<>();
        HazardChecker checker = new HazardChecker(search, (record, element, implied) -> {
            int batch = Objects.requireNonNull(
                    batches.get(List.of((long) record.queue().index(), record.value())));
            int n = program.number(batch, element.command() < 0 ? element.index() : -1, element.command());
            all.add(new Found(n, element.bit() == 0 ? null : new Part(n, mask(element.kind()), element.bit())));
        });
        program.submit(checker);
        early.addAll(all);
        checker.finish();
        assertThat(checker.hazards()).isEmpty();
        assertThat(all).as("each once").doesNotHaveDuplicates();
        return new HashSet<>(all);
    }

    private static ProgramMutants.Mask mask(UnneededSync.Kind kind) {
        return switch (kind) {
            case WAIT, WAIT_STAGE -> ProgramMutants.Mask.WAIT_STAGES;
            case SOURCE_STAGE -> ProgramMutants.Mask.SOURCE_STAGES;
            case SOURCE_ACCESS -> ProgramMutants.Mask.SOURCE_ACCESS;
            case BARRIER, DESTINATION_STAGE -> ProgramMutants.Mask.DESTINATION_STAGES;
            case DESTINATION_ACCESS -> ProgramMutants.Mask.DESTINATION_ACCESS;
        };
    }
}
