package io.frameloom.gpu.pipeline;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Shader files of one place, and those that it lacks from another. */
record IncludeChain(ShaderIncludes first, ShaderIncludes next) implements ShaderIncludes {
    @Override
    public @Nullable String read(String path) throws IOException {
        String text = first.read(path);
        return text == null ? next.read(path) : text;
    }

    @Override
    public String toString() {
        return first + ", then " + next;
    }
}
