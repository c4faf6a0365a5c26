package io.frameloom.samples.adopt;

/** The engine of this sample cannot start or go on. */
final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EngineException(String message) {
        super(message);
    }
}
