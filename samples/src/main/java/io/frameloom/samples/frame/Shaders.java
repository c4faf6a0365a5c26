package io.frameloom.samples.frame;

import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The shaders of the samples: resources, which include each other. Any thread. */
public final class Shaders {
    private static final String FOLDER = "/io/frameloom/samples/shaders/";
    private static final ShaderIncludes INCLUDES =
            ShaderIncludes.classPath(Shaders.class.getClassLoader(), FOLDER.substring(1, FOLDER.length() - 1));

    private Shaders() {}

    /**
     * Loads a shader; the extension of its name gives the stage.
     *
     * @param file name of the resource, such as {@code depth.vert}
     * @param defines names to define
     * @throws IllegalArgumentException if there is no such resource
     */
    public static ShaderSource load(String file, String... defines) {
        Map<String, String> values = new HashMap<>();
        for (String define : defines) {
            values.put(define, "1");
        }
        return new ShaderSource(file, stage(file), read(file), values).withIncludes(INCLUDES);
    }

    /** Returns a shader's text with the file that it includes, for a compiler that includes nothing. */
    static String whole(String file) {
        return read(file).replace("#include \"frame.glsl\"", read("frame.glsl"));
    }

    private static ShaderStage stage(String file) {
        return switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "vert" -> ShaderStage.VERTEX;
            case "frag" -> ShaderStage.FRAGMENT;
            case "comp" -> ShaderStage.COMPUTE;
            case "task" -> ShaderStage.TASK;
            case "mesh" -> ShaderStage.MESH;
            case "rgen" -> ShaderStage.RAY_GENERATION;
            case "rchit" -> ShaderStage.CLOSEST_HIT;
            case "rmiss" -> ShaderStage.MISS;
            default ->
                throw new IllegalArgumentException(
                        "shader '" + file + "' must end in .vert, .frag, .comp, .task, .mesh, .rgen, .rchit or .rmiss");
        };
    }

    private static String read(String file) {
        try (InputStream in = Shaders.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalArgumentException("no shader '" + file + "' in " + FOLDER);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("shader '" + file + "' cannot be read", e);
        }
    }
}
