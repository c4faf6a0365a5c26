package io.frameloom.benchmarks.gpu.compute;

/** A result is not what it should be; there is nothing to time. */
final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongResultException(String message) {
        super(message);
    }
}
