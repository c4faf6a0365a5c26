package io.frameloom.gpu.shader;

import io.frameloom.gpu.ShaderSource;
import java.nio.ByteBuffer;

/**
 * A compiled shader. Immutable; any thread.
 */
public final class CompiledShader {
    private final ShaderSource source;
    private final ByteBuffer spirv;
    private final ShaderReflection reflection;

    CompiledShader(ShaderSource source, ByteBuffer spirv, ShaderReflection reflection) {
        this.source = source;
        this.spirv = spirv;
        this.reflection = reflection;
    }

    /** Returns what it was compiled from. */
    public ShaderSource source() {
        return source;
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
