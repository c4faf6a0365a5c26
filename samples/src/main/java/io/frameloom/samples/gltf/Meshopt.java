package io.frameloom.samples.gltf;

import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeFilterColor;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeFilterExp;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeFilterOct;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeFilterQuat;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeIndexBuffer;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeIndexSequence;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_decodeVertexBuffer;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/** Buffer views that meshoptimizer has compressed: EXT_meshopt_compression, and KHR_meshopt_compression, its heir. */
final class Meshopt {
    static final String EXTENSION = "EXT_meshopt_compression";
    static final String KHRONOS_EXTENSION = "KHR_meshopt_compression";

    private enum Mode {
        ATTRIBUTES,
        TRIANGLES,
        INDICES
    }

    private enum Filter {
        NONE,
        OCTAHEDRAL,
        QUATERNION,
        EXPONENTIAL,
        COLOR
    }

    private static final Map<String, Mode> MODES =
            Map.of("ATTRIBUTES", Mode.ATTRIBUTES, "TRIANGLES", Mode.TRIANGLES, "INDICES", Mode.INDICES);

    private static final Map<String, Filter> FILTERS = Map.of(
            "NONE",
            Filter.NONE,
            "OCTAHEDRAL",
            Filter.OCTAHEDRAL,
            "QUATERNION",
            Filter.QUATERNION,
            "EXPONENTIAL",
            Filter.EXPONENTIAL,
            "COLOR",
            Filter.COLOR);

    private Meshopt() {}

    /** Returns whether a buffer only stands in where compressed views cannot be read. */
    static boolean isFallback(Json buffer) throws ModelException {
        return buffer.extension(EXTENSION).at("fallback").flag()
                || buffer.extension(KHRONOS_EXTENSION).at("fallback").flag();
    }

    /** Returns whether compressed views name a buffer, which then needs no data. */
    static boolean replaces(Json root, String buffer) throws ModelException {
        for (Json view : root.at("bufferViews").elements()) {
            if (compressed(view) != null && view.at("buffer").node().asText().equals(buffer)) {
                return true;
            }
        }
        return false;
    }

    /** Returns where the compressed bytes of a buffer view are, or null if it has none. */
    static @Nullable Json compressed(Json view) {
        Json khronos = view.extension(KHRONOS_EXTENSION);
        Json own = khronos.present() ? khronos : view.extension(EXTENSION);
        return own.present() ? own : null;
    }

    /**
     * Decodes a buffer view.
     *
     * @param compressed the extension of the view
     * @param length the bytes that the view has
     */
    static ByteBuffer decode(Json compressed, ByteBuffer data, int length) throws ModelException {
        int count = compressed.at("count").integer(0);
        int stride = compressed.at("byteStride").integer(0);
        Mode mode = compressed.at("mode").choice(Mode.ATTRIBUTES, MODES);
        Filter filter = compressed.at("filter").choice(Filter.NONE, FILTERS);
        boolean fits = mode == Mode.ATTRIBUTES
                ? stride % 4 == 0 && stride > 0 && stride <= 256
                : (stride == 2 || stride == 4) && (mode == Mode.INDICES || count % 3 == 0);
        boolean filters = switch (filter) {
            case NONE -> true;
            case OCTAHEDRAL, COLOR -> stride == 4 || stride == 8;
            case QUATERNION -> stride == 8;
            case EXPONENTIAL -> true;
        };
        if (!fits || !filters || (filter != Filter.NONE && mode != Mode.ATTRIBUTES)) {
            throw compressed.malformed(
                    count + " elements of " + stride + " bytes cannot be " + mode + " with filter " + filter);
        }
        if (count < 1 || (long) count * stride != length) {
            throw compressed.malformed(
                    count + " elements of " + stride + " bytes are not the " + length + " bytes of the view");
        }
        try {
            return decode(compressed, data, count, stride, mode, filter);
        } catch (LinkageError e) {
            throw new ModelException(
                    "is compressed by " + EXTENSION + ", and meshoptimizer cannot be loaded here: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                            + "; gltf-transform cp IN OUT writes the model without that compression",
                    e);
        }
    }

    private static ByteBuffer decode(Json compressed, ByteBuffer data, int count, int stride, Mode mode, Filter filter)
            throws ModelException {
        ByteBuffer source = MemoryUtil.memAlloc(data.remaining());
        try {
            source.put(data).flip();
            ByteBuffer target = MemoryUtil.memAlloc(count * stride);
            try {
                int problem = switch (mode) {
                    case ATTRIBUTES -> meshopt_decodeVertexBuffer(target, count, stride, source);
                    case TRIANGLES -> meshopt_decodeIndexBuffer(target, count, stride, source);
                    case INDICES -> meshopt_decodeIndexSequence(target, count, stride, source);
                };
                if (problem != 0) {
                    throw compressed.malformed("its data are damaged");
                }
                switch (filter) {
                    case NONE -> {}
                    case OCTAHEDRAL -> meshopt_decodeFilterOct(target, count, stride);
                    case QUATERNION -> meshopt_decodeFilterQuat(target, count, stride);
                    case EXPONENTIAL -> meshopt_decodeFilterExp(target, count, stride);
                    case COLOR -> meshopt_decodeFilterColor(target, count, stride);
                }
                return ByteBuffer.allocate(target.remaining()).put(target).flip();
            } finally {
                MemoryUtil.memFree(target);
            }
        } finally {
            MemoryUtil.memFree(source);
        }
    }
}
