package io.frameloom.gpu.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the {@code #include} lines of shaders find their files: the seam between the shader compiler and a folder, the
 * class path, or any other source of shader text. Called on any thread that compiles, by several at a time.
 *
 * <p>{@code #include "a.glsl"} is looked for beside the including file first, then from the root; {@code #include
 * <a.glsl>} from the root only. Paths are resolved before a file is asked for: one that leads out of the root is
 * refused.
 */
@FunctionalInterface
public interface ShaderIncludes {
    /** Has no files. */
    ShaderIncludes NONE = new ShaderIncludes() {
        @Override
        public @Nullable String read(String path) {
            return null;
        }

        @Override
        public String toString() {
            return "no includes: give the shader some with withIncludes";
        }
    };

    /**
     * Reads a file.
     *
     * @param path path from the root: names separated by {@code /}, none of them empty, {@code .} or {@code ..}
     * @return its text, or null if there is no such file
     * @throws IOException if it is there but cannot or may not be read
     */
    @Nullable
    String read(String path) throws IOException;

    /** Files in a folder, read when they are asked for; symbolic links may not lead out of it. */
    static ShaderIncludes folder(Path root) {
        return new FolderIncludes(root.toAbsolutePath().normalize());
    }

    /**
     * Resources of the class path.
     *
     * @param loader whose resources
     * @param root folder of the resources, without slashes at its ends; empty for the root of the class path
     */
    static ShaderIncludes classPath(ClassLoader loader, String root) {
        return new ClassPathIncludes(loader, root);
    }

    /** Files in memory, path to text; the map is copied. */
    static ShaderIncludes of(Map<String, String> files) {
        return new MapIncludes(Map.copyOf(files));
    }

    /** As these; files that they do not have come from {@code next}. */
    default ShaderIncludes orElse(ShaderIncludes next) {
        return new IncludeChain(this, next);
    }
}
