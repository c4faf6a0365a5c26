package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.ShaderIncludes;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for every shader of this package: SPIRV-Tools finds it valid, also where it is compiled for the Vulkan memory
 * model; barriers name the workgroup or the subgroup and that they acquire and release shared memory; atomics name the
 * device and order nothing; and no load or store is a fence.
 */
@Timeout(120)
class ShaderRulesTest {
    private static final int OP_CONSTANT = 43;
    private static final int OP_LOAD = 61;
    private static final int OP_STORE = 62;
    private static final int OP_MEMORY_MODEL = 14;
    private static final int OP_CONTROL_BARRIER = 224;
    private static final int OP_ATOMIC_LOAD = 227;
    private static final int OP_ATOMIC_STORE = 228;
    private static final int OP_ATOMIC_XOR = 242;
    private static final int GLSL_450 = 1;
    private static final int VULKAN = 3;
    private static final int DEVICE = 1;
    private static final int WORKGROUP = 2;
    private static final int SUBGROUP = 3;
    private static final int ACQUIRE_RELEASE = 0x8;
    private static final int WORKGROUP_MEMORY = 0x100;
    private static final int FENCES = 0x38;
    private static final int HEADER_WORDS = 5;

    @Test
    void scan() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (boolean segmented : new boolean[] {false, true}) {
                for (ScanOperator operator : new ScanOperator[] {
                    ScanOperator.sum(ElementType.F32),
                    ScanOperator.max(ElementType.U64),
                    ScanCases.ENDS,
                    ScanCases.MATRIX
                }) {
                    for (int lanes : new int[] {0, ScanShape.ANY}) {
                        scan(compiler, new ScanShape(operator, segmented, 128, 8, lanes));
                    }
                }
            }
        }
    }

    @Test
    void scanWithSubgroupsOfOneSize() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (int lanes : new int[] {4, 32, 128}) {
                scan(compiler, new ScanShape(ScanCases.ENDS, true, 128, 8, lanes));
            }
        }
    }

    private static void scan(ShaderCompiler compiler, ScanShape shape) {
        for (int variant = 0; variant < 4; variant++) {
            check(
                    compiler,
                    ComputeShaders.text("scan.comp"),
                    shape.defines((variant & 1) == 0, (variant & 2) == 0),
                    shape.includes());
        }
        for (LookBackTrial trial : new LookBackTrial[] {LookBackTrial.NONE, LookBackTrial.HALF_STUCK}) {
            check(compiler, ComputeShaders.text("scan_look_back.comp"), trial.defines(shape), shape.includes());
        }
    }

    @Test
    void brackets() {
        Map<String, String> lanesText = Map.of("bracket_lanes.glsl", ComputeShaders.text("bracket_lanes.glsl"));
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (int lanes : new int[] {0, 4, 8, 16, 32}) {
                for (String file : new String[] {"bracket_pack.comp", "bracket_under.comp"}) {
                    for (BracketInput input : BracketInput.values()) {
                        Map<String, String> defines = BracketMatch.defines(input, lanes, lanes == 32 ? 4 : 1);
                        int[] words = validated(compiler, ComputeShaders.text(file), defines, lanesText);
                        // Nothing is shared where a section is a subgroup.
                        assertThat(checkBarriersAndAccesses(words)).isEqualTo(lanes < 32);
                    }
                }
                for (int each = 1; each <= 2; each++) {
                    Map<String, String> defines = BracketMatch.linkDefines(each, lanes);
                    int[] words = validated(compiler, ComputeShaders.text("bracket_link.comp"), defines, Map.of());
                    assertThat(checkBarriersAndAccesses(words)).isFalse();
                }
            }
            check(compiler, ComputeShaders.text("bracket_tree.comp"), Map.of(), Map.of());
        }
    }

    @Test
    void clips() {
        Map<String, String> keys = Map.of(
                "clip_keys.glsl",
                ComputeShaders.text("clip_keys.glsl"),
                "bracket_lanes.glsl",
                ComputeShaders.text("bracket_lanes.glsl"));
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (int lanes : new int[] {0, 4, 8, 16, 32}) {
                Map<String, String> defines = BracketMatch.defines(BracketInput.BITS, lanes, lanes == 32 ? 4 : 1);
                int[] words = validated(compiler, ComputeShaders.text("clip_cut.comp"), defines, keys);
                assertThat(checkBarriersAndAccesses(words)).isEqualTo(lanes < 32);
            }
            for (int threads : new int[] {128, 256, 512}) {
                for (boolean aligned : new boolean[] {false, true}) {
                    check(compiler, ComputeShaders.text("clip_apply.comp"), ClipBoxes.defines(threads, aligned), keys);
                }
            }
            for (String stage : new String[] {"expand", "plant", "jump"}) {
                String text = ComputeShaders.text("clip_" + stage + ".comp");
                assertThat(validated(compiler, text, Map.of(), keys)).isNotEmpty();
            }
        }
    }

    @Test
    void compactionAndClearing() {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (String file : new String[] {"compact_mark.comp", "compact_move.comp", "scan_clear.comp"}) {
                int[] words = validated(compiler, ComputeShaders.text(file), Map.of(), Map.of());
                assertThat(checkBarriersAndAccesses(words)).isFalse();
            }
        }
    }

    /** A file that no test here names would be checked by none. */
    @Test
    void everyFileIsNamed() throws Exception {
        URI folder = Objects.requireNonNull(ComputeShaders.class.getResource("scan.comp"))
                .toURI();
        assumeTrue(folder.getScheme().equals("file"), "shaders lie in a jar");
        try (Stream<Path> files =
                Files.list(Objects.requireNonNull(Path.of(folder).getParent()))) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).filter(name -> name.endsWith(".comp")))
                    .containsExactlyInAnyOrder(
                            "scan.comp",
                            "scan_look_back.comp",
                            "scan_clear.comp",
                            "bracket_pack.comp",
                            "bracket_under.comp",
                            "bracket_link.comp",
                            "bracket_tree.comp",
                            "clip_cut.comp",
                            "clip_apply.comp",
                            "clip_expand.comp",
                            "clip_plant.comp",
                            "clip_jump.comp",
                            "compact_mark.comp",
                            "compact_move.comp");
        }
    }

    private static void check(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        assertThat(checkBarriersAndAccesses(validated(compiler, text, defines, includes)))
                .isTrue();
    }

    private static int[] validated(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        String vulkan = text.replaceFirst("(?m)^layout", "#pragma use_vulkan_memory_model\nlayout");
        assertThat(memoryModel(compiled(compiler, vulkan, defines, includes))).isEqualTo(VULKAN);
        int[] words = compiled(compiler, text, defines, includes);
        assertThat(memoryModel(words)).isEqualTo(GLSL_450);
        return words;
    }

    private static int memoryModel(int[] words) {
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> 16) {
            if ((words[at] & 0xFFFF) == OP_MEMORY_MODEL) {
                return words[at + 2];
            }
        }
        throw new AssertionError("a module without a memory model");
    }

    private static int[] compiled(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        ByteBuffer spirv = compiler.compile(new ShaderSource("rules.comp", ShaderStage.COMPUTE, text, defines)
                        .withIncludes(ShaderIncludes.of(includes)))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / 4];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated by SPIRV-Tools.
        compiler.compile(ShaderSource.spirv("validated.comp", ShaderStage.COMPUTE, words, "main"));
        return words;
    }

    /** Returns whether there are barriers. */
    private static boolean checkBarriersAndAccesses(int[] words) {
        Map<Integer, Integer> constants = new HashMap<>();
        int barriers = 0;
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> 16) {
            int length = words[at] >>> 16;
            int operation = words[at] & 0xFFFF;
            if (operation >= OP_ATOMIC_LOAD && operation <= OP_ATOMIC_XOR) {
                // Type, result and pointer come first; a store has but the pointer.
                int scope = operation == OP_ATOMIC_STORE ? at + 2 : at + 4;
                assertThat(constants.get(words[scope])).isEqualTo(DEVICE);
                assertThat(constants.getOrDefault(words[scope + 1], 0)).isZero();
            }
            switch (operation) {
                case OP_CONSTANT -> constants.put(words[at + 2], words[at + 3]);
                case OP_LOAD ->
                    assertThat(length > 4 ? words[at + 4] & FENCES : 0).isZero();
                case OP_STORE ->
                    assertThat(length > 3 ? words[at + 3] & FENCES : 0).isZero();
                case OP_CONTROL_BARRIER -> {
                    barriers++;
                    assertThat(constants.get(words[at + 1])).isIn(WORKGROUP, SUBGROUP);
                    assertThat(constants.get(words[at + 2])).isEqualTo(constants.get(words[at + 1]));
                    assertThat(constants.getOrDefault(words[at + 3], 0) & (ACQUIRE_RELEASE | WORKGROUP_MEMORY))
                            .isEqualTo(ACQUIRE_RELEASE | WORKGROUP_MEMORY);
                }
                default -> {}
            }
        }
        return barriers > 0;
    }
}
