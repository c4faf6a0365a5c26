package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.resource.Buffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a list's vertex buffers after their offsets, against those that draws read. A draw costs a
 * multiplication and a comparison for each buffer of its pipeline, and allocates nothing. One thread.
 */
final class VertexRanges {
    private static final int FEW = 8;

    /** By binding: the buffer and its bytes after the offset. */
    private @Nullable Buffer[] buffers = new @Nullable Buffer[FEW];

    private long[] left = new long[FEW];
    /** The bindings from here on have no buffer. */
    private int bound;

    /** Of the pipeline, by binding: bytes from an element to the next, and to the end of its last attribute. */
    private long[] strides = new long[FEW];

    private long[] ends = new long[FEW];
    private long instanced;
    private int count;
    private String pipeline = "";

    void forget() {
        Arrays.fill(buffers, 0, bound, null);
        bound = 0;
        count = 0;
    }

    void bind(int binding, Buffer buffer, long offset) {
        if (binding >= buffers.length) {
            int length = Math.max(binding + 1, 2 * buffers.length);
            buffers = Arrays.copyOf(buffers, length);
            left = Arrays.copyOf(left, length);
        }
        bound = Math.max(bound, binding + 1);
        buffers[binding] = buffer;
        left[binding] = buffer.description().bytes() - offset;
    }

    /** Takes the vertex buffers of draws by another pipeline. */
    void use(String name, List<VertexBuffer> layout) {
        pipeline = name;
        count = layout.size();
        if (count > strides.length) {
            strides = new long[count];
            ends = new long[count];
        }
        instanced = 0;
        for (int i = 0; i < count; i++) {
            VertexBuffer buffer = layout.get(i);
            strides[i] = buffer.stride();
            ends[i] = end(buffer.attributes());
            instanced |= buffer.perInstance() ? 1L << i : 0;
        }
    }

    private static long end(List<VertexAttribute> attributes) {
        long end = 0;
        for (int i = 0; i < attributes.size(); i++) {
            VertexAttribute attribute = attributes.get(i);
            end = Math.max(end, attribute.offset() + (long) attribute.format().blockBytes());
        }
        return end;
    }

    /**
     * Checks a draw; all buffers of the pipeline are bound.
     *
     * @param rules of the list, for messages
     * @param command the draw, for messages
     * @param vertices number after the last vertex, 0 if it is not known
     * @param instances number after the last instance
     */
    void check(RecordingRules rules, String command, long vertices, long instances) {
        for (int i = 0; i < count; i++) {
            long elements = (instanced >> i & 1) != 0 ? instances : vertices;
            if (elements > 0 && (elements - 1) * strides[i] + ends[i] > left[i]) {
                throw beyond(rules.where(command), i, elements);
            }
        }
    }

    /**
     * Reports what a draw, which was checked, fetches from the buffers of the pipeline.
     *
     * @param vertices number after the last vertex, 0 if it is not known: then all of a buffer counts
     * @param instances number after the last instance, likewise
     */
    void report(RecordingRules rules, long firstVertex, long vertices, long firstInstance, long instances) {
        for (int i = 0; rules.reports().asked() && i < count; i++) {
            Buffer buffer = buffers[i];
            boolean perInstance = (instanced >> i & 1) != 0;
            long first = perInstance ? firstInstance : firstVertex;
            long elements = perInstance ? instances : vertices;
            if (buffer != null && elements == 0) {
                rules.reports().uses(buffer, 0, 0, Access.VERTEX);
            } else if (buffer != null && ends[i] > 0) {
                long start = buffer.description().bytes() - left[i] + first * strides[i];
                rules.reports().uses(buffer, start, (elements - 1 - first) * strides[i] + ends[i], Access.VERTEX);
            }
        }
    }

    private IllegalArgumentException beyond(String where, int binding, long elements) {
        Buffer buffer = buffers[binding];
        long room = left[binding] < ends[binding]
                ? 0
                : strides[binding] == 0 ? Long.MAX_VALUE : (left[binding] - ends[binding]) / strides[binding] + 1;
        return new IllegalArgumentException(where + ": pipeline '" + pipeline + "' reads "
                + ((instanced >> binding & 1) != 0 ? "instances" : "vertices") + " 0 to " + elements
                + " of vertex buffer "
                + binding + ", but '" + (buffer == null ? "" : buffer.name()) + "' has " + left[binding]
                + " bytes after its offset, which are " + room + "; draw fewer, or bind a larger buffer");
    }
}
