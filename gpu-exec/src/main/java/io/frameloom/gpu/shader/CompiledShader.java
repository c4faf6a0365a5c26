package io.frameloom.gpu.shader;

import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A compiled shader, before its specialization. Immutable; any thread. */
public final class CompiledShader {
    private final String name;
    private final ShaderStage stage;
    private final String entry;
    private final ByteBuffer spirv;
    private final ShaderReflection reflection;
    private final @Nullable ProgramKey key;

    CompiledShader(ShaderInput input, ByteBuffer spirv, ShaderReflection reflection, @Nullable ProgramKey key) {
        this.name = input.name();
        this.stage = input.stage();
        this.entry = input.entry();
        this.spirv = spirv;
        this.reflection = reflection;
        this.key = key;
    }

    /** Returns the name for messages. */
    public String name() {
        return name;
    }

    public ShaderStage stage() {
        return stage;
    }

    /** Returns the name of the entry point. */
    public String entry() {
        return entry;
    }

    /** Returns its key in the program cache; null if it was compiled without one. */
    public @Nullable ProgramKey key() {
        return key;
    }

    /** Returns the SPIR-V words: a direct buffer, native order, position 0; a fresh view on every call. */
    public ByteBuffer spirv() {
        return spirv.duplicate().order(spirv.order());
    }

    public ShaderReflection reflection() {
        return reflection;
    }
}
