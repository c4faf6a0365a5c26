package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderCode;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One look at the files of many shaders, which reads each file once however many of them include it. One thread; made
 * anew for every look.
 */
public final class ShaderReads {
    private final Map<ShaderIncludes, ShaderIncludes> once = new HashMap<>();

    private static final class Once implements ShaderIncludes {
        private final ShaderIncludes files;
        private final Map<String, Optional<String>> known = new HashMap<>();

        Once(ShaderIncludes files) {
            this.files = files;
        }

        @Override
        public @Nullable String read(String path) throws IOException {
            Optional<String> text = known.get(path);
            if (text == null) {
                text = Optional.ofNullable(files.read(path));
                known.put(path, text);
            }
            return text.orElse(null);
        }

        @Override
        public String toString() {
            return files.toString();
        }
    }

    /**
     * Reads a shader and its files, as {@link ShaderInput#of} does.
     *
     * @throws io.frameloom.gpu.error.ShaderCompilationException if its own text cannot be read
     */
    public ShaderInput input(ShaderSource source) {
        ShaderCode code = source.code();
        if (code instanceof ShaderCode.Glsl glsl) {
            return ShaderInput.of(source.withIncludes(once(glsl.includes())));
        }
        if (code instanceof ShaderCode.GlslFile file) {
            return ShaderInput.of(source.withIncludes(once(file.files())));
        }
        return ShaderInput.of(source);
    }

    private ShaderIncludes once(ShaderIncludes files) {
        return once.computeIfAbsent(files, Once::new);
    }
}
