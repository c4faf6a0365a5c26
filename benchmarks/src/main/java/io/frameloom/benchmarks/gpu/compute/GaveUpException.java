package io.frameloom.benchmarks.gpu.compute;

/** A baseline says that it did not finish; there is nothing to time. */
final class GaveUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GaveUpException(String message) {
        super(message);
    }
}
