package io.frameloom.gpu.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;

/**
 * A tree of triangles, boxes or instances that rays are traced through, and the buffer that is its memory. Passes and
 * barriers name it as any buffer, as one of the accesses {@link Access#ACCELERATION_STRUCTURE_BUILD_WRITE} to {@link
 * Access#ACCELERATION_STRUCTURE_TRACE_COMPUTE}. It is made by {@link GpuDevice#createAccelerationStructure}, filled by
 * {@link CommandList#buildAccelerationStructure} and bound by {@link CommandList#bindAccelerationStructure}. Takes {@link
 * Capability#RAY_QUERIES} or {@link Capability#RAY_TRACING_PIPELINES}.
 *
 * <p>A bottom level no longer needs what it was built of. A top level refers to the bottom levels of its build: rays,
 * copies and updates read them too. Lists that name a top level are refused as if it were closed when one of these is
 * closed after they began; later lists neither bind nor copy nor measure it.
 */
public interface AccelerationStructure extends Buffer {
    /** Whether it is built of geometry, or refers to others that are. */
    enum Level {
        /** Of triangles or boxes. */
        BOTTOM,
        /** Of instances of bottom levels. */
        TOP
    }

    /** Returns its level. */
    Level level();

    /**
     * Returns the address by which instances refer to this ({@link TopLevelInstances}), valid as long as this is open.
     * Any thread.
     *
     * @throws IllegalStateException if this is closed
     */
    @Override
    long address();

    /**
     * What an acceleration structure takes.
     *
     * @param structureBytes bytes of the structure
     * @param buildScratchBytes bytes of scratch memory of a build
     * @param updateScratchBytes bytes of scratch memory of an update
     */
    record Sizes(long structureBytes, long buildScratchBytes, long updateScratchBytes) {}

    /** What a copy between two structures does. */
    enum CopyMode {
        /** The same tree. */
        CLONE,
        /** The same tree in less memory. It was built to be {@code COMPACTABLE}. */
        COMPACT
    }
}
