package io.frameloom.gpu.command;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.AccelerationStructure.Level;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TopLevelInstances;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an acceleration structure is built of, without where that lies: it decides what the structure takes ({@link
 * GpuDevice#sizes}).
 *
 * @param geometries triangles alone or boxes alone, for a bottom level; or instances, one entry, for a top level
 * @param flags wishes of the build
 */
public record AccelerationStructureDescription(List<Geometry> geometries, Set<Flag> flags) {
    /** A wish of a build. */
    public enum Flag {
        /** Later builds may update it. */
        UPDATABLE,
        /** It may be copied as {@link AccelerationStructure.CopyMode#COMPACT}. */
        COMPACTABLE,
        /** The build is to be fast; without, the rays are. */
        FAST_BUILD,
        /** It is to take little memory. */
        LOW_MEMORY
    }

    /** A part of what is built. */
    public sealed interface Geometry {
        /** Returns how many triangles, boxes or instances it has. */
        int primitives();
    }

    /**
     * Triangles.
     *
     * @param format format of positions: {@code R32G32B32_SFLOAT}, {@code R32G32_SFLOAT}, {@code R16G16B16A16_SFLOAT},
     *     {@code R16G16_SFLOAT}, {@code R16G16B16A16_SNORM} or {@code R16G16_SNORM}; where there are two numbers the
     *     third is 0
     * @param stride bytes from one vertex to the next, a multiple of the size of one of its numbers
     * @param vertices number of vertices, at least 1
     * @param indices size of indices, or null if each three vertices in a row are a triangle
     * @param primitives number of triangles
     * @param opaque whether no any-hit shader or loop over candidates decides about hits
     */
    public record Triangles(
            Format format,
            int stride,
            int vertices,
            @Nullable IndexType indices,
            int primitives,
            boolean opaque) implements Geometry {
        public Triangles {
            int unit = unit(format);
            requirePrimitives(primitives);
            if (vertices < 1 || stride < format.planeBytes(0) || stride % unit != 0) {
                throw new IllegalArgumentException("triangles of an acceleration structure have at least 1 vertex and"
                        + " their stride is a multiple of " + unit + " of at least " + format.planeBytes(0) + ", got "
                        + vertices + " vertices and stride " + stride);
            }
            if (indices == null && primitives > vertices / 3) {
                throw new IllegalArgumentException(primitives + " triangles without indices take " + 3L * primitives
                        + " vertices, got " + vertices);
            }
        }

        /** Returns the size of one number of a position. */
        public int unit() {
            return unit(format);
        }

        private static int unit(Format format) {
            return switch (format) {
                case R32G32B32_SFLOAT, R32G32_SFLOAT -> Float.BYTES;
                case R16G16B16A16_SFLOAT, R16G16_SFLOAT, R16G16B16A16_SNORM, R16G16_SNORM -> Short.BYTES;
                default ->
                    throw new IllegalArgumentException("positions of triangles of an acceleration structure cannot be "
                            + format + "; take R32G32B32_SFLOAT");
            };
        }
    }

    /**
     * Boxes of six floats each, the least x, y, z and then the greatest, whose contents shaders decide about.
     *
     * @param stride bytes from one box to the next, a multiple of 8 of at least 24
     * @param primitives number of boxes
     * @param opaque as of triangles
     */
    public record Boxes(int stride, int primitives, boolean opaque) implements Geometry {
        /** Bytes of one box. */
        public static final int BYTES = 6 * Float.BYTES;

        public Boxes {
            requirePrimitives(primitives);
            if (stride < BYTES || stride % 8 != 0) {
                throw new IllegalArgumentException(
                        "the stride of boxes is a multiple of 8 of at least " + BYTES + ", got " + stride);
            }
        }
    }

    /**
     * Instances of bottom levels, as {@link TopLevelInstances} writes them.
     *
     * @param primitives number of instances
     */
    public record Instances(int primitives) implements Geometry {
        public Instances {
            requirePrimitives(primitives);
        }
    }

    public AccelerationStructureDescription {
        geometries = List.copyOf(geometries);
        flags = Set.copyOf(flags);
        if (geometries.isEmpty()) {
            throw new IllegalArgumentException("an acceleration structure is built of at least one geometry, got none");
        }
        Class<?> first = geometries.get(0).getClass();
        boolean mixed = geometries.stream().anyMatch(geometry -> geometry.getClass() != first);
        if (mixed || (first == Instances.class && geometries.size() > 1)) {
            throw new IllegalArgumentException(
                    "an acceleration structure is built of triangles alone, of boxes alone, or"
                            + " of one entry of instances, got " + geometries
                            + "; build several and refer to them by instances");
        }
    }

    /** Returns the description of a top level. */
    public static AccelerationStructureDescription of(int instances, Flag... flags) {
        return new AccelerationStructureDescription(List.of(new Instances(instances)), Set.of(flags));
    }

    /** Returns the description of a bottom level of one geometry. */
    public static AccelerationStructureDescription of(Geometry geometry, Flag... flags) {
        return new AccelerationStructureDescription(List.of(geometry), Set.of(flags));
    }

    /** Returns the level of what is built. */
    public Level level() {
        return geometries.get(0) instanceof Instances ? Level.TOP : Level.BOTTOM;
    }

    /** Returns the number of triangles, boxes or instances of all geometries. */
    public long primitives() {
        return geometries.stream().mapToLong(Geometry::primitives).sum();
    }

    private static void requirePrimitives(int primitives) {
        if (primitives < 0) {
            throw new IllegalArgumentException(
                    "the number of primitives of an acceleration structure is at least 0, got " + primitives);
        }
    }
}
