package io.frameloom.gpu.pipeline;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The code that a shader is compiled from. Immutable. */
public sealed interface ShaderCode {
    /** Returns the name of the entry point. */
    String entry();

    /** As this, with {@code #include} lines looked up elsewhere. */
    ShaderCode withIncludes(ShaderIncludes includes);

    /** As this, with other preprocessor definitions. */
    ShaderCode withDefines(Map<String, String> defines);

    /**
     * GLSL text. It may declare the Vulkan memory model by {@code #pragma use_vulkan_memory_model}. Each access to
     * shared memory is then a fence; with the line {@code #pragma shared_memory_by_barriers} none is, and barriers must
     * make shared memory available and visible.
     *
     * @param text source text, with its own {@code #version} line
     * @param defines preprocessor definitions, name to value; empty value allowed
     * @param includes where {@code #include} lines find their files
     */
    record Glsl(String text, Map<String, String> defines, ShaderIncludes includes) implements ShaderCode {
        /** Copies the definitions in the order of their names. */
        public Glsl {
            defines = Collections.unmodifiableSortedMap(new TreeMap<>(defines));
        }

        @Override
        public String entry() {
            return "main";
        }

        @Override
        public Glsl withIncludes(ShaderIncludes files) {
            return new Glsl(text, defines, files);
        }

        @Override
        public Glsl withDefines(Map<String, String> definitions) {
            return new Glsl(text, definitions, includes);
        }
    }

    /**
     * GLSL that is read under the name of its shader whenever it is compiled.
     *
     * @param files where the text and its includes are
     * @param defines preprocessor definitions, name to value; empty value allowed
     */
    record GlslFile(ShaderIncludes files, Map<String, String> defines) implements ShaderCode {
        /** Copies the definitions in the order of their names. */
        public GlslFile {
            defines = Collections.unmodifiableSortedMap(new TreeMap<>(defines));
        }

        @Override
        public String entry() {
            return "main";
        }

        @Override
        public GlslFile withIncludes(ShaderIncludes includes) {
            return new GlslFile(includes, defines);
        }

        @Override
        public GlslFile withDefines(Map<String, String> definitions) {
            return new GlslFile(files, definitions);
        }
    }

    /** SPIR-V that something else has compiled. */
    final class Spirv implements ShaderCode {
        private static final int MAGIC_SWAPPED = 0x03022307;

        /** In the byte order of this machine. */
        private final byte[] bytes;

        private final String entry;

        private Spirv(byte[] bytes, String entry) {
            this.bytes = bytes;
            this.entry = entry;
        }

        static Spirv of(int[] words, String entry) {
            ByteBuffer bytes = ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.nativeOrder());
            bytes.asIntBuffer().put(words);
            return new Spirv(bytes.array(), entry);
        }

        static Spirv of(byte[] bytes, String entry) {
            ByteBuffer copy = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.nativeOrder());
            if (bytes.length % Integer.BYTES == 0 && bytes.length > 0 && copy.getInt(0) == MAGIC_SWAPPED) {
                for (int i = 0; i < bytes.length; i += Integer.BYTES) {
                    copy.putInt(i, Integer.reverseBytes(copy.getInt(i)));
                }
            }
            return new Spirv(copy.array(), entry);
        }

        /** Returns the bytes in the byte order of this machine: a read-only view. */
        public ByteBuffer bytes() {
            return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
        }

        @Override
        public String entry() {
            return entry;
        }

        @Override
        public ShaderCode withIncludes(ShaderIncludes includes) {
            throw new UnsupportedOperationException("SPIR-V has no includes; give them where the GLSL is compiled");
        }

        @Override
        public ShaderCode withDefines(Map<String, String> defines) {
            throw new UnsupportedOperationException(
                    "SPIR-V has no preprocessor definitions; use specialization constants");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Spirv spirv && entry.equals(spirv.entry) && Arrays.equals(bytes, spirv.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(bytes) + entry.hashCode();
        }

        @Override
        public String toString() {
            return bytes.length + " bytes of SPIR-V, entry point '" + entry + "'";
        }
    }
}
