package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.SpirvModule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a device that may leave invocations of subgroups unused, no primitive counts them: all goes through shared memory. */
class PartialSubgroupsTest {
    private static final int LENGTH = 20_001;
    private static final ClipBox VIEWPORT = new ClipBox(-100, -50.5f, 900, 700);
    private static final int FIRST_CAPABILITY = 61;
    private static final int LAST_CAPABILITY = 68;

    private final List<CompiledShader> shaders = new ArrayList<>();

    private GpuDevice partial(ComputeRig rig, ShaderCompiler compiler) {
        return OtherLimits.device(rig.device, OtherLimits::withoutFullSubgroups, description -> {
            shaders.add(compiler.compile(description.shader()));
            return description;
        });
    }

    private static boolean usesSubgroups(CompiledShader shader) {
        return SpirvModule.of(shader).capabilities().stream()
                .anyMatch(capability -> capability >= FIRST_CAPABILITY && capability <= LAST_CAPABILITY);
    }

    @Test
    void everyPrimitive() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN);
                ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            assumeTrue(
                    ScanShape.canCountLanes(rig.device.capabilities().limits().compute()));
            GpuDevice device = partial(rig, compiler);
            for (ScanVariant variant : ScanVariant.values()) {
                PrefixScan scan = rig.own(PrefixScan.create(device, ScanCases.BICYCLIC, ScanOptions.of(variant)));
                assertThat(scan.variant() == ScanVariant.LOOK_BACK).isEqualTo(variant == ScanVariant.LOOK_BACK);
                int[] input = ScanCases.random(ScanCases.BICYCLIC, LENGTH, 4);
                assertThat(ScanCases.Run.of(ScanKind.EXCLUSIVE, input).difference(rig, scan))
                        .as("%s", variant)
                        .isEmpty();
            }
            boolean[] opens = BracketCases.mixture(LENGTH, 5);
            BracketMatch match = rig.own(BracketMatch.create(device, BracketInput.BYTES));
            assertThat(BracketMatch.sizesSections(device)).isFalse();
            assertThat(ScanCases.difference(
                            BracketCases.run(rig, match, opens, 1, 2, 2), BracketCases.sequential(opens)))
                    .isEmpty();
            StreamCompaction compaction = rig.own(StreamCompaction.create(device, ElementType.U32));
            assertThat(StreamCompactionTest.difference(rig, compaction, LENGTH, ScanCases.heads(LENGTH, 3, 1)))
                    .isEmpty();
            ClipBoxes clips = rig.own(ClipBoxes.create(device));
            ClipCases row = ClipCases.nested(opens, 0.3, LENGTH);
            assertThat(ScanCases.difference(
                            row.run(rig, clips, ClipEnd.AFTER_POP, VIEWPORT, 0, 2),
                            row.sequential(ClipEnd.AFTER_POP, VIEWPORT)))
                    .isEmpty();
            assertThat(shaders).hasSizeGreaterThan(15);
            assertThat(shaders.stream()
                            .filter(PartialSubgroupsTest::usesSubgroups)
                            .map(CompiledShader::name))
                    .isEmpty();
        }
    }

    /** The same question finds subgroups where they are promised to be full. */
    @Test
    void fullOnesAreUsed() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN);
                ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            assumeTrue(
                    ScanShape.canCountLanes(rig.device.capabilities().limits().compute()));
            GpuDevice full = OtherLimits.device(rig.device, limits -> limits, description -> {
                shaders.add(compiler.compile(description.shader()));
                return description;
            });
            rig.own(PrefixScan.create(full, ScanCases.BICYCLIC));
            assertThat(shaders).anyMatch(PartialSubgroupsTest::usesSubgroups);
        }
    }
}
