package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that are put in are found, and made as simple as they can be. */
@Timeout(60)
class FuzzingTest {
    private static FuzzInput random(long seed, Predicate<FuzzInput> fails) {
        SplittableRandom random = new SplittableRandom(seed);
        while (true) {
            int[] fields = random.ints(6, 0, 100).toArray();
            FuzzInput input = new FuzzInput(fields, FuzzInput.elements(random, 3_000));
            if (fails.test(input)) {
                return input;
            }
        }
    }

    @Test
    void stretchesAreLeftOutAnywhereAndFieldsMadeSmall() {
        // A flag with three elements without one somewhere behind it.
        Predicate<FuzzInput> fails = input -> {
            int behind = 0;
            boolean found = false;
            for (int i = input.elements().length - 1; i >= 0; i--) {
                boolean flag = FuzzInput.flag(input.elements()[i]);
                found |= flag && behind >= 3;
                behind += flag ? 0 : 1;
            }
            return found && input.fields()[2] >= 37;
        };
        for (int seed = 0; seed < 20; seed++) {
            FuzzInput simplest = random(seed, fails).shrunk(fails);
            assertThat(simplest.toString()).isEqualTo("4 elements [!0 0 0 0]");
            assertThat(simplest.fields()).containsExactly(0, 0, 37, 0, 0, 0);
        }
    }

    @Test
    void wordsAreMadeSmall() {
        Predicate<FuzzInput> fails = input -> {
            boolean found = false;
            for (int i = 1; i < input.elements().length; i++) {
                found |= FuzzInput.word(input.elements()[i]) >= 1000 + FuzzInput.word(input.elements()[i - 1]);
            }
            return found;
        };
        for (int seed = 0; seed < 20; seed++) {
            FuzzInput simplest = random(seed, fails).shrunk(fails);
            assertThat(simplest.toString()).isEqualTo("2 elements [0 1000]");
            assertThat(simplest.fields()).containsOnly(0);
        }
    }

    /** Sums of the virtual GPU that are one too much where a word is large. */
    private static final ScanOperator FAULTY = ScanOperator.of(
            "faulty",
            ElementType.U32,
            new int[1],
            "uint combine(uint a, uint b) { return a + b; }",
            (l, i, r, j, t, k) -> t[k] = l[i] + r[j] + (r[j] == 0x1234 ? 1 : 0));

    private static Fuzzing.Decoder faulty(ComputeRig rig) {
        PrefixScan scan = rig.own(PrefixScan.create(rig.device, FAULTY));
        return (draws, input) -> {
            ScanKind kind = ScanKind.values()[draws.next(2)];
            int[] words = input.words();
            for (int i = 0; i < words.length; i++) {
                words[i] = FuzzInput.flag(input.elements()[i]) ? 0x1234 : words[i] & 0xFF;
            }
            return new Fuzzing.Case() {
                @Override
                public String difference() {
                    return ScanCases.difference(
                            ScanCases.Run.of(kind, words).on(rig, scan),
                            ScanCases.sequential(ScanOperator.sum(ElementType.U32), kind, words, null));
                }

                @Override
                public String toString() {
                    return "faulty " + kind;
                }
            };
        };
    }

    @Test
    void aFaultOfADeviceIsFoundAndToldAtItsSimplest() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            Fuzzing.Decoder decoder = faulty(rig);
            List<String> told = new ArrayList<>();
            for (int seed = 0; seed < 10; seed++) {
                long first = seed;
                try {
                    Fuzzing.checkSeed(first, 2_000, decoder);
                } catch (AssertionError found) {
                    told.add(String.valueOf(found.getMessage()));
                    assertThat(found).hasMessageContaining("-Dframeloom.testFuzzSeed=" + first + " ");
                }
            }
            assertThat(told)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(message -> assertThat(message)
                            .containsPattern("simplest: faulty \\w+ of [12] elements \\[(0 )?!0( 0)?\\]: word"));
        }
    }

    @Test
    void aFailureThatIsThrownIsAFailure() {
        assertThatThrownBy(() -> Fuzzing.checkSeed(3, 100, (draws, input) -> () -> {
                    throw new IllegalStateException("thrown");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("frameloom.testFuzzSeed=3", "0 elements []", "thrown");
        assertThatCode(() -> Fuzzing.checkSeed(3, 100, (draws, input) -> () -> ""))
                .doesNotThrowAnyException();
    }

    /** A case that fails now and then cannot be made simpler: each try would tell of chance, and there would be no end. */
    @Test
    void aFailureThatDoesNotComeBackIsToldAtOnce() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> Fuzzing.checkSeed(
                        3, 60_000, (draws, input) -> () -> runs.getAndIncrement() % 3 == 0 ? "now and then" : ""))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "frameloom.testFuzzSeed=3", "now and then", "not always: 1 of 5 more runs failed");
        assertThat(runs).hasValue(6);
    }

    @Test
    void triesToMakeACaseSimplerEnd() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> Fuzzing.checkSeed(3, 60_000, (draws, input) -> () -> {
                    runs.getAndIncrement();
                    return input.elements().length < 2_000 ? "" : "long";
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("frameloom.testFuzzSeed=3", "simplest of 600 tries: ");
        assertThat(runs).hasValueLessThan(620);
    }

    @Test
    void trialsLookAtEachTileBeforeTheyReduceIt() {
        assertThatThrownBy(() -> new LookBackTrial("", true, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("look once at least");
    }

    /** What was noted makes the same case again. */
    @Test
    void drawsAreRepeated() {
        Draws draws = Draws.random(new SplittableRandom(8));
        int[] drawn = {draws.next(10), draws.next(1000), draws.yes() ? 1 : 0};
        assertThat(draws.noted()).containsExactly(drawn);
        Draws again = Draws.again(drawn);
        assertThat(new int[] {again.next(10), again.next(1000), again.yes() ? 1 : 0})
                .containsExactly(drawn);
        assertThat(again.next(9)).isZero();
    }
}
