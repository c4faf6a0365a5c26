package io.frameloom.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.stress.soak.CompiledSoak;
import io.frameloom.stress.soak.DynamicSoak;
import io.frameloom.stress.soak.SoakRound;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.WaitGraphs;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A few rounds of the soak with fixed seeds; {@code ./frameloom stress --soak MINUTES} runs more. */
@Timeout(110)
final class SoakTest {
    /** The first six are all that a seed chooses: what bodies wait for, with and without inherited urgency. */
    private static Stream<Arguments> dynamic() {
        return Stream.of(
                        Arguments.of(2, 19L),
                        Arguments.of(4, 18L),
                        Arguments.of(2, 21L),
                        Arguments.of(1, 20L),
                        Arguments.of(3, 23L),
                        Arguments.of(8, 88L),
                        Arguments.of(1, 11L),
                        Arguments.of(2, 22L),
                        Arguments.of(4, 44L),
                        Arguments.of(2, 1001L),
                        Arguments.of(1, 1002L),
                        Arguments.of(8, 32L))
                .limit(TestEffort.of(6, 12));
    }

    @ParameterizedTest
    @MethodSource("dynamic")
    void theDynamicEngineKeepsTheRules(int workers, long seed, WaitGraphs waits) throws InterruptedException {
        run(new DynamicSoak(workers, seed), waits);
    }

    private static Stream<Arguments> compiled() {
        return Stream.of(Arguments.of(4, 44L), Arguments.of(1, 11L), Arguments.of(2, 22L), Arguments.of(3, 33L))
                .limit(TestEffort.of(1, 4));
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void everyCompiledRunDoesWhatTheDeclarationSays(int workers, long seed, WaitGraphs waits)
            throws InterruptedException {
        run(new CompiledSoak(workers, seed), waits);
    }

    private static void run(SoakRound round, WaitGraphs waits) throws InterruptedException {
        waits.show(round.toString(), round.waits());
        assertThat(round.run()).as(round.toString()).isEmpty();
    }
}
