package io.frameloom.gpu.error;

/** A shader does not compile; the message carries file, line and the compiler's words. */
public final class ShaderCompilationException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** A failed compilation. */
    public ShaderCompilationException(String message) {
        super(message);
    }

    /** A shader whose text could not be had. */
    public ShaderCompilationException(String message, Throwable cause) {
        super(message, cause);
    }
}
