package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compilation_status_success;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_into_spv;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_add_macro_definition;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_target_env;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compute_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_env_version_vulkan_1_3;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_fragment_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_bytes;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_compilation_status;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_error_message;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_target_env_vulkan;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_vertex_shader;

import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.ShaderCompilationException;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.cache.Compatibility;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramDriver;
import io.frameloom.gpu.cache.ProgramKey;
import io.frameloom.gpu.cache.ProgramKind;
import io.frameloom.gpu.cache.ProgramStatus;
import io.frameloom.gpu.internal.LruBytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.BufferUtils;
import org.lwjgl.system.MemoryUtil;

/**
 * Compiles GLSL to SPIR-V for Vulkan 1.3 by shaderc, or validates given SPIR-V, and remembers results by their input: those
 * last asked for, within a budget of bytes.
 *
 * <p>Any thread may compile; equal sources compiled at the same time may both do the work, and one result stays. With a
 * program cache one thread does the work, and none if an earlier start of the application has done it. Code is
 * not optimised here: drivers do that, and names would be lost. Close it when no thread compiles.
 */
public final class ShaderCompiler implements AutoCloseable {
    private static final long MEMORY_BYTES = 32 << 20;
    private static final int OBJECT_BYTES = 1024;

    private final LruBytes<ShaderInput, Known> compiled;

    private final long compiler;
    private boolean closed;

    private final @Nullable ProgramCache cache;
    private final @Nullable Compatibility compatibility;

    private record Known(CompiledShader shader, long bytes) {}

    /** A compiler with an empty memory. */
    public ShaderCompiler() {
        this(null);
    }

    /**
     * A compiler with an empty memory of its own.
     *
     * @param cache where it looks for code before it compiles, or null; outlives this
     */
    public ShaderCompiler(@Nullable ProgramCache cache) {
        this(cache, MEMORY_BYTES);
    }

    /**
     * A compiler that remembers so much.
     *
     * @param memoryBytes about the most bytes of inputs and their code to remember; what is forgotten is compiled again
     */
    ShaderCompiler(@Nullable ProgramCache cache, long memoryBytes) {
        this.compiled = new LruBytes<>(memoryBytes, Known::bytes);
        this.cache = cache;
        compatibility = cache == null ? null : ShaderKeys.compiler();
        if (cache != null && compatibility != null) {
            cache.prepare(ProgramKind.SHADER, compatibility);
        }
        compiler = shaderc_compiler_initialize();
        if (compiler == MemoryUtil.NULL) {
            throw new GpuException("the shader compiler shaderc could not be initialised");
        }
    }

    /**
     * Returns the compiled form of a shader; SPIR-V is validated. Files are read anew by every call.
     *
     * @throws ShaderCompilationException with file, line, the lines that included it and the compiler's words, or with the
     *     offset of what is wrong in SPIR-V, or naming a kind of binding that is not supported
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

    /** Returns the number of different inputs that are remembered. */
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
        ByteBuffer spirv;
        if (input instanceof ShaderInput.Glsl glsl) {
            spirv = translate(glsl);
        } else {
            ByteBuffer given = ((ShaderInput.Spirv) input).code().bytes();
            spirv = BufferUtils.createByteBuffer(given.remaining()).put(given).flip();
            if (!valid) {
                SpirvValidator.check(input.name(), spirv);
            }
        }
        ShaderReflection reflection = ShaderReflection.of(input.name(), input.stage(), input.entry(), spirv);
        return new CompiledShader(input, spirv, reflection, key);
    }

    private CompiledShader fromCache(ShaderInput input, ProgramCache from, ProgramKey key) {
        return from.obtain(key, new ProgramDriver<CompiledShader>() {
            @Override
            public @Nullable CompiledShader load(byte[] binary) {
                return ShaderBinary.decode(input, key, binary);
            }

            @Override
            public Built<CompiledShader> build() {
                // Known without being at hand: it was evicted, and a pipeline that was made of it is kept.
                boolean known = from.status(key) == ProgramStatus.SUCCESS;
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

    private ByteBuffer translate(ShaderInput.Glsl input) {
        if (!input.closure().text().contains("#version")) {
            // The compiler takes the oldest version then, and writes what it thinks of that to the terminal.
            throw new ShaderCompilationException("shader '" + input.name() + "' (" + input.stage()
                    + ") does not compile:\n" + input.name() + ":1: error: it must begin with #version 450 or later");
        }
        long options = shaderc_compile_options_initialize();
        try (IncludeSession includes = new IncludeSession(input.name(), input.closure())) {
            shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
            input.defines()
                    .forEach((name, value) -> shaderc_compile_options_add_macro_definition(options, name, value));
            includes.attach(options);
            // Text goes through the heap: sources outgrow the thread's memory stack.
            ByteBuffer text = MemoryUtil.memUTF8(includes.text(), false);
            ByteBuffer file = MemoryUtil.memUTF8(input.name());
            ByteBuffer entry = MemoryUtil.memUTF8(input.entry());
            try {
                long result = shaderc_compile_into_spv(compiler, text, kind(input.stage()), file, entry, options);
                return spirvOf(input, includes, result);
            } finally {
                MemoryUtil.memFree(text);
                MemoryUtil.memFree(file);
                MemoryUtil.memFree(entry);
            }
        } finally {
            shaderc_compile_options_release(options);
        }
    }

    private static ByteBuffer spirvOf(ShaderInput input, IncludeSession includes, long result) {
        if (result == MemoryUtil.NULL) {
            throw new GpuException("shaderc gave no result for shader '" + input.name() + "'");
        }
        try {
            if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
                String words = shaderc_result_get_error_message(result);
                throw new ShaderCompilationException("shader '" + input.name() + "' (" + input.stage()
                        + ") does not compile:\n" + (words == null ? "no message" : includes.explain(words.strip())));
            }
            ByteBuffer bytes = shaderc_result_get_bytes(result);
            if (bytes == null) {
                throw new GpuException("shaderc gave no code for shader '" + input.name() + "'");
            }
            return BufferUtils.createByteBuffer(bytes.remaining()).put(bytes).flip();
        } finally {
            shaderc_result_release(result);
        }
    }

    private static int kind(ShaderStage stage) {
        return switch (stage) {
            case VERTEX -> shaderc_vertex_shader;
            case FRAGMENT -> shaderc_fragment_shader;
            case COMPUTE -> shaderc_compute_shader;
        };
    }

    /** Releases the compiler; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            shaderc_compiler_release(compiler);
        }
    }
}
