package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.ShaderIncludes;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for every shader of this package: SPIRV-Tools finds it valid, barriers name the workgroup or the subgroup and that they
 * acquire and release shared memory, and no load or store is a fence.
 */
@Timeout(120)
class ShaderRulesTest {
    private static final int OP_CONSTANT = 43;
    private static final int OP_LOAD = 61;
    private static final int OP_STORE = 62;
    private static final int OP_CONTROL_BARRIER = 224;
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

    private static void check(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        assertThat(checkBarriersAndAccesses(validated(compiler, text, defines, includes)))
                .isTrue();
    }

    private static int[] validated(
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
            switch (words[at] & 0xFFFF) {
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
