package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A build of an acceleration structure, anew or as an update. The description of an update stays the same; only
 * positions change. It is faster, and slows rays down the more has moved. Buffers have usage {@link
 * BufferUsage#STORAGE}.
 *
 * @param destination what is built, large enough for the description
 * @param description what of
 * @param inputs where each of its geometries lies
 * @param scratch work memory, which no other work uses at the same time
 * @param scratchOffset first byte in it, aligned as {@code DeviceLimits.AccelerationStructures} says
 * @param updated what is updated, the destination or another one; null for a build anew
 */
public record AccelerationStructureBuild(
        AccelerationStructure destination,
        AccelerationStructureDescription description,
        List<Input> inputs,
        Buffer scratch,
        long scratchOffset,
        @Nullable AccelerationStructure updated) {
    /**
     * Where a geometry lies.
     *
     * @param buffer of vertices, boxes or instances
     * @param offset first byte: a multiple of the size of a number of vertices, of 8 for boxes, and of 16 for instances
     * @param indices buffer of indices, or null without
     * @param indexOffset first byte of indices, a multiple of their size
     * @param bottoms the bottom levels that the instances refer to; none for others
     */
    public record Input(
            Buffer buffer,
            long offset,
            @Nullable Buffer indices,
            long indexOffset,
            List<AccelerationStructure> bottoms) {
        public Input {
            bottoms = List.copyOf(bottoms);
        }

        /** Returns where vertices without indices lie, or boxes. */
        public static Input at(Buffer buffer, long offset) {
            return new Input(buffer, offset, null, 0, List.of());
        }

        /** Returns where vertices and indices lie. */
        public static Input indexed(Buffer vertices, long offset, Buffer indices, long indexOffset) {
            return new Input(vertices, offset, indices, indexOffset, List.of());
        }

        /** Returns where instances lie, and all that they refer to. */
        public static Input instances(Buffer instances, long offset, List<AccelerationStructure> bottoms) {
            return new Input(instances, offset, null, 0, bottoms);
        }
    }

    public AccelerationStructureBuild {
        inputs = List.copyOf(inputs);
        if (inputs.size() != description.geometries().size()) {
            throw new IllegalArgumentException("the build of '" + destination.name() + "' has "
                    + description.geometries().size() + " geometries, and " + inputs.size()
                    + " inputs; say of each where it lies");
        }
    }

    /** A build anew of one geometry. */
    public AccelerationStructureBuild(
            AccelerationStructure destination,
            AccelerationStructureDescription description,
            Input input,
            Buffer scratch) {
        this(destination, description, List.of(input), scratch, 0, null);
    }

    /** Returns the same as an update of a structure. */
    public AccelerationStructureBuild updating(AccelerationStructure of) {
        return new AccelerationStructureBuild(destination, description, inputs, scratch, scratchOffset, of);
    }
}
