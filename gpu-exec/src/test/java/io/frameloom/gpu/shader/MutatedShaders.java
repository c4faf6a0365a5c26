package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Compiles GLSL and SPIR-V in which something is cut off, doubled, exchanged or repeated, in a process of its own. Arguments:
 * seed, number of mutants, first one to tell of. The last line is {@code done} and how many were compiled.
 */
final class MutatedShaders {
    private static final int HEADER_WORDS = 5;
    private static final int[] EDGES = {0, 1, 2, 3, 0xffff, 1 << 16, 1 << 22, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
    private static final List<String> PIECES = List.of(
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ";",
            ",",
            "-",
            "!",
            "+",
            "?",
            ":",
            ".x",
            "#",
            "\\\n",
            "/*",
            "\"",
            "\0",
            "\u00e4",
            "struct S { int a; } ",
            "if (true) ",
            "else ",
            "for (;;) ",
            "#define M M M\n",
            "M",
            "#if 1\n",
            "#endif\n",
            "4294967296",
            "[2147483647]",
            "[-1]",
            "1e99999",
            "layout(binding = -1) ",
            "layout(constant_id = 1) const int Z = 1;",
            "#line 2147483647\n",
            "#extension all : warn\n",
            "uniform ",
            "mat4 ",
            "switch (1) { case 1: ",
            "void main() {");

    private static final String GLSL = """
        #version 450
        #define TWICE(x) ((x) + (x))
        layout(local_size_x_id = 7, local_size_y = 2) in;
        layout(constant_id = 3) const int K = 4;
        struct Inner { vec4 a; int n[3]; };
        layout(binding = 0) buffer B { Inner x[]; } b;
        layout(binding = 1) uniform U { mat4 m; int n; } u;
        layout(binding = 2) uniform sampler2D t[4];
        layout(set = 1, binding = 0, rgba8) uniform image2D img;
        layout(push_constant) uniform P { vec4 a; int i; } p;
        shared float s[64];
        float f(float q) { for (int i = 0; i < u.n; i++) q += b.x[i].a.x * K; return TWICE(q); }
        void main() {
            if (p.i > 3) {
                b.x[gl_GlobalInvocationID.x].a = u.m * p.a * f(2) + texture(t[1], vec2(0.5));
            } else {
                s[gl_LocalInvocationIndex] = -1;
                barrier();
                imageStore(img, ivec2(0), vec4(s[0]));
            }
        }
        """;

    private final Random random;

    private MutatedShaders(long seed) {
        random = new Random(seed);
    }

    private String text() {
        StringBuilder text = new StringBuilder(GLSL);
        for (int i = 1 + random.nextInt(3); i > 0 && text.length() > 0; i--) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + 1 + random.nextInt(40));
            switch (random.nextInt(6)) {
                case 0 -> text.setLength(Math.max(1, at));
                case 1 -> text.delete(at, to);
                case 2 -> text.insert(at, text.substring(at, to).repeat(1 + random.nextInt(4)));
                case 3 -> text.insert(at, piece().repeat(1 << random.nextInt(12)));
                case 4 -> text.setCharAt(at, (char) (1 + random.nextInt(126)));
                default -> text.insert(at, piece());
            }
        }
        return text.toString();
    }

    private String piece() {
        return PIECES.get(random.nextInt(PIECES.size()));
    }

    private int[] words(int[] original) {
        int[] words = original.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(words.length);
            switch (random.nextInt(6)) {
                case 0 -> words = Arrays.copyOf(words, 1 + random.nextInt(words.length));
                case 1 -> words[at] ^= 1 << random.nextInt(Integer.SIZE);
                case 2 -> words[at] = EDGES[random.nextInt(EDGES.length)];
                case 3 -> words[at] = words[random.nextInt(words.length)];
                case 4 -> words[at] += random.nextInt(5) - 2;
                default -> words = repeated(words);
            }
        }
        return words;
    }

    /** Repeats an instruction many times, or leaves it out. */
    private int[] repeated(int[] words) {
        int at = Math.min(HEADER_WORDS, words.length);
        for (int skipped = random.nextInt(200); skipped > 0 && at < words.length; skipped--) {
            at += Math.max(1, words[at] >>> 16);
        }
        if (at >= words.length) {
            return words;
        }
        int end = Math.min(words.length, at + Math.max(1, words[at] >>> 16));
        int times = random.nextBoolean() ? 0 : 1 << random.nextInt(10);
        int length = end - at;
        int[] out = Arrays.copyOf(words, words.length + (times - 1) * length);
        for (int i = 0; i < times; i++) {
            System.arraycopy(words, at, out, at + i * length, length);
        }
        System.arraycopy(words, end, out, at + times * length, words.length - end);
        return out;
    }

    private static boolean compiles(ShaderCompiler compiler, ShaderSource source) {
        try {
            compiler.compile(source);
            return true;
        } catch (GpuException | IllegalArgumentException refused) {
            return false;
        }
    }

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[1]);
        int told = Integer.parseInt(arguments[2]);
        MutatedShaders mutations = new MutatedShaders(Long.parseLong(arguments[0]));
        int compiled = 0;
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            ByteBuffer code = compiler.compile(new ShaderSource("whole", ShaderStage.COMPUTE, GLSL))
                    .spirv();
            int[] whole = new int[code.remaining() / Integer.BYTES];
            code.asIntBuffer().get(whole);
            for (int i = 0; i < count; i++) {
                String name = "mutant " + i;
                ShaderSource source = i % 3 != 0
                        ? new ShaderSource(name, ShaderStage.COMPUTE, mutations.text())
                        : ShaderSource.spirv(name, ShaderStage.COMPUTE, mutations.words(whole), "main");
                System.out.println(name + (i < told ? "" : ": " + source.code()));
                try {
                    compiled += compiles(compiler, source) ? 1 : 0;
                } catch (RuntimeException | Error e) {
                    System.out.println(new String(
                            source.code().toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.US_ASCII));
                    throw new IllegalStateException(name + " of seed " + arguments[0], e);
                }
            }
        }
        System.out.println("done " + compiled);
    }
}
