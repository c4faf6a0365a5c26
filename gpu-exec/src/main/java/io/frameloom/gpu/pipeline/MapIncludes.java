package io.frameloom.gpu.pipeline;

import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shader files in memory. */
record MapIncludes(Map<String, String> files) implements ShaderIncludes {
    @Override
    public @Nullable String read(String path) {
        return files.get(path);
    }

    @Override
    public String toString() {
        return "files " + new TreeSet<>(files.keySet());
    }
}
