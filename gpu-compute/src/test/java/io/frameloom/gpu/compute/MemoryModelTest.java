package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ShaderCode;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Primitives with shaders that declare the Vulkan memory model, and on devices that do not have it. */
class MemoryModelTest {
    private static final String DECLARED = "#pragma use_vulkan_memory_model";

    private final List<String> texts = new ArrayList<>();

    /** A device that has the model, or not, and tells the texts of what it compiles. */
    private GpuDevice device(GpuDevice device, boolean model) {
        return OtherLimits.device(device, limits -> OtherLimits.vulkanMemoryModel(limits, model), description -> {
            texts.add(((ShaderCode.Glsl) description.shader().code()).text());
            return description;
        });
    }

    @ParameterizedTest
    @EnumSource
    void devicesTellWhetherTheyHaveIt(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            boolean model = rig.device.capabilities().limits().compute().vulkanMemoryModel();
            rig.own(PrefixScan.create(device(rig.device, model), ScanOperator.sum(ElementType.U32)));
            assertThat(texts).isNotEmpty().allMatch(text -> text.contains(DECLARED) == model);
            if (backend == ComputeRig.Backend.VIRTUAL
                    || rig.device.capabilities().name().contains("llvmpipe")) {
                assertThat(model).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyPrimitive(boolean model) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            assumeTrue(
                    !model || rig.device.capabilities().limits().compute().vulkanMemoryModel(),
                    "the device has no Vulkan memory model");
            GpuDevice device = device(rig.device, model);
            StorageLimits limits = StorageLimits.of(device.capabilities());
            int length = 70_001;
            List<ScanOptions> forms = List.of(ScanOptions.DEFAULT, ScanOptions.DEFAULT.withoutSubgroups());
            for (ScanOptions options : TestEffort.share(forms, model ? 0 : 1, 2)) {
                for (ScanVariant variant : List.of(ScanVariant.REDUCE_THEN_SCAN, ScanVariant.LOOK_BACK)) {
                    LookBackTrial trial = variant == ScanVariant.LOOK_BACK ? LookBackTrial.HALF_STUCK : null;
                    PrefixScan scan =
                            rig.own(PrefixScan.create(device, ScanCases.BICYCLIC, true, options, limits, trial));
                    int[] input = ScanCases.random(ScanCases.BICYCLIC, length, 4);
                    int[] heads = ScanCases.heads(length, 700, 3);
                    ScanCases.Run run = new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 1, 2, 2);
                    assertThat(run.difference(rig, scan))
                            .as("%s, %s", options, variant)
                            .isEmpty();
                }
            }
            boolean[] opens = BracketCases.mixture(length, 5);
            BracketMatch match = rig.own(BracketMatch.create(device, BracketInput.WORDS));
            assertThat(ScanCases.difference(
                            BracketCases.run(rig, match, opens, 1, 2, 2), BracketCases.sequential(opens)))
                    .isEmpty();
            ClipBoxes clips = rig.own(ClipBoxes.create(device));
            ClipCases row = ClipCases.nested(opens, 0.3, 3);
            ClipBox viewport = new ClipBox(0, 0, 1000, 1000);
            assertThat(ScanCases.difference(
                            row.run(rig, clips, ClipEnd.AFTER_POP, viewport, 1, 2),
                            row.sequential(ClipEnd.AFTER_POP, viewport)))
                    .isEmpty();
            StreamCompaction compaction = rig.own(StreamCompaction.create(device, ElementType.U32));
            assertThat(StreamCompactionTest.difference(rig, compaction, length, ScanCases.heads(length, 3, 1)))
                    .isEmpty();
            boolean declared = model;
            assertThat(texts)
                    .hasSizeGreaterThan(TestEffort.of(10, 15))
                    .allMatch(text -> text.contains(DECLARED) == declared);
        }
    }
}
