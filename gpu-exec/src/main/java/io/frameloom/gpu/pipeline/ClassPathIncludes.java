package io.frameloom.gpu.pipeline;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Shader files among the resources of a class loader. */
record ClassPathIncludes(ClassLoader loader, String root) implements ShaderIncludes {
    @Override
    public @Nullable String read(String path) throws IOException {
        String resource = root.isEmpty() ? path : root + "/" + path;
        try (InputStream in = loader.getResourceAsStream(resource)) {
            return in == null ? null : ShaderText.decode(path, in.readAllBytes());
        }
    }

    @Override
    public String toString() {
        return "class path /" + root;
    }
}
