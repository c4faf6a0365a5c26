package io.frameloom.gpu.compute;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks random cases: others in every run, unless {@code -Dframeloom.testFuzzSeed} says which; {@code -Dframeloom.testFuzzCases}
 * says how many. A failure tells the seed that makes it the first case, and the simplest case that fails, or how often the
 * case fails if it does not always.
 */
final class Fuzzing {
    /** Runs of a case that failed before it counts as one that always fails. */
    private static final int AGAIN = 5;

    /** Runs in which a failing case is made simpler: a case may take a tenth of a second, and a test ends some time. */
    private static final int TRIES = 600;

    private Fuzzing() {}

    /** A case; its text tells how it is made. */
    interface Case {
        /** Returns what is wrong, empty if nothing is. */
        String difference();
    }

    /** Makes a case of an input. */
    interface Decoder {
        Case decode(Draws draws, FuzzInput input);
    }

    /** Checks cases of at most so many elements. */
    static void check(int usualCases, int mostElements, Decoder decoder) {
        long seed = Long.getLong("frameloom.testFuzzSeed", System.nanoTime());
        int cases = Integer.getInteger("frameloom.testFuzzCases", usualCases);
        for (int i = 0; i < cases; i++) {
            checkSeed(seed + i, mostElements, decoder);
        }
    }

    /** Checks the case of a seed. */
    static void checkSeed(long seed, int mostElements, Decoder decoder) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] elements = FuzzInput.elements(random, mostElements);
        Draws draws = Draws.random(random);
        String difference = difference(decoder.decode(draws, new FuzzInput(new int[0], elements)));
        if (difference.isEmpty()) {
            return;
        }
        FuzzInput found = new FuzzInput(draws.noted(), elements);
        String failure = "-Dframeloom.testFuzzSeed=" + seed + " -Dframeloom.testFuzzCases=1: " + decode(decoder, found)
                + " of " + found + ": " + difference;
        System.out.println("fuzzing: " + failure);
        int again = 0;
        for (int i = 0; i < AGAIN; i++) {
            again += difference(decode(decoder, found)).isEmpty() ? 0 : 1;
        }
        if (again < AGAIN) {
            throw new AssertionError(failure + "\nnot always: " + again + " of " + AGAIN + " more runs failed");
        }
        AtomicInteger left = new AtomicInteger(TRIES);
        FuzzInput simplest = found.shrunk(input -> left.getAndDecrement() > 0
                && !difference(decode(decoder, input)).isEmpty());
        Case failing = decode(decoder, simplest);
        throw new AssertionError(failure + "\n" + (left.get() < 0 ? "simplest of " + TRIES + " tries: " : "simplest: ")
                + failing + " of " + simplest + ": " + difference(failing));
    }

    private static Case decode(Decoder decoder, FuzzInput input) {
        return decoder.decode(Draws.again(input.fields()), input);
    }

    private static String difference(Case drawn) {
        try {
            return drawn.difference();
        } catch (AssertionError | RuntimeException failure) {
            return failure.toString();
        }
    }
}
