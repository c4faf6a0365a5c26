package io.frameloom.benchmarks.driver;

/**
 * Benchmarks that share a picture.
 *
 * @param name the name of the picture
 * @param axis what the picture runs over
 */
public record Family(String name, Axis axis) {
    /** What a picture runs over. */
    public enum Axis {
        /** Bars, one per contender. */
        CONTENDERS,
        /** Lines over the number of workers. */
        WORKERS,
        /** Lines over the further quantity of the rows. */
        PARAMETER
    }

    /** A family of bars. */
    public static Family bars(String name) {
        return new Family(name, Axis.CONTENDERS);
    }
}
