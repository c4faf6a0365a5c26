package io.frameloom.gpu.shader;

import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.cache.ProgramKey;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A compiled shader. Immutable; any thread.
 */
public final class CompiledShader {
    private final ShaderSource source;
    private final ByteBuffer spirv;
    private final ShaderReflection reflection;
    private final @Nullable ProgramKey key;

    CompiledShader(ShaderSource source, ByteBuffer spirv, ShaderReflection reflection, @Nullable ProgramKey key) {
        this.source = source;
        this.spirv = spirv;
        this.reflection = reflection;
        this.key = key;
    }

    /** Returns what it was compiled from. */
    public ShaderSource source() {
        return source;
    }

    /** Returns its key in the program cache; null if it was compiled without one. */
    public @Nullable ProgramKey key() {
        return key;
    }

    /** Returns the SPIR-V words: a direct buffer, native order, position 0; a fresh view on every call. */
    public ByteBuffer spirv() {
        return spirv.duplicate().order(spirv.order());
    }

    /** Returns the resources it uses. */
    public ShaderReflection reflection() {
        return reflection;
    }
}
