package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Boxes;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Geometry;
import io.frameloom.gpu.command.AccelerationStructureDescription.Instances;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.AccelerationStructure.CopyMode;
import io.frameloom.gpu.resource.AccelerationStructure.Level;
import io.frameloom.gpu.resource.AccelerationStructure.Sizes;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TopLevelInstances;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** The checks of commands that build, copy and measure acceleration structures, which are of the device and open. */
public final class StructureRules {
    public static final int SERIALIZED_ALIGNMENT = 256;

    /** Bytes of a serialised structure that say which driver wrote it. */
    public static final int HEADER_BYTES = 32;

    private static final int BOX_ALIGNMENT = 8;
    private static final int INSTANCE_ALIGNMENT = 16;

    private final RecordingRules rules;

    StructureRules(RecordingRules rules) {
        this.rules = rules;
    }

    /** Refuses acceleration structures where nothing traces rays: Vulkan builds none there. */
    public static void requireCapability(String what, DeviceCapabilities device) {
        if (!device.has(Capability.RAY_QUERIES) && !device.has(Capability.RAY_TRACING_PIPELINES)) {
            throw new IllegalStateException(what + " takes RAY_QUERIES or RAY_TRACING_PIPELINES, both off in device '"
                    + device.name() + "'; open the device with DeviceOptions.require or prefer");
        }
    }

    /** Throws unless a serialised structure has what says which driver wrote it. */
    public static void requireHeader(ByteBuffer serialized, DeviceCapabilities device) {
        Objects.requireNonNull(serialized, "serialized must not be null");
        requireCapability("a serialised acceleration structure", device);
        if (serialized.remaining() < HEADER_BYTES) {
            throw new IllegalArgumentException("a serialised acceleration structure begins with " + HEADER_BYTES
                    + " bytes about its driver, got " + serialized.remaining());
        }
    }

    public static void check(AccelerationStructureDescription description, DeviceCapabilities device) {
        Objects.requireNonNull(description, "description must not be null");
        requireCapability("an acceleration structure", device);
        DeviceLimits.AccelerationStructures most = device.limits().accelerationStructures();
        boolean top = description.level() == Level.TOP;
        require(description.geometries().size(), top ? 1 : most.maxGeometries(), "geometries");
        require(
                description.primitives(),
                top ? most.maxInstances() : most.maxPrimitives(),
                top ? "instances" : "triangles or boxes");
    }

    private static void require(long number, long most, String what) {
        if (number > most) {
            throw new IllegalArgumentException(
                    "an acceleration structure of " + number + " " + what + " is too large; the device allows " + most
                            + " (DeviceLimits.AccelerationStructures): build several");
        }
    }

    /** Throws unless builds may be recorded here. */
    void requirePlace(String command) {
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.COMPUTE);
    }

    /**
     * Checks a build and notes it.
     *
     * @param sizes what the description takes
     */
    void build(AccelerationStructureBuild build, Sizes sizes) {
        String command = "buildAccelerationStructure";
        AccelerationStructureDescription description = build.description();
        AccelerationStructure destination = build.destination();
        requireLevel(command, destination, description.level());
        requireBytes(command, destination, sizes.structureBytes());
        requireUpdatable(command, build);
        boolean anew = build.updated() == null;
        long scratch = anew ? sizes.buildScratchBytes() : sizes.updateScratchBytes();
        if (scratch > 0) {
            int unit = rules.capabilities().limits().accelerationStructures().scratchAlignment();
            input(
                    command,
                    build.scratch(),
                    build.scratchOffset(),
                    unit,
                    scratch,
                    Access.ACCELERATION_STRUCTURE_SCRATCH);
        }
        for (int i = 0; i < build.inputs().size(); i++) {
            input(command, description.geometries().get(i), build.inputs().get(i));
        }
        AccelerationStructure updated = build.updated();
        boolean inPlace = updated == destination;
        if (updated != null && !inPlace) {
            uses(updated, Access.ACCELERATION_STRUCTURE_BUILD_READ);
        }
        uses(
                destination,
                inPlace ? Access.ACCELERATION_STRUCTURE_BUILD_READ_WRITE : Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
    }

    private void requireUpdatable(String command, AccelerationStructureBuild build) {
        AccelerationStructure updated = build.updated();
        if (updated == null || built(updated).isAwaited()) {
            return;
        }
        AccelerationStructureDescription before = built(updated).description();
        if (before == null || !before.flags().contains(Flag.UPDATABLE)) {
            throw new IllegalArgumentException(rules.where(command) + ": " + of(updated)
                    + " is updated, and was not built UPDATABLE; build it anew with that flag");
        }
        if (!before.equals(build.description())) {
            throw new IllegalArgumentException(rules.where(command) + ": " + of(updated)
                    + " is updated by another description than it was built of; update positions alone, or build anew");
        }
    }

    private void input(String command, Geometry geometry, Input input) {
        boolean indexed = geometry instanceof Triangles triangles && triangles.indices() != null;
        Buffer indices = input.indices();
        if ((indices != null) != indexed) {
            throw new IllegalArgumentException(rules.where(command) + ": the input in buffer '"
                    + input.buffer().name() + "' has " + (indexed ? "no" : "an") + " index buffer, and its geometry is "
                    + geometry + "; give one for triangles with indices alone");
        }
        if (!input.bottoms().isEmpty() && !(geometry instanceof Instances)) {
            throw new IllegalArgumentException(rules.where(command) + ": the input in buffer '"
                    + input.buffer().name() + "' refers to bottom levels, which instances alone do");
        }
        for (int i = 0; i < input.bottoms().size(); i++) {
            requireLevel(command, input.bottoms().get(i), Level.BOTTOM);
            uses(input.bottoms().get(i), Access.ACCELERATION_STRUCTURE_BUILD_READ);
        }
        if (indices != null) {
            input(command, indices, input.indexOffset(), indexSize(geometry), indexBytes(geometry));
        }
        int unit = geometry instanceof Triangles triangles
                ? triangles.unit()
                : geometry instanceof Boxes ? BOX_ALIGNMENT : INSTANCE_ALIGNMENT;
        input(command, input.buffer(), input.offset(), unit, inputBytes(geometry));
    }

    /** Returns the bytes that a build reads of vertices, boxes or instances; none if not above 0. */
    public static long inputBytes(Geometry geometry) {
        if (geometry instanceof Triangles triangles) {
            return (triangles.vertices() - 1L) * triangles.stride()
                    + triangles.format().planeBytes(0);
        }
        return geometry instanceof Boxes boxes
                ? (boxes.primitives() - 1L) * boxes.stride() + Boxes.BYTES
                : (long) geometry.primitives() * TopLevelInstances.BYTES;
    }

    /** Returns the bytes that a build reads of the indices of triangles that have some. */
    public static long indexBytes(Geometry geometry) {
        return 3L * indexSize(geometry) * geometry.primitives();
    }

    private static int indexSize(Geometry geometry) {
        return geometry instanceof Triangles triangles && triangles.indices() == IndexType.UINT16
                ? Short.BYTES
                : Integer.BYTES;
    }

    /** Checks an input; nothing is read of one without primitives. */
    private void input(String command, Buffer buffer, long offset, int unit, long bytes) {
        input(command, buffer, offset, unit, bytes, Access.ACCELERATION_STRUCTURE_INPUT);
    }

    private void input(String command, Buffer buffer, long offset, int unit, long bytes, Access access) {
        Ranges.usage(rules, command, buffer, BufferUsage.STORAGE);
        Ranges.aligned(rules, command, buffer, "offset", offset, unit);
        if (bytes > 0) {
            Ranges.range(rules, command, buffer, offset, bytes);
            rules.reports().uses(buffer, offset, bytes, access);
        }
    }

    void copy(AccelerationStructure source, AccelerationStructure destination, CopyMode mode) {
        String command = "copyAccelerationStructure";
        requireLevel(command, destination, source.level());
        if (source == destination) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": " + of(source) + " is copied to itself; copy to another one");
        }
        requireBottoms(command, source);
        if (mode == CopyMode.COMPACT) {
            requireCompactable(command, source);
        } else {
            requireBytes(command, destination, source.description().bytes());
        }
        uses(source, Access.ACCELERATION_STRUCTURE_BUILD_READ);
        uses(destination, Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
    }

    /** Checks that a structure is written to memory; how much of that is known when the list runs. */
    void serialize(AccelerationStructure source, Buffer destination, long offset) {
        String command = "serializeAccelerationStructure";
        requireLevel(command, source, Level.BOTTOM);
        input(
                command,
                destination,
                offset,
                SERIALIZED_ALIGNMENT,
                rest(destination, offset),
                Access.ACCELERATION_STRUCTURE_OUTPUT);
        uses(source, Access.ACCELERATION_STRUCTURE_BUILD_READ);
    }

    void deserialize(Buffer source, long offset, AccelerationStructure destination) {
        String command = "deserializeAccelerationStructure";
        requireLevel(command, destination, Level.BOTTOM);
        input(command, source, offset, SERIALIZED_ALIGNMENT, rest(source, offset));
        uses(destination, Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
    }

    /** Returns the bytes from an offset on; where there are none one is missing. */
    private static long rest(Buffer buffer, long offset) {
        return Math.max(1, buffer.description().bytes() - offset);
    }

    void measure(AccelerationStructure structure, QueryKind kind) {
        String command = "measureAccelerationStructure";
        requireBottoms(command, structure);
        if (kind == QueryKind.COMPACTED_BYTES) {
            requireCompactable(command, structure);
        }
        uses(structure, Access.ACCELERATION_STRUCTURE_BUILD_READ);
    }

    private void requireBottoms(String command, AccelerationStructure structure) {
        Resource gone = built(structure).firstClosed();
        if (gone != null) {
            throw new IllegalStateException(rules.where(command) + ": " + of(structure) + " refers to bottom level '"
                    + gone.name() + "', which is closed; build it anew without that");
        }
    }

    private void requireCompactable(String command, AccelerationStructure source) {
        if (built(source).isAwaited()) {
            return;
        }
        AccelerationStructureDescription description = built(source).description();
        if (description == null || !description.flags().contains(Flag.COMPACTABLE)) {
            throw new IllegalArgumentException(rules.where(command) + ": " + of(source)
                    + " was not built COMPACTABLE; build it with that flag, or clone it");
        }
    }

    private void requireLevel(String command, AccelerationStructure structure, Level level) {
        if (structure.level() != level) {
            throw new IllegalArgumentException(rules.where(command) + ": " + of(structure) + " is of level "
                    + structure.level() + ", and " + level + " is needed; create another one");
        }
    }

    private void requireBytes(String command, AccelerationStructure structure, long bytes) {
        if (structure.description().bytes() < bytes) {
            throw new IllegalArgumentException(rules.where(command) + ": " + of(structure) + " has "
                    + structure.description().bytes() + " bytes, and " + bytes + " are needed; create a larger one");
        }
    }

    private void uses(AccelerationStructure structure, Access access) {
        rules.reports().uses(structure, 0, structure.description().bytes(), access);
    }

    private static String of(AccelerationStructure structure) {
        return "acceleration structure '" + structure.name() + "'";
    }

    static BuiltContents built(AccelerationStructure structure) {
        return ((RecordedStructure) structure).built();
    }

    static List<AccelerationStructure> bottoms(AccelerationStructureBuild build) {
        return build.inputs().get(0).bottoms();
    }
}
