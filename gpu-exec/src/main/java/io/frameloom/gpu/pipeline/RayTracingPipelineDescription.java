package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.DeviceLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ray-tracing pipeline: groups of shaders, which the records of a {@link ShaderBindingTable} name. Its shaders are
 * those of the groups, each once.
 *
 * @param name debug name
 * @param groups the groups, each of another name
 * @param maxRecursion how deep shaders trace, at most {@link DeviceLimits.RayTracing#maxRecursion}: 1 if only ray
 *     generation shaders do, 2 if those that they reach do as well. Whatever it is,
 *     a callable shader may call another one, and that one none
 * @param pushDescriptorSet the set whose bindings are written into command lists, -1 for none
 */
public record RayTracingPipelineDescription(String name, List<Group> groups, int maxRecursion, int pushDescriptorSet) {
    /** Shaders that are taken together. */
    public sealed interface Group {
        /** Returns the name, by which records find the group. */
        String name();

        /** Returns its shaders. */
        List<ShaderSource> shaders();
    }

    /**
     * A ray generation, miss or callable shader.
     *
     * @param name of the group
     * @param shader the shader
     */
    public record General(String name, ShaderSource shader) implements Group {
        /** Checks the stage. */
        public General {
            requireStage(name, shader, ShaderStage.RAY_GENERATION, ShaderStage.MISS, ShaderStage.CALLABLE);
        }

        @Override
        public List<ShaderSource> shaders() {
            return List.of(shader);
        }
    }

    /**
     * What happens where a ray hits a triangle.
     *
     * @param name of the group
     * @param closestHit runs at the closest hit; null if nothing does
     * @param anyHit runs at each hit of what is not opaque, and may let the ray through; null if all of it stops rays
     */
    public record TrianglesHit(
            String name,
            @Nullable ShaderSource closestHit,
            @Nullable ShaderSource anyHit) implements Group {
        /** Checks the stages. */
        public TrianglesHit {
            requireHit(name, closestHit, anyHit);
        }

        /** Triangles without an any-hit shader. */
        public TrianglesHit(String name, ShaderSource closestHit) {
            this(name, closestHit, null);
        }

        @Override
        public List<ShaderSource> shaders() {
            return Stream.of(closestHit, anyHit).flatMap(Stream::ofNullable).toList();
        }
    }

    /**
     * What happens where a ray meets a box.
     *
     * @param name of the group
     * @param intersection finds the hits in the box
     * @param closestHit runs at the closest hit; null if nothing does
     * @param anyHit runs at each hit of what is not opaque, and may let the ray through; null if all of it stops rays
     */
    public record ProceduralHit(
            String name,
            ShaderSource intersection,
            @Nullable ShaderSource closestHit,
            @Nullable ShaderSource anyHit) implements Group {
        /** Checks the stages. */
        public ProceduralHit {
            requireStage(name, intersection, ShaderStage.INTERSECTION);
            requireHit(name, closestHit, anyHit);
        }

        /** Boxes without an any-hit shader. */
        public ProceduralHit(String name, ShaderSource intersection, ShaderSource closestHit) {
            this(name, intersection, closestHit, null);
        }

        @Override
        public List<ShaderSource> shaders() {
            return Stream.of(intersection, closestHit, anyHit)
                    .flatMap(Stream::ofNullable)
                    .toList();
        }
    }

    /** Checks the recursion and the names, and copies the groups. */
    public RayTracingPipelineDescription {
        Objects.requireNonNull(name, "name must not be null");
        groups = List.copyOf(Objects.requireNonNull(groups, "groups must not be null"));
        String where = "ray-tracing pipeline '" + name + "'";
        if (maxRecursion < 0) {
            throw new IllegalArgumentException(where + " has a recursion of at least 0, got " + maxRecursion);
        }
        Set<String> names = new HashSet<>();
        for (Group group : groups) {
            if (!names.add(group.name())) {
                throw new IllegalArgumentException(where + " has two groups named '" + group.name() + "'; rename one");
            }
        }
        if (groups.stream()
                .flatMap(group -> group.shaders().stream())
                .noneMatch(shader -> shader.stage() == ShaderStage.RAY_GENERATION)) {
            throw new IllegalArgumentException(
                    where + " has no ray generation shader, with which traces begin; add a group of one");
        }
    }

    /** A pipeline without a pushed set. */
    public RayTracingPipelineDescription(String name, List<Group> groups, int maxRecursion) {
        this(name, groups, maxRecursion, -1);
    }

    /** As this, with a pushed set, as {@link GraphicsPipelineDescription#withPushDescriptorSet}. */
    public RayTracingPipelineDescription withPushDescriptorSet(int set) {
        return new RayTracingPipelineDescription(name, groups, maxRecursion, set);
    }

    /** Returns the shaders of all groups, each once. */
    public List<ShaderSource> shaders() {
        return groups.stream()
                .flatMap(group -> group.shaders().stream())
                .distinct()
                .toList();
    }

    private static void requireHit(String group, @Nullable ShaderSource closestHit, @Nullable ShaderSource anyHit) {
        Objects.requireNonNull(group, "name must not be null");
        if (closestHit != null) {
            requireStage(group, closestHit, ShaderStage.CLOSEST_HIT);
        }
        if (anyHit != null) {
            requireStage(group, anyHit, ShaderStage.ANY_HIT);
        }
    }

    private static void requireStage(String group, ShaderSource shader, ShaderStage... allowed) {
        Objects.requireNonNull(group, "name must not be null");
        Objects.requireNonNull(shader, "shader must not be null");
        if (Stream.of(allowed).noneMatch(stage -> stage == shader.stage())) {
            throw new IllegalArgumentException("group '" + group + "' takes a shader of " + List.of(allowed) + ", '"
                    + shader.name() + "' is " + shader.stage());
        }
    }
}
