package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.SPV.SPV_ENV_VULKAN_1_3;
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
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.SPVBinary;
import org.lwjgl.util.shaderc.SPVDiagnostic;

/**
 * Checks an application's SPIR-V before SPIRV-Cross and the driver see it, which both trust it: its header, then all of
 * it by the validator of SPIRV-Tools under the rules of Vulkan 1.3. Stateless.
 */
final class SpirvValidator {
    static final int MAGIC = 0x07230203;
    private static final int HEADER_WORDS = 5;

    private SpirvValidator() {}

    /**
     * Checks a module.
     *
     * @param shader name for messages
     * @param spirv words in a direct buffer
     * @throws ShaderCompilationException naming the shader, the offset and the defect there
     */
    static void check(String shader, ByteBuffer spirv) {
        checkHeader(shader, spirv);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long binary = stack.ncalloc(SPVBinary.ALIGNOF, 1, SPVBinary.SIZEOF);
            MemoryUtil.memPutAddress(binary + SPVBinary.CODE, MemoryUtil.memAddress(spirv));
            MemoryUtil.memPutAddress(binary + SPVBinary.WORDCOUNT, spirv.remaining() / Integer.BYTES);
            PointerBuffer diagnostic = stack.callocPointer(1);
            long context = spvContextCreate(SPV_ENV_VULKAN_1_3);
            long options = spvValidatorOptionsCreate();
            try {
                spvValidatorOptionsSetScalarBlockLayout(options, true);
                spvValidatorOptionsSetAllowLocalSizeId(options, true);
                int result = nspvValidateWithOptions(context, options, binary, diagnostic.address());
                if (result != SPV_SUCCESS) {
                    throw new ShaderCompilationException("shader '" + shader + "' is not valid SPIR-V for Vulkan 1.3"
                            + words(diagnostic.get(0), spirv));
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
