package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.Elements;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Reduction;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures and samplers that are bound separately are held against each other as the shader samples them. */
@Timeout(60)
class SeparateSamplersContractTest {
    private static Map<String, String> one(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            Texture plain = things.rig.texture(
                    "plain", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE));
            Texture gone = things.rig.texture("gone", SeparateSamplersRig.COLOR);
            TextureView goneView = gone.view();
            Texture deep = things.rig.texture("deep", SeparateSamplersRig.COLOR.withDepth(4));
            Texture foreign = things.other.texture("foreign", SeparateSamplersRig.COLOR);
            Sampler theirs = things.other.device.sampler(SamplerDescription.NEAREST_CLAMP);
            ComputePipeline pipeline = things.pipeline("one", SeparateSamplersRig.ONE);
            CommandList before = things.rig.frame.beginCommands(things.rig.queue(), "before");
            things.refused(
                    "an image before the pipeline", () -> before.bindTexture("picture", gone.view()), "bindTexture");
            things.refused(
                    "a sampler before the pipeline", () -> before.bindSampler("how", things.linear), "bindSampler");
            before.end();
            CommandList list = things.list(pipeline);
            things.refused("nothing", () -> list.dispatch(1, 1, 1), "'picture'", "SAMPLED_IMAGE");
            list.bindTexture("picture", things.color.view());
            things.refused("no sampler", () -> list.dispatch(1, 1, 1), "'how'", "SAMPLER");
            list.bindSampler("how", things.linear);
            list.dispatch(1, 1, 1);
            things.refused(
                    "a pair for an image",
                    () -> list.bindTexture("picture", things.color.view(), things.linear),
                    "SAMPLED_IMAGE; bind a texture without a sampler");
            things.refused(
                    "an image for a sampler",
                    () -> list.bindTexture("how", things.color.view()),
                    "SAMPLER; bind a sampler alone");
            things.refused("a sampler for an image", () -> list.bindSampler("picture", things.linear), "SAMPLED_IMAGE");
            things.refused("a sampler for a buffer", () -> list.bindSampler("Target", things.linear), "STORAGE_BUFFER");
            things.refused("an unknown image", () -> list.bindTexture("pitcher", things.color.view()), "picture");
            things.refused("the second", () -> list.bindSampler("how", 1, things.linear), "1 element");
            things.refused("another device's image", () -> list.bindTexture("picture", foreign.view()), "'foreign'");
            things.refused("another device's sampler", () -> list.bindSampler("how", theirs), "another device");
            things.refused(
                    "another dimension",
                    () -> list.bindTexture("picture", deep.view()),
                    "'deep'",
                    "seen as THREE_D, the shader takes TWO_D");
            things.refused("other numbers", () -> list.bindTexture("picture", things.words.view()), "numbers are UINT");
            things.refused("without the usage", () -> list.bindTexture("picture", plain.view()), "'plain'", "SAMPLED");
            list.bindTexture("picture", gone.view());
            gone.close();
            things.refused("closed after it was bound", () -> list.dispatch(1, 1, 1), "'gone'", "closed");
            things.refused("closed", () -> list.bindTexture("picture", goneView), "'gone'", "closed");
            list.bindTexture("picture", things.color.view());
            list.dispatch(1, 1, 1);
            things.end(list);
            return things.said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsBoundIsOfTheKindThatTheShaderDeclares(Backend backend) {
        assertThat(one(backend)).hasSize(17);
    }

    private static Map<String, String> met(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            CommandList shadow = things.list(things.pipeline("shadow", SeparateSamplersRig.SHADOW));
            shadow.bindTexture("depth", things.depth.view());
            shadow.bindSampler("less", things.nearest);
            shadow.bindSampler("how", things.nearest);
            things.refused(
                    "a sampler that does not compare",
                    () -> shadow.dispatch(1, 1, 1),
                    "'less'",
                    "does not compare, the shader samples 'depth' with one that does");
            shadow.bindSampler("less", things.shadow);
            shadow.dispatch(1, 1, 1);
            shadow.bindSampler("how", things.shadow);
            things.refused(
                    "a sampler that compares",
                    () -> shadow.dispatch(1, 1, 1),
                    "'how'",
                    "compares, the shader samples 'depth' with one that does not");
            shadow.bindSampler("how", things.nearest);
            shadow.bindTexture("depth", things.color.view());
            things.refused(
                    "no depth",
                    () -> shadow.dispatch(1, 1, 1),
                    "texture 'color' bound to 'depth' of pipeline 'shadow' has no depth that sampler 'less' could"
                            + " compare");
            things.end(shadow);
            CommandList pairs = things.list(things.pipeline("pairs", SeparateSamplersRig.PAIRS));
            pairs.bindTexture("words", things.words.view());
            pairs.bindTexture("colors", things.color.view());
            pairs.bindSampler("first", things.nearest);
            pairs.bindSampler("second", things.linear);
            pairs.dispatch(1, 1, 1);
            pairs.bindSampler("first", things.linear);
            things.refused(
                    "linear filters",
                    () -> pairs.dispatch(1, 1, 1),
                    "dispatch in command list 'list': texture 'words' bound to 'words' of pipeline 'pairs' is sampled"
                            + " with 'first', a sampler with linear filters",
                    "R32_UINT");
            pairs.bindSampler("first", things.nearest);
            pairs.dispatch(1, 1, 1);
            things.end(pairs);
            return things.said;
        }
    }

    /** The words fit the sampler that they are sampled with, and would not fit the other. */
    @ParameterizedTest
    @EnumSource
    void whatTheShaderSamplesWithEachOtherFits(Backend backend) {
        assertThat(met(backend)).hasSize(4);
    }

    private static Map<String, String> arrays(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            CommandList list = things.list(things.pipeline("many", SeparateSamplersRig.MANY));
            for (int i = 0; i < 3; i++) {
                list.bindTexture("many", i, things.color.view());
            }
            list.bindSampler("several", 0, things.shadow);
            things.refused("an element", () -> list.dispatch(1, 1, 1), "'several'", "element 1");
            list.bindSampler("several", 1, things.linear);
            list.dispatch(1, 1, 1);
            list.bindSampler("several", 1, things.shadow);
            list.bindTexture("many", 1, things.depth.view());
            things.refused("the other sampler", () -> list.dispatch(1, 1, 1), "'several[1]'", "compares");
            things.refused("too far", () -> list.bindTexture("many", 3, things.color.view()), "3 elements");
            things.end(list);
            return things.said;
        }
    }

    @ParameterizedTest
    @EnumSource
    void elementsMeetAsTheShaderTakesThem(Backend backend) {
        assertThat(arrays(backend)).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void ofAnArrayWithoutAConstantNumberAllMeet(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            ComputePipeline pipeline = things.pipeline("shadows", SeparateSamplersRig.SHADOWS);
            CommandList list = things.list(pipeline);
            list.bindTexture("many", 0, things.depth.view());
            list.bindTexture("many", 1, things.depth.view());
            list.bindTexture("many", 2, things.color.view());
            list.bindSampler("several", 0, things.nearest);
            list.bindSampler("several", 1, things.shadow);
            String words = "texture 'color' bound to 'many[2]' of pipeline 'shadows' has no depth that sampler"
                    + " 'several[1]' could compare";
            things.refused("by name", () -> list.dispatch(1, 1, 1), words, "R8G8B8A8_UNORM");
            list.bindTexture("many", 2, things.depth.view());
            list.dispatch(1, 1, 1);
            things.end(list);
            BindingSet images = things.rig.own(things.rig.device.createBindingSet(
                    "images",
                    pipeline,
                    0,
                    Map.of(
                            "Target",
                            things.range(),
                            "many",
                            new Elements(List.of(
                                    new SampledImage(things.depth.view()),
                                    new SampledImage(things.depth.view()),
                                    new SampledImage(things.color.view()))))));
            BindingSet samplers = things.rig.own(things.rig.device.createBindingSet(
                    "samplers",
                    pipeline,
                    1,
                    Map.of(
                            "several",
                            new Elements(List.of(
                                    new SeparateSampler(things.nearest), new SeparateSampler(things.shadow))))));
            CommandList sets = things.rig.frame.beginCommands(things.rig.queue(), "sets");
            sets.bindPipeline(pipeline);
            sets.bindSet(images);
            sets.bindSet(samplers);
            things.refused("by sets", () -> sets.dispatch(1, 1, 1), words);
            things.end(sets);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReductionIsOfFormatsOfWhichTheDeviceCan(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            assumeTrue(things.rig.device.capabilities().limits().samplers().reductions());
            assumeTrue(!things.rig.device.formatSupport(Format.R32_UINT).reduction());
            CommandList list = things.list(things.pipeline("pairs", SeparateSamplersRig.PAIRS));
            list.bindTexture("words", things.words.view());
            list.bindTexture("colors", things.color.view());
            list.bindSampler("second", things.linear);
            list.bindSampler(
                    "first", things.rig.device.sampler(SamplerDescription.NEAREST_CLAMP.withReduction(Reduction.MAX)));
            things.refused(
                    "the largest",
                    () -> list.dispatch(1, 1, 1),
                    "texture 'words' bound to 'words' of pipeline 'pairs' is sampled with 'first', a sampler that takes"
                            + " the MAX",
                    "R32_UINT");
            list.bindSampler("first", things.nearest);
            list.dispatch(1, 1, 1);
            things.end(list);
        }
    }

    @Test
    void allBackendsUseTheSameWords() {
        assertThat(one(Backend.VULKAN)).isEqualTo(one(Backend.VIRTUAL));
        assertThat(met(Backend.VULKAN)).isEqualTo(met(Backend.VIRTUAL));
        assertThat(arrays(Backend.VULKAN)).isEqualTo(arrays(Backend.VIRTUAL));
    }

    /** What a device has to allow is asked, on Vulkan; the virtual one takes everything. */
    @ParameterizedTest
    @EnumSource
    void elementsByNumbersOfTheDrawTakeAFeature(Backend backend) {
        try (SeparateSamplersRig things = new SeparateSamplersRig(backend)) {
            String images = SeparateSamplersRig.MANY.replace("many[number]", "many[index]");
            String samplers = SeparateSamplersRig.MANY.replace("several[1]", "several[index & 1]");
            String feature = "shaderSampledImageArrayDynamicIndexing";
            ComputePipeline pipeline;
            try {
                things.pipeline("images", images);
                pipeline = things.pipeline("samplers", samplers);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContainingAll("'images'", feature, "array of SAMPLED_IMAGE by");
                assertThatThrownBy(() -> things.pipeline("samplers", samplers))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'samplers'", feature, "array of SAMPLER by");
                return;
            }
            CommandList list = things.list(pipeline);
            for (int i = 0; i < 3; i++) {
                list.bindTexture("many", i, things.color.view());
            }
            list.bindSampler("several", 0, things.shadow);
            list.bindSampler("several", 1, things.linear);
            things.refused("one that compares", () -> list.dispatch(1, 1, 1), "'several[0]'", "compares");
            list.bindSampler("several", 0, things.nearest);
            list.dispatch(1, 1, 1);
            things.end(list);
        }
    }
}
