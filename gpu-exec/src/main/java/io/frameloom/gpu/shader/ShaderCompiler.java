package io.frameloom.gpu.shader;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.program.CachedPrograms;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramDriver;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import io.frameloom.gpu.device.LruBytes;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderCode;
import io.frameloom.gpu.pipeline.ShaderSource;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.BufferUtils;

/**
 * Compiles GLSL to SPIR-V for a version of Vulkan by shaderc, or validates given SPIR-V, and remembers the most recently used
 * results by their input, within a budget of bytes.
 *
 * <p>Any thread may compile; equal sources compiled at the same time may both do the work, and one result stays. With a
 * program cache one thread does the work, and none if an earlier start of the application has done it. Code is not
 * optimised here, since drivers do that, unless a line {@code #pragma optimised_code} of the shader asks for it. Close
 * it when no thread compiles.
 */
public final class ShaderCompiler implements AutoCloseable {
    private static final long MEMORY_BYTES = 32 << 20;
    private static final int OBJECT_BYTES = 1024;

    private final LruBytes<ShaderInput, Known> compiled;
    private final ShaderTarget target;
    private final GlslCompiler glsl;
    private boolean closed;

    private final @Nullable CachedPrograms cache;
    private final @Nullable Compatibility compatibility;

    private record Known(CompiledShader shader, long bytes) {}

    /** A compiler for Vulkan 1.3 with an empty memory. */
    public ShaderCompiler() {
        this(null);
    }

    /**
     * A compiler for Vulkan 1.3 with an empty memory of its own.
     *
     * @param cache where it looks for code before it compiles, or null; outlives this
     */
    public ShaderCompiler(@Nullable ProgramCache cache) {
        this(cache, ShaderTarget.VULKAN_1_3, MEMORY_BYTES);
    }

    /** The same, for a version of Vulkan. */
    public ShaderCompiler(@Nullable ProgramCache cache, ShaderTarget target) {
        this(cache, target, MEMORY_BYTES);
    }

    /**
     * A compiler with a budget of memory.
     *
     * @param memoryBytes about the most bytes of inputs and their code to remember; what is forgotten is compiled again
     */
    ShaderCompiler(@Nullable ProgramCache cache, ShaderTarget target, long memoryBytes) {
        this.target = target;
        this.compiled = new LruBytes<>(memoryBytes, Known::bytes);
        this.cache = cache == null ? null : CachedPrograms.of(cache);
        compatibility = cache == null ? null : ShaderKeys.compiler(target);
        if (this.cache != null && compatibility != null) {
            this.cache.prepare(ProgramKind.SHADER, compatibility);
        }
        glsl = new GlslCompiler(target);
    }

    /**
     * Returns the compiled form of a shader; SPIR-V is validated. Files are read anew by every call.
     *
     * @throws ShaderCompilationException with file, line, the lines that included it and the compiler's words, or with
     *     the offset of the defect in SPIR-V, or naming a kind of binding that is not supported
     */
    public CompiledShader compile(ShaderSource source) {
        ShaderInput input = ShaderInput.of(source);
        Known known = compiled.get(input);
        if (known != null) {
            return known.shader;
        }
        CompiledShader fresh = cache == null || compatibility == null
                ? translated(input, null, false)
                : fromCache(input, cache, ShaderKeys.key(input, compatibility));
        synchronized (compiled) {
            Known first = compiled.get(input);
            if (first != null) {
                return first.shader;
            }
            long bytes = OBJECT_BYTES
                    + input.characters() * Character.BYTES
                    + fresh.spirv().remaining();
            compiled.put(input, new Known(fresh, bytes));
            return fresh;
        }
    }

    int size() {
        return compiled.size();
    }

    /** Returns about the number of bytes that they and their code take. */
    long bytes() {
        return compiled.bytes();
    }

    /**
     * Makes a shader.
     *
     * @param valid whether it is known to be valid, and SPIR-V need not be validated once more
     */
    private CompiledShader translated(ShaderInput input, @Nullable ProgramKey key, boolean valid) {
        ByteBuffer translated = input instanceof ShaderInput.Glsl text ? glsl.translate(text) : null;
        return DeepStack.call(0, () -> {
            ByteBuffer spirv = translated == null ? copy(((ShaderInput.Spirv) input).code()) : translated;
            SpirvValidator.checkDepth(input.name(), spirv);
            if (translated == null && !valid) {
                SpirvValidator.check(input.name(), spirv, target);
            }
            ShaderReflection reflection = ShaderReflection.of(input.name(), input.stage(), input.entry(), spirv);
            return new CompiledShader(input, spirv, reflection, key);
        });
    }

    private static ByteBuffer copy(ShaderCode.Spirv code) {
        ByteBuffer given = code.bytes();
        return BufferUtils.createByteBuffer(given.remaining()).put(given).flip();
    }

    private CompiledShader fromCache(ShaderInput input, CachedPrograms from, ProgramKey key) {
        return from.obtain(key, new ProgramDriver<CompiledShader>() {
            @Override
            public @Nullable CompiledShader load(byte[] binary) {
                return ShaderBinary.decode(input, key, binary);
            }

            @Override
            public Built<CompiledShader> build() {
                // Known without being at hand: it was evicted, and a pipeline that was made of it is kept.
                boolean known = from.isKnown(key);
                CompiledShader shader = translated(input, key, known);
                return new Built<>(shader, ShaderBinary.encode(shader));
            }

            @Override
            public boolean isPermanent(RuntimeException failure) {
                return failure instanceof ShaderCompilationException;
            }

            @Override
            public RuntimeException again(RuntimeException failure) {
                ShaderCompilationException own = new ShaderCompilationException(String.valueOf(failure.getMessage()));
                own.initCause(failure);
                return own;
            }
        });
    }

    /** Releases the compiler; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            glsl.close();
        }
    }
}
