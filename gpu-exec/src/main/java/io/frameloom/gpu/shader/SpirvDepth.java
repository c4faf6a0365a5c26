package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import java.nio.ByteBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.lwjgl.util.spvc.Spv;

/** Bounds how deep types of SPIR-V are nested, into which validator and reflection recurse. Stateless. */
final class SpirvDepth {
    /** As many as SPIR-V lets structs be nested. */
    static final int MOST = 255;

    private SpirvDepth() {}

    /**
     * Checks a module, which may be broken: the validator finds other defects.
     *
     * @param shader name for messages
     * @throws ShaderCompilationException if types are nested too deep
     */
    static void check(String shader, ByteBuffer spirv) {
        int words = spirv.remaining() / Integer.BYTES;
        Int2IntHashMap depths = new Int2IntHashMap(0);
        for (int at = SpirvModule.HEADER_WORDS; at < words; ) {
            int opcode = word(spirv, at) & 0xffff;
            int length = word(spirv, at) >>> 16;
            if (length == 0 || length > words - at || opcode == Spv.SpvOpFunction) {
                return;
            }
            int first = firstMember(opcode);
            if (first > 0 && length > first) {
                int last = opcode == Spv.SpvOpTypeStruct ? length - 1 : first;
                int depth = 0;
                for (int i = first; i <= last; i++) {
                    depth = Math.max(depth, depths.get(word(spirv, at + i)));
                }
                if (depth == MOST) {
                    throw new ShaderCompilationException("shader '" + shader + "' nests types more than " + MOST
                            + " deep (word " + at + " of its SPIR-V); use flatter structs and arrays");
                }
                depths.put(word(spirv, at + 1), depth + 1);
            }
            at += length;
        }
    }

    private static int firstMember(int opcode) {
        return switch (opcode) {
            case Spv.SpvOpTypeArray, Spv.SpvOpTypeRuntimeArray, Spv.SpvOpTypeStruct -> 2;
            case Spv.SpvOpTypePointer -> 3;
            default -> 0;
        };
    }

    private static int word(ByteBuffer spirv, int at) {
        return spirv.getInt(spirv.position() + at * Integer.BYTES);
    }
}
