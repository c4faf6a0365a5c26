package io.frameloom.gpu.compute;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Whole numbers that say how a random case is made: drawn and noted, or as they were noted. */
final class Draws {
    private final @Nullable SplittableRandom random;
    private final List<Integer> noted = new ArrayList<>();
    private final int[] given;

    private Draws(@Nullable SplittableRandom random, int[] given) {
        this.random = random;
        this.given = given;
    }

    static Draws random(SplittableRandom random) {
        return new Draws(random, new int[0]);
    }

    /** The same draws again; 0 behind the last. */
    static Draws again(int[] noted) {
        return new Draws(null, noted);
    }

    /** Returns a number from 0, the plainest, to {@code bound - 1}. */
    int next(int bound) {
        int at = noted.size();
        int number = random != null ? random.nextInt(bound) : at < given.length ? given[at] % bound : 0;
        noted.add(number);
        return number;
    }

    /** Returns whether something out of the ordinary is to be. */
    boolean yes() {
        return next(2) == 1;
    }

    /** Returns what was drawn. */
    int[] noted() {
        return noted.stream().mapToInt(Integer::intValue).toArray();
    }
}
