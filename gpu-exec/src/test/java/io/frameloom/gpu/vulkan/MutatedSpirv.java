package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Makes pipelines of SPIR-V in which some words are others, in a process of its own: what the validator accepts is given to
 * the driver, which must not fall over it. Arguments: seed, number of mutants. Each mutant is named before it is tried; the
 * last line is {@code done} and how many became pipelines.
 */
final class MutatedSpirv {
    private static final int HEADER_WORDS = 5;
    private static final int DECORATE = 71;
    private static final int MEMBER_DECORATE = 72;
    private static final int CONSTANT = 43;
    private static final int SPEC_CONSTANT = 50;
    private static final int[] EDGES = {
        0, 1, 2, 31, 32, 255, 65535, 65536, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -2, -1
    };

    private static final String COMPUTE = """
        #version 450
        layout(local_size_x_id = 7, local_size_y = 2) in;
        layout(constant_id = 3) const int K = 4;
        layout(binding = 0) buffer B { vec4 x[]; } b;
        layout(binding = 1) uniform U { mat4 m; int n; } u;
        layout(binding = 2) uniform sampler2D t[4];
        layout(set = 1, binding = 0, rgba8) uniform image2D img;
        layout(push_constant) uniform P { vec4 a; int i; } p;
        shared float s[64];
        float f(float q) { for (int i = 0; i < u.n; i++) q += b.x[i].x * K; return q; }
        void main() {
            if (p.i > 3) {
                b.x[gl_GlobalInvocationID.x] = u.m * p.a * f(2) + texture(t[1], vec2(0.5));
            } else {
                s[gl_LocalInvocationIndex] = 1;
                barrier();
                imageStore(img, ivec2(0), vec4(s[0]));
            }
        }
        """;
    private static final String VERTEX = """
        #version 450
        layout(location = 1) out vec4 q;
        layout(location = 2) out vec2 r[2];
        void main() { gl_Position = vec4(0); q = vec4(1); r[0] = r[1] = vec2(2); }
        """;
    private static final String FRAGMENT = """
        #version 450
        layout(constant_id = 5) const int K = 4;
        layout(set = 0, binding = 1) uniform U { vec4 c[3]; } u;
        layout(location = 1) in vec4 q;
        layout(location = 2) in vec2 r[2];
        layout(location = 0) out vec4 o;
        void main() { o = q + u.c[K & 1] + r[1].xyxy; }
        """;

    private final Random random;

    private MutatedSpirv(long seed) {
        random = new Random(seed);
    }

    private static int[] words(ShaderCompiler compiler, ShaderStage stage, String glsl) {
        ByteBuffer code =
                compiler.compile(new ShaderSource("some", stage, glsl)).spirv();
        int[] words = new int[code.remaining() / Integer.BYTES];
        code.asIntBuffer().get(words);
        return words;
    }

    /** Changes any word, or the number of a decoration or constant, which the validator takes more often. */
    private int[] mutant(int[] words) {
        int[] changed = words.clone();
        int changes = 1 + random.nextInt(2);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(3) == 0 ? random.nextInt(changed.length) : number(changed);
            changed[at] = switch (random.nextInt(5)) {
                case 0 -> random.nextInt();
                case 1 -> changed[at] ^ 1 << random.nextInt(Integer.SIZE);
                case 2 -> changed[random.nextInt(changed.length)];
                case 3 -> changed[at] + random.nextInt(5) - 2;
                default -> EDGES[random.nextInt(EDGES.length)];
            };
        }
        return changed;
    }

    /** Returns where a decoration or constant has its number, or any word. */
    private int number(int[] words) {
        int[] numbers = new int[words.length];
        int count = 0;
        for (int at = HEADER_WORDS; at < words.length; at += Math.max(1, words[at] >>> 16)) {
            int opcode = words[at] & 0xffff;
            int length = words[at] >>> 16;
            boolean decoration = (opcode == DECORATE && length == 4) || (opcode == MEMBER_DECORATE && length == 5);
            if ((decoration || opcode == CONSTANT || opcode == SPEC_CONSTANT) && at + length <= words.length) {
                numbers[count++] = at + length - 1;
            }
        }
        return count == 0 ? random.nextInt(words.length) : numbers[random.nextInt(count)];
    }

    private static boolean creates(GpuDevice device, ShaderStage stage, int[] words) {
        ShaderSource shader = ShaderSource.spirv("mutant", stage, words, "main");
        try {
            if (stage == ShaderStage.COMPUTE) {
                device.createComputePipeline(new ComputePipelineDescription("some", shader, null))
                        .close();
            } else {
                device.createGraphicsPipeline(new GraphicsPipelineDescription(
                                "some",
                                new ShaderSource("some", ShaderStage.VERTEX, VERTEX),
                                shader,
                                List.of(),
                                CullMode.NONE,
                                null,
                                Blend.NONE,
                                List.of(Format.R8G8B8A8_UNORM),
                                null))
                        .close();
            }
            return true;
        } catch (GpuException | IllegalArgumentException refused) {
            return false;
        }
    }

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[1]);
        MutatedSpirv mutations = new MutatedSpirv(Long.parseLong(arguments[0]));
        int made = 0;
        try (TaskGraph tasks = TaskGraph.builder().name("mutants").workers(1).build();
                ShaderCompiler compiler = new ShaderCompiler();
                GpuDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "mutants", false, null))) {
            int[] compute = words(compiler, ShaderStage.COMPUTE, COMPUTE);
            int[] fragment = words(compiler, ShaderStage.FRAGMENT, FRAGMENT);
            for (int i = 0; i < count; i++) {
                ShaderStage stage = i % 2 == 0 ? ShaderStage.COMPUTE : ShaderStage.FRAGMENT;
                int[] original = stage == ShaderStage.COMPUTE ? compute : fragment;
                int[] mutant = mutations.mutant(original);
                System.out.println("mutant " + i + " " + stage + ": " + difference(original, mutant));
                try {
                    made += creates(device, stage, mutant) ? 1 : 0;
                } catch (RuntimeException e) {
                    throw new IllegalStateException("mutant " + i + " of seed " + arguments[0], e);
                }
            }
        }
        System.out.println("done " + made);
    }

    private static String difference(int[] original, int[] mutant) {
        StringBuilder words = new StringBuilder();
        for (int at = Arrays.mismatch(original, mutant); at >= 0 && at < mutant.length; at++) {
            if (original[at] != mutant[at]) {
                words.append("word ")
                        .append(at)
                        .append(" is 0x")
                        .append(HexFormat.of().toHexDigits(mutant[at]))
                        .append(' ');
            }
        }
        return words.toString();
    }
}
