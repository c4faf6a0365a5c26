package io.frameloom.gpu.error;

/** A pipeline that is to be bound could not be compiled; the cause says why. */
public final class PipelineCompilationException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** A failed compilation. */
    public PipelineCompilationException(String message, Throwable cause) {
        super(message, cause);
    }
}
