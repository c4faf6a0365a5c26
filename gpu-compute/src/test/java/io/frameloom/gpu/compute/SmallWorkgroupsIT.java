package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.WorkgroupAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every primitive on a device whose workgroups have as few invocations as any device must allow, and twice as many. */
class SmallWorkgroupsIT {
    private static final int LENGTH = 70_001;
    private static final ClipBox VIEWPORT = new ClipBox(-100, -50.5f, 900, 700);

    private final List<CompiledShader> shaders = new ArrayList<>();

    private GpuDevice device(ComputeRig rig, ShaderCompiler compiler, int most) {
        return OtherLimits.device(rig.device, limits -> OtherLimits.invocations(limits, most), description -> {
            shaders.add(compiler.compile(description.shader()));
            return description;
        });
    }

    private static int invocations(CompiledShader shader) {
        return shader.reflection().workgroup().stream()
                .mapToInt(WorkgroupAxis::size)
                .reduce(1, (a, b) -> a * b);
    }

    /** A thread that works on several elements of a partition of clips is among them. */
    @ParameterizedTest
    @ValueSource(ints = {128, 256})
    void everyPrimitive(int most) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN);
                ShaderCompiler compiler = new ShaderCompiler(SharedPrograms.CACHE)) {
            GpuDevice device = device(rig, compiler, most);
            for (ScanVariant variant : List.of(ScanVariant.REDUCE_THEN_SCAN, ScanVariant.LOOK_BACK)) {
                PrefixScan scan =
                        rig.own(PrefixScan.createSegmented(device, ScanCases.BICYCLIC, ScanOptions.of(variant)));
                int[] input = ScanCases.random(ScanCases.BICYCLIC, LENGTH, 4);
                int[] heads = ScanCases.heads(LENGTH, 700, 3);
                ScanCases.Run run = new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 1, 2, 2);
                assertThat(run.difference(rig, scan)).as("%s", variant).isEmpty();
            }
            boolean[] opens = BracketCases.mixture(LENGTH, 5);
            BracketMatch match = rig.own(BracketMatch.create(device, BracketInput.BYTES));
            assertThat(ScanCases.difference(
                            BracketCases.run(rig, match, opens, 1, 2, 2), BracketCases.sequential(opens)))
                    .isEmpty();
            StreamCompaction compaction = rig.own(StreamCompaction.create(device, ElementType.U32X3));
            assertThat(StreamCompactionTest.difference(rig, compaction, LENGTH, ScanCases.heads(LENGTH, 3, 1)))
                    .isEmpty();
            int others = shaders.size();
            clips(rig, ClipBoxes.create(device));
            assertThat(shaders)
                    .as("shaders")
                    .hasSizeGreaterThan(15)
                    .allSatisfy(shader ->
                            assertThat(invocations(shader)).as(shader.name()).isLessThanOrEqualTo(most));
            assertThat(shaders.subList(others, shaders.size()))
                    .filteredOn(shader -> shader.name().startsWith("clip-apply"))
                    .hasSize(3)
                    .allSatisfy(shader -> assertThat(invocations(shader)).isEqualTo(most));
        }
    }

    private static void clips(ComputeRig rig, ClipBoxes made) {
        ClipBoxes clips = rig.own(made);
        for (int length : new int[] {1, 127, 128, 129, 511, 512, 513, LENGTH}) {
            for (int offset : new int[] {0, ClipCases.ALIGNED}) {
                ClipEnd end = ClipEnd.values()[(length + offset) % 3];
                ClipCases row = ClipCases.nested(BracketCases.mixture(length, length), 0.3, length);
                assertThat(ScanCases.difference(
                                row.run(rig, clips, end, VIEWPORT, offset, 2), row.sequential(end, VIEWPORT)))
                        .as("%d elements, %s, offset %d", length, end, offset)
                        .isEmpty();
            }
        }
        for (Map.Entry<String, boolean[]> one :
                BracketCases.adversarial(5_003, ClipBoxes.PARTITION).entrySet()) {
            ClipCases row = ClipCases.nested(one.getValue(), 0.2, 7);
            assertThat(ScanCases.difference(
                            row.run(rig, clips, ClipEnd.AFTER_POP, VIEWPORT, 0, 1),
                            row.sequential(ClipEnd.AFTER_POP, VIEWPORT)))
                    .as(one.getKey())
                    .isEmpty();
        }
    }
}
