package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.SPV.SPV_SUCCESS;
import static org.lwjgl.util.shaderc.SPV.nspvDiagnosticDestroy;
import static org.lwjgl.util.shaderc.SPV.nspvValidateWithOptions;
import static org.lwjgl.util.shaderc.SPV.spvContextCreate;
import static org.lwjgl.util.shaderc.SPV.spvContextDestroy;
import static org.lwjgl.util.shaderc.SPV.spvValidatorOptionsCreate;
import static org.lwjgl.util.shaderc.SPV.spvValidatorOptionsDestroy;
import static org.lwjgl.util.shaderc.SPV.spvValidatorOptionsSetAllowLocalSizeId;
import static org.lwjgl.util.shaderc.SPV.spvValidatorOptionsSetScalarBlockLayout;

import io.frameloom.gpu.error.ShaderCompilationException;
import java.nio.ByteBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.SPVBinary;
import org.lwjgl.util.shaderc.SPVDiagnostic;
import org.lwjgl.util.spvc.Spv;

/**
 * Checks an application's SPIR-V before SPIRV-Cross and the driver see it, which both trust it: its header, then all of
 * it by the validator of SPIRV-Tools under the rules of a version of Vulkan. Stateless.
 */
final class SpirvValidator {
    static final int MAGIC = 0x07230203;
    private static final int HEADER_WORDS = 5;

    /** As many as SPIR-V lets structs be nested. */
    private static final int MOST_NESTED = 255;

    private SpirvValidator() {}

    /**
     * Checks how deep types are nested, into which validator and reflection recurse. The module may be broken.
     *
     * @param shader name for messages
     * @throws ShaderCompilationException if types are nested too deep
     */
    static void checkDepth(String shader, ByteBuffer spirv) {
        int words = spirv.remaining() / Integer.BYTES;
        Int2IntHashMap depths = new Int2IntHashMap(0);
        for (int at = HEADER_WORDS; at < words; ) {
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
                if (depth == MOST_NESTED) {
                    throw new ShaderCompilationException("shader '" + shader + "' nests types more than " + MOST_NESTED
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

    /**
     * Checks a module.
     *
     * @param shader name for messages
     * @param spirv words in a direct buffer
     * @throws ShaderCompilationException naming the shader, the offset and the defect there
     */
    static void check(String shader, ByteBuffer spirv, ShaderTarget target) {
        checkHeader(shader, spirv);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long binary = stack.ncalloc(SPVBinary.ALIGNOF, 1, SPVBinary.SIZEOF);
            MemoryUtil.memPutAddress(binary + SPVBinary.CODE, MemoryUtil.memAddress(spirv));
            MemoryUtil.memPutAddress(binary + SPVBinary.WORDCOUNT, spirv.remaining() / Integer.BYTES);
            PointerBuffer diagnostic = stack.callocPointer(1);
            long context = spvContextCreate(target.validator);
            long options = spvValidatorOptionsCreate();
            try {
                spvValidatorOptionsSetScalarBlockLayout(options, true);
                spvValidatorOptionsSetAllowLocalSizeId(options, true);
                int result = nspvValidateWithOptions(context, options, binary, diagnostic.address());
                if (result != SPV_SUCCESS) {
                    throw new ShaderCompilationException("shader '" + shader + "' is not valid SPIR-V for "
                            + target.words + words(diagnostic.get(0), spirv));
                }
            } finally {
                if (diagnostic.get(0) != MemoryUtil.NULL) {
                    nspvDiagnosticDestroy(diagnostic.get(0));
                }
                spvValidatorOptionsDestroy(options);
                spvContextDestroy(context);
            }
        }
    }

    private static String words(long address, ByteBuffer spirv) {
        if (address == MemoryUtil.NULL) {
            return "; the validator says no more";
        }
        SPVDiagnostic diagnostic = SPVDiagnostic.create(address);
        return offset(diagnostic.position$().index(), spirv) + ": "
                + diagnostic.errorString().strip();
    }

    /** Returns where the instruction of a number is; they are counted from 1, and 0 is the module as a whole. */
    private static String offset(long instruction, ByteBuffer spirv) {
        long word = HEADER_WORDS;
        for (long i = 1; i < instruction && word * Integer.BYTES < spirv.remaining(); i++) {
            word += Math.max(1, spirv.getInt((int) word * Integer.BYTES) >>> 16);
        }
        boolean known = instruction > 0 && word * Integer.BYTES < spirv.remaining();
        return known
                ? " at instruction " + instruction + " (word " + word + ", byte " + word * Integer.BYTES + ")"
                : "";
    }

    private static void checkHeader(String shader, ByteBuffer spirv) {
        int bytes = spirv.remaining();
        if (bytes % Integer.BYTES != 0 || bytes < HEADER_WORDS * Integer.BYTES) {
            throw new ShaderCompilationException("shader '" + shader + "' has " + bytes
                    + " bytes of SPIR-V; it must be a multiple of 4, and at least the header of 20 bytes");
        }
        int magic = spirv.getInt(spirv.position());
        if (magic != MAGIC) {
            throw new ShaderCompilationException(String.format(
                    "shader '%s' is no SPIR-V: word 0 is 0x%08x, but should be 0x%08x", shader, magic, MAGIC));
        }
    }
}
