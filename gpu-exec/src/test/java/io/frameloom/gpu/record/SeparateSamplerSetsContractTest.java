package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.Texture;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures and samplers in binding sets are held against each other and against what is bound by name. */
@Timeout(60)
class SeparateSamplerSetsContractTest {
    private static Map<String, String> sets(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            ComputePipeline pipeline = things.pipeline("pairs", SeparateSamplersRig.PAIRS);
            Map<String, BoundResource> right = Map.of(
                    "Target", things.range(),
                    "words", new SampledImage(things.words.view()),
                    "colors", new SampledImage(things.color.view()),
                    "first", new SeparateSampler(things.nearest),
                    "second", new SeparateSampler(things.linear));
            things.refused(
                    "linear filters",
                    () -> make(things, pipeline, with(right, "first", new SeparateSampler(things.linear))),
                    "binding set 'set': texture 'words' bound to 'words' of pipeline 'pairs' is sampled with 'first'");
            things.refused(
                    "a combined one",
                    () -> make(
                            things,
                            pipeline,
                            with(right, "words", new SampledTexture(things.words.view(), things.nearest))),
                    "'words'",
                    "SAMPLED_IMAGE");
            things.refused(
                    "an image for a sampler",
                    () -> make(things, pipeline, with(right, "first", new SampledImage(things.color.view()))),
                    "'first'",
                    "SAMPLER");
            Texture gone = things.rig.texture("gone", SeparateSamplersRig.COLOR);
            BindingSet stale =
                    things.rig.own(make(things, pipeline, with(right, "colors", new SampledImage(gone.view()))));
            BindingSet set = things.rig.own(make(things, pipeline, right));
            gone.close();
            CommandList list = things.rig.frame.beginCommands(things.rig.queue(), "list");
            list.bindPipeline(pipeline);
            assertThatThrownBy(() -> list.bindSet(stale))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("'set'", "'gone'", "closed");
            list.bindSet(set);
            list.dispatch(1, 1, 1);
            things.end(list);
            return things.said;
        }
    }

    private static BindingSet make(
            SeparateSamplersRig things, ComputePipeline pipeline, Map<String, BoundResource> resources) {
        return things.rig.device.createBindingSet("set", pipeline, 0, resources);
    }

    private static Map<String, BoundResource> with(
            Map<String, BoundResource> resources, String name, BoundResource other) {
        Map<String, BoundResource> changed = new LinkedHashMap<>(resources);
        changed.put(name, other);
        return changed;
    }

    @ParameterizedTest
    @EnumSource
    void setsAreHeldAgainstThePairsToo(Backend backend) {
        assertThat(sets(backend)).hasSize(3);
    }

    @Test
    void allBackendsUseTheSameWords() {
        assertThat(sets(Backend.VULKAN)).isEqualTo(sets(Backend.VIRTUAL));
    }

    /** One set with images, one by name with the sampler. */
    @ParameterizedTest
    @EnumSource
    void aSetMeetsWhatIsBoundByName(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            ComputePipeline pipeline = things.pipeline("one", SeparateSamplersRig.ONE);
            BindingSet depths = things.rig.own(things.rig.device.createBindingSet(
                    "depths",
                    pipeline,
                    0,
                    Map.of("Target", things.range(), "picture", new SampledImage(things.depth.view()))));
            CommandList list = things.rig.frame.beginCommands(things.rig.queue(), "list");
            list.bindPipeline(pipeline);
            list.bindSampler("how", things.nearest);
            list.bindSet(depths);
            list.dispatch(1, 1, 1);
            list.bindSampler("how", things.shadow);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'how'")
                    .hasMessageContaining("compares");
            list.bindSampler("how", things.nearest);
            list.dispatch(1, 1, 1);
            things.end(list);
        }
    }

    /** What was seen to fit is looked at again when one of the sets changes. */
    @ParameterizedTest
    @EnumSource
    void anotherSetOfSamplersMeetsTheSameImages(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            ComputePipeline pipeline = things.pipeline("one", SeparateSamplersRig.ONE);
            BindingSet plain = samplers(things, pipeline, things.linear);
            String plainly = "textureLod(sampler2D(picture, how), vec2(0.5), 0)";
            String comparingly = "vec4(texture(sampler2DShadow(picture, how), vec3(0.5)))";
            ComputePipeline shadow = things.pipeline("shadow", SeparateSamplersRig.ONE.replace(plainly, comparingly));
            BindingSet comparing = samplers(things, shadow, things.shadow);
            assertThatThrownBy(() -> samplers(things, pipeline, things.shadow))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("binding set 'samplers'")
                    .hasMessageContaining("'how' of pipeline 'one' compares");
            CommandList list = things.list(pipeline);
            list.bindTexture("picture", things.color.view());
            list.bindSet(plain);
            list.dispatch(1, 1, 1);
            list.bindSet(comparing);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the sampler bound to 'how' of pipeline 'one' compares");
            list.bindSet(plain);
            list.dispatch(1, 1, 1);
            things.end(list);
        }
    }

    private static BindingSet samplers(SeparateSamplersRig things, ComputePipeline pipeline, Sampler sampler) {
        return things.rig.own(things.rig.device.createBindingSet(
                "samplers", pipeline, 1, Map.of("how", new SeparateSampler(sampler))));
    }
}
