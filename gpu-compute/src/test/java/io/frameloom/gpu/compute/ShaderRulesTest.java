package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.testing.SpirvRules;
import io.frameloom.testing.TestEffort;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What holds for every shader of this package, under the Vulkan memory model, which is what devices with that feature get,
 * and under that of GLSL: SPIRV-Tools finds it valid, it keeps {@link SpirvRules}, and has no fence that is no barrier.
 */
class ShaderRulesTest {
    /** In the usual run one of each two sizes of subgroups, so that every two of operator, segments and size meet. */
    @Test
    void scan() {
        try (ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            boolean anySize = false;
            int turn = 0;
            for (boolean segmented : new boolean[] {false, true}) {
                for (ScanOperator operator : List.of(
                        ScanOperator.sum(ElementType.F32),
                        ScanOperator.max(ElementType.U64),
                        ScanCases.ENDS,
                        ScanCases.MATRIX)) {
                    scan(compiler, operator, segmented, anySize, turn++);
                    if (TestEffort.isThorough()) {
                        scan(compiler, operator, segmented, !anySize, turn);
                    }
                    anySize = !anySize;
                }
                anySize = !anySize;
            }
        }
    }

    private static void scan(
            ShaderCompiler compiler, ScanOperator operator, boolean segmented, boolean anySize, int turn) {
        scan(compiler, new ScanShape(operator, segmented, 128, 8, anySize ? ScanShape.ANY : 0), turn);
    }

    /** The fewest and the most; in a thorough run also those of most GPUs, which others compile. */
    @Test
    void scanWithSubgroupsOfOneSize() {
        try (ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            int turn = 0;
            for (int lanes : List.of(4, 128, 32).subList(0, TestEffort.of(2, 3))) {
                scan(compiler, new ScanShape(ScanCases.ENDS, true, 128, 8, lanes), turn++);
            }
        }
    }

    /** In the usual run in one of the forms that reduce, and one of those that look back, by turns. */
    private static void scan(ShaderCompiler compiler, ScanShape shape, int turn) {
        for (int variant : TestEffort.share(List.of(0, 3, 1, 2), turn % 4, 4)) {
            check(
                    compiler,
                    ComputeShaders.text("scan.comp"),
                    shape.defines((variant & 1) == 0, (variant & 2) == 0),
                    shape.includes());
        }
        for (boolean byNumber : TestEffort.share(List.of(false, true), turn % 2, 2)) {
            LookBackTrial trial = byNumber ? LookBackTrial.NONE : LookBackTrial.HALF_STUCK;
            check(
                    compiler,
                    ComputeShaders.text("scan_look_back.comp"),
                    trial.defines(shape, byNumber),
                    shape.includes());
        }
    }

    /** None, the fewest and a whole section; in a thorough run also the sizes between. */
    private static List<Integer> lanes() {
        return List.of(0, 4, 32, 8, 16).subList(0, TestEffort.of(3, 5));
    }

    @Test
    void brackets() {
        Map<String, String> lanesText = Map.of("bracket_lanes.glsl", ComputeShaders.text("bracket_lanes.glsl"));
        try (ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            for (int lanes : lanes()) {
                for (String file : new String[] {"bracket_pack.comp", "bracket_under.comp"}) {
                    for (BracketInput input : BracketInput.values()) {
                        Map<String, String> defines = BracketMatch.defines(input, lanes, lanes == 32 ? 4 : 1);
                        int barriers = barriers(compiler, ComputeShaders.text(file), defines, lanesText);
                        // Nothing is shared where a section is a subgroup.
                        assertThat(barriers > 0).isEqualTo(lanes < 32);
                    }
                }
                for (int each = 1; each <= 2; each++) {
                    Map<String, String> defines = BracketMatch.linkDefines(each, lanes, 128 * each);
                    String link = ComputeShaders.text("bracket_link.comp");
                    assertThat(barriers(compiler, link, defines, Map.of())).isZero();
                }
            }
            check(compiler, ComputeShaders.text("bracket_tree.comp"), Map.of(), Map.of());
            check(compiler, ComputeShaders.text("bracket_tree.comp"), BracketMatch.SMALL_TREE, Map.of());
        }
    }

    @Test
    void clips() {
        Map<String, String> keys = Map.of(
                "clip_keys.glsl",
                ComputeShaders.text("clip_keys.glsl"),
                "bracket_lanes.glsl",
                ComputeShaders.text("bracket_lanes.glsl"));
        try (ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            for (int lanes : lanes()) {
                Map<String, String> defines = BracketMatch.defines(BracketInput.BITS, lanes, lanes == 32 ? 4 : 1);
                int barriers = barriers(compiler, ComputeShaders.text("clip_cut.comp"), defines, keys);
                assertThat(barriers > 0).isEqualTo(lanes < 32);
            }
            for (int threads : new int[] {128, 256, 512}) {
                String apply = ComputeShaders.text("clip_apply.comp");
                check(compiler, apply, ClipBoxes.defines(threads, false, false), keys);
                check(compiler, apply, ClipBoxes.defines(threads, true, false), keys);
                check(compiler, apply, ClipBoxes.defines(threads, false, true), keys);
            }
            for (String stage : new String[] {"expand", "plant", "jump", "gather"}) {
                String text = ComputeShaders.text("clip_" + stage + ".comp");
                assertThat(barriers(compiler, text, Map.of(), keys)).isZero();
            }
        }
    }

    @Test
    void compactionAndClearing() {
        try (ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            for (String file :
                    List.of("compact_tally.comp", "compact_move.comp", "compact_none.comp", "scan_clear.comp")) {
                assertThat(barriers(compiler, ComputeShaders.text(file), Map.of(), Map.of()))
                        .isZero();
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
                            "clip_gather.comp",
                            "compact_tally.comp",
                            "compact_move.comp",
                            "compact_none.comp");
        }
    }

    /** A shader that has barriers. */
    private static void check(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        assertThat(barriers(compiler, text, defines, includes)).isPositive();
    }

    /** Checks a shader under both memory models; returns how many barriers it has. */
    private static int barriers(
            ShaderCompiler compiler, String text, Map<String, String> defines, Map<String, String> includes) {
        SpirvRules plain = rules(compiler, text, defines, includes, false);
        SpirvRules vulkan = rules(compiler, text, defines, includes, true);
        assertThat(plain.isVulkanMemoryModel()).isFalse();
        assertThat(vulkan.isVulkanMemoryModel()).isTrue();
        assertThat(vulkan.barriers()).isEqualTo(plain.barriers());
        return plain.barriers();
    }

    private static SpirvRules rules(
            ShaderCompiler compiler,
            String text,
            Map<String, String> defines,
            Map<String, String> includes,
            boolean vulkan) {
        ByteBuffer spirv = compiler.compile(
                        ComputeShaders.source("rules", text, defines, ShaderIncludes.of(includes), vulkan))
                .spirv()
                .order(ByteOrder.nativeOrder());
        int[] words = new int[spirv.remaining() / 4];
        spirv.asIntBuffer().get(words);
        // SPIR-V that is given is validated by SPIRV-Tools.
        compiler.compile(ShaderSource.spirv("validated.comp", ShaderStage.COMPUTE, words, "main"));
        SpirvRules rules = SpirvRules.of(words);
        assertThat(rules.broken()).isEmpty();
        assertThat(rules.fences()).isZero();
        return rules;
    }
}
