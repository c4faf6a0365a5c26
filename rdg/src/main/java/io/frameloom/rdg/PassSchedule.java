package io.frameloom.rdg;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The order of execution, of all orders that mean the same frame. Dependencies decide which passes may change places,
 * so results stay the same. Nothing is moved across a pass with {@link PassFlag#UNTRACKED_ACCESS}. Immutable.
 *
 * @param policy the aim of the order
 * @param seed which one of the random orders; 0 for other policies
 */
public record PassSchedule(Policy policy, long seed) {
    /** As declared, or as sorted where the order of declaration means nothing. */
    public static final PassSchedule PROGRAM = of(Policy.PROGRAM);

    private static final Pattern SEEDED = Pattern.compile("random:-?[0-9]{1,19}");

    /**
     * The aim of an order. If the result serves it worse than the program's order does, the latter stays.
     */
    public enum Policy {
        /** As declared, or as sorted where the order of declaration means nothing. */
        PROGRAM,
        /** Any order, all with some probability: finds what a graph forgot to declare. */
        RANDOM,
        /** Few bytes of transients alive at a time. */
        MEMORY,
        /** Few changes between raster, compute and copy passes on a queue, then few batches. */
        BATCH,
        /** Work of other queues as early as possible, and what needs it as late as possible. */
        OVERLAP
    }

    /** Refuses a seed that means nothing. */
    public PassSchedule {
        if (seed != 0 && policy != Policy.RANDOM) {
            throw new IllegalArgumentException("only random orders have a seed, got " + policy + " and " + seed);
        }
    }

    /** Returns the order of a policy, of seed 0 if it is random. */
    public static PassSchedule of(Policy policy) {
        return new PassSchedule(policy, 0);
    }

    /** Returns a random order: the same one for the same graph and seed. */
    public static PassSchedule random(long seed) {
        return new PassSchedule(Policy.RANDOM, seed);
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static PassSchedule parse(String text) {
        for (Policy policy : Policy.values()) {
            String name = policy.name().toLowerCase(Locale.ROOT);
            if (text.equals(name)) {
                return of(policy);
            }
            if (policy == Policy.RANDOM && SEEDED.matcher(text).matches()) {
                BigInteger seed = new BigInteger(text.substring(name.length() + 1));
                if (seed.bitLength() < Long.SIZE) {
                    return random(seed.longValue());
                }
            }
        }
        throw new IllegalArgumentException("takes program, random:SEED, memory, batch or overlap, got '" + text + "'");
    }

    @Override
    public String toString() {
        String name = policy.name().toLowerCase(Locale.ROOT);
        return policy == Policy.RANDOM ? name + ":" + seed : name;
    }
}
