package io.frameloom.gpu.shader;

import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A compiled shader, before its specialization. Immutable; any thread.
 *
 * @param entry name of the entry point
 * @param spirv SPIR-V words in a direct buffer
 * @param key its key in the program cache; null if it was compiled without one
 */
public record CompiledShader(
        String name,
        ShaderStage stage,
        String entry,
        ByteBuffer spirv,
        ShaderReflection reflection,
        @Nullable ProgramKey key) {
    CompiledShader(ShaderInput input, ByteBuffer spirv, ShaderReflection reflection, @Nullable ProgramKey key) {
        this(input.name(), input.stage(), input.entry(), spirv, reflection, key);
    }

    /** Returns the SPIR-V words: a direct buffer, native order, position 0; a fresh view on every call. */
    @Override
    public ByteBuffer spirv() {
        return spirv.duplicate().order(spirv.order());
    }
}
