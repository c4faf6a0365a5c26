package io.frameloom.gpu.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Shader files in a folder. */
record FolderIncludes(Path root) implements ShaderIncludes {
    @Override
    public @Nullable String read(String path) throws IOException {
        Path real;
        try {
            real = root.resolve(path).toRealPath();
            if (!Files.isRegularFile(real)) {
                return null;
            }
            if (!real.startsWith(root.toRealPath())) {
                throw new IOException("'" + path + "' is a symbolic link that leads out of " + root
                        + "; put the file into the folder");
            }
        } catch (NoSuchFileException absent) {
            return null;
        }
        return ShaderText.decode(path, Files.readAllBytes(real));
    }

    @Override
    public String toString() {
        return "folder " + root;
    }
}
