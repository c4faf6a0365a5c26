package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which groups of a pipeline rays run, and with what data: a record for the ray generation, and lists of them for
 * misses, hits and callables, which shaders find by number. It lays them out as the device wants them, and writes them
 * into memory that {@link CommandList#traceRays} is given. Immutable; any thread.
 *
 * <pre>{@code
 * BufferSlice memory = context.upload(table.bytes(), table.alignment());
 * table.write(memory.data());
 * commands.traceRays(table, memory.buffer(), memory.offset(), width, height, 1);
 * }</pre>
 *
 * <p>The memory is a buffer of usage {@link BufferUsage#STORAGE}, a use as {@link Access#SHADER_BINDING_TABLE}. It may
 * be written once and kept, as long as the pipeline.
 */
public final class ShaderBindingTable {
    private final RayTracingPipeline pipeline;
    private final List<Region> regions;
    private final int alignment;
    /** What is written. Between records it has zeros, so that equal tables are equal bytes. */
    private final ByteBuffer image;

    /**
     * A record.
     *
     * @param group name of a group of the pipeline
     * @param data what its shaders find in their {@code shaderRecordEXT} block: the remaining bytes, copied
     */
    public record ShaderRecord(String group, ByteBuffer data) {
        /** Copies the data. */
        public ShaderRecord {
            Objects.requireNonNull(group, "group must not be null");
            Objects.requireNonNull(data, "data must not be null");
            data = ByteBuffer.allocate(data.remaining())
                    .put(data.duplicate())
                    .flip()
                    .asReadOnlyBuffer();
        }

        /** A record without data. */
        public ShaderRecord(String group) {
            this(group, ByteBuffer.allocate(0));
        }

        /** Returns a fresh read-only view; its position is 0. */
        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /**
     * Where the records of one kind lie.
     *
     * @param offset first byte of the first record
     * @param stride bytes from one to the next, 0 without any
     * @param bytes bytes of all
     */
    public record Region(long offset, long stride, long bytes) {}

    /**
     * A table for a pipeline.
     *
     * @param generation of a ray generation shader
     * @param miss of miss shaders; {@code traceRayEXT} names one by its number
     * @param hit of groups of hits; the offsets of instances, the numbers of geometries and {@code traceRayEXT} add up
     *     to the number of one
     * @param callable of callable shaders; {@code executeCallableEXT} names one by its number
     * @throws IllegalArgumentException if a group is not there or of another kind, or a record is too large
     */
    public ShaderBindingTable(
            RayTracingPipeline pipeline,
            ShaderRecord generation,
            List<ShaderRecord> miss,
            List<ShaderRecord> hit,
            List<ShaderRecord> callable) {
        this.pipeline = Objects.requireNonNull(pipeline, "pipeline must not be null");
        Objects.requireNonNull(generation, "generation must not be null");
        Objects.requireNonNull(miss, "miss must not be null");
        Objects.requireNonNull(hit, "hit must not be null");
        Objects.requireNonNull(callable, "callable must not be null");
        RecordLimits most = pipeline.recordLimits();
        this.alignment = most.baseAlignment();
        List<List<ShaderRecord>> records =
                List.of(List.of(generation), List.copyOf(miss), List.copyOf(hit), List.copyOf(callable));
        Map<String, Integer> numbers = numbers();
        requireKind(generation, numbers, ShaderStage.RAY_GENERATION);
        records.get(1).forEach(each -> requireKind(each, numbers, ShaderStage.MISS));
        records.get(2).forEach(each -> requireHit(each, numbers));
        records.get(3).forEach(each -> requireKind(each, numbers, ShaderStage.CALLABLE));
        this.regions = layout(
                most,
                records.stream()
                        .map(kind ->
                                kind.stream().map(each -> each.data.remaining()).toList())
                        .toList());
        for (Region region : regions) {
            if (region.stride > most.maxStride()) {
                throw new IllegalArgumentException(where() + " has records of " + region.stride
                        + " bytes with their handle, the device allows " + most.maxStride()
                        + " (RecordLimits.maxStride); put less data into them");
            }
        }
        if (bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    where() + " has " + bytes() + " bytes, a buffer of Java has at most " + Integer.MAX_VALUE);
        }
        this.image = ByteBuffer.allocate((int) bytes());
        ByteBuffer handles = pipeline.handles();
        for (int kind = 0; kind < regions.size(); kind++) {
            int at = (int) regions.get(kind).offset;
            for (ShaderRecord each : records.get(kind)) {
                image.put(at, handles, number(each, numbers) * most.handle(), most.handle());
                image.put(at + most.handle(), each.data, 0, each.data.remaining());
                at += (int) regions.get(kind).stride;
            }
        }
    }

    /** Returns the numbers of the groups by their names. */
    private Map<String, Integer> numbers() {
        List<Group> groups = pipeline.description().groups();
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            numbers.put(groups.get(i).name(), i);
        }
        return numbers;
    }

    /**
     * Lays records out: each kind begins at a multiple of the base alignment, and its records are as far apart as the
     * largest of them needs.
     *
     * @param limits alignments, and the size of handles
     * @param data by kind, the bytes of data of each record
     */
    static List<Region> layout(RecordLimits limits, List<List<Integer>> data) {
        Region[] regions = new Region[data.size()];
        long end = 0;
        for (int kind = 0; kind < regions.length; kind++) {
            List<Integer> sizes = data.get(kind);
            long largest = sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
            long offset = aligned(end, limits.baseAlignment());
            long stride = sizes.isEmpty() ? 0 : aligned(limits.handle() + largest, limits.alignment());
            regions[kind] = new Region(offset, stride, stride * sizes.size());
            end = offset + regions[kind].bytes;
        }
        return List.of(regions);
    }

    private static long aligned(long value, int unit) {
        return (value + unit - 1) / unit * unit;
    }

    private String where() {
        return "the binding table of pipeline '" + pipeline.name() + "'";
    }

    private int number(ShaderRecord of, Map<String, Integer> numbers) {
        Integer number = numbers.get(of.group);
        if (number == null) {
            throw new IllegalArgumentException(where() + " names group '" + of.group
                    + "', which is not there; there are "
                    + pipeline.description().groups().stream().map(Group::name).toList());
        }
        return number;
    }

    private Group group(ShaderRecord of, Map<String, Integer> numbers) {
        return pipeline.description().groups().get(number(of, numbers));
    }

    private void requireKind(ShaderRecord of, Map<String, Integer> numbers, ShaderStage stage) {
        requireData(of);
        Group group = group(of, numbers);
        if (!(group instanceof General general) || general.shader().stage() != stage) {
            throw new IllegalArgumentException(where() + " takes group '" + of.group + "' as one of " + stage
                    + ", which it is not; name a General of such a shader");
        }
    }

    private void requireHit(ShaderRecord of, Map<String, Integer> numbers) {
        requireData(of);
        if (group(of, numbers) instanceof General) {
            throw new IllegalArgumentException(where() + " takes group '" + of.group
                    + "' as one of hits, which it is not; name a TrianglesHit or ProceduralHit");
        }
    }

    /** A shader would read on in the next record. */
    private void requireData(ShaderRecord of) {
        int needed = pipeline.recordBytes().getOrDefault(of.group, 0);
        if (of.data.remaining() < needed) {
            throw new IllegalArgumentException(where() + " has a record of group '" + of.group + "' with "
                    + of.data.remaining() + " bytes of data, and the shaderRecordEXT block has " + needed
                    + "; give all of it");
        }
    }

    /** Returns the pipeline. */
    public RayTracingPipeline pipeline() {
        return pipeline;
    }

    /** Returns the bytes of all records. */
    public long bytes() {
        Region last = regions.get(regions.size() - 1);
        return last.offset + last.bytes;
    }

    /** Returns the alignment of the memory. */
    public int alignment() {
        return alignment;
    }

    /** Returns where ray generation, misses, hits and callables lie, in this order. */
    public List<Region> regions() {
        return regions;
    }

    /**
     * Writes all records, and zeros between them.
     *
     * @param to memory from the position on, which stays
     * @throws IllegalArgumentException if there are less than {@link #bytes} bytes
     */
    public void write(ByteBuffer to) {
        if (to.remaining() < bytes()) {
            throw new IllegalArgumentException(
                    where() + " has " + bytes() + " bytes, and there is room for " + to.remaining());
        }
        to.put(to.position(), image, 0, image.capacity());
    }
}
