package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderSource;
import org.jspecify.annotations.Nullable;

/**
 * The text of a shader and of everything that it can include, at one moment; equal if nothing has changed. Immutable.
 */
public final class ShaderSnapshot {
    private final ShaderInput input;

    private ShaderSnapshot(ShaderInput input) {
        this.input = input;
    }

    /**
     * Reads a shader and its files.
     *
     * @throws ShaderCompilationException if its own text cannot be read
     */
    public static ShaderSnapshot of(ShaderSource source) {
        return new ShaderSnapshot(ShaderInput.of(source));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShaderSnapshot snapshot && input.equals(snapshot.input);
    }

    @Override
    public int hashCode() {
        return input.hashCode();
    }
}
