package io.frameloom.samples;

/** Ends of things that must all come, also if one fails. */
public final class Closing {
    private Closing() {}

    /** Does all of these; then throws the first failure, with the others as suppressed ones. */
    public static void all(Iterable<Runnable> steps) {
        RuntimeException first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
