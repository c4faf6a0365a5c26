package io.frameloom.stress;

import io.frameloom.testing.TestEffort;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Lincheck's bounded model checker, kept small. Real threads are left to jcstress, which is better at them.
 */
final class LincheckRuns {
    private static final int SCENARIOS = TestEffort.of(2, 5);
    private static final int INVOCATIONS = TestEffort.of(100, 150);
    private static final int ACTORS = 3;
    /** More than there are ways to switch the threads of a small scenario twice. */
    private static final int INVOCATIONS_OF_ONE = 2_000;

    private LincheckRuns() {}

    /** Explores interleavings, switching threads at every access to shared memory. */
    static void modelCheck(Class<?> concurrent, Class<?> sequential) {
        new ModelCheckingOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsPerThread(ACTORS)
                .actorsBefore(1)
                .actorsAfter(1)
                .sequentialSpecification(sequential)
                .check(concurrent);
    }

    /** Explores the interleavings of one scenario only. */
    static void modelCheck(Class<?> concurrent, Class<?> sequential, ExecutionScenario scenario) {
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(INVOCATIONS_OF_ONE)
                .addCustomScenario(scenario)
                .sequentialSpecification(sequential)
                .check(concurrent);
    }
}
