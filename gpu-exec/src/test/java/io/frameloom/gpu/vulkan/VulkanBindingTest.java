package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.BoundResource.SampledTexture;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.record.PassLayouts;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanBindingTest {
    /** Adds a parameter of set 0 to a texel of set 1 and writes it to a buffer and an image of set 0. */
    private static final String MIX = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform Parameters { float bias; };
            layout(set = 0, binding = 1) writeonly buffer Result { float result; };
            layout(set = 0, binding = 2, r32f) uniform writeonly image2D image;
            layout(set = 1, binding = 0) uniform sampler2D albedo;
            void main() {
                float sum = texture(albedo, vec2(0.5)).r + bias;
                result = sum;
                imageStore(image, ivec2(0), vec4(sum * 2));
            }
            """;

    /** Declares set 1 alike, and nothing else. */
    private static final String OTHER = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { float result; };
            layout(set = 1, binding = 0) uniform sampler2D albedo;
            void main() { result = texture(albedo, vec2(0.5)).r; }
            """;

    private static final String RESULT_ALONE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { float result; };
            void main() { result = 1; }
            """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private ComputePipeline mix;
    private Buffer parameters;
    private Buffer result;
    private Texture image;
    private Texture albedo;
    private Sampler sampler;

    private ComputePipeline pipeline(String name, String glsl) {
        return gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, glsl), null)));
    }

    @BeforeEach
    void createResources() {
        mix = pipeline("mix", MIX);
        parameters =
                gpu.own(gpu.device().createBuffer("parameters", BufferDescription.upload(16, BufferUsage.UNIFORM)));
        parameters.mapped().asFloatBuffer().put(0.25f);
        result = gpu.own(gpu.device()
                .createBuffer("result", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        image = gpu.own(gpu.device()
                .createTexture(
                        "image",
                        TextureDescription.of(1, 1, Format.R32_SFLOAT, TextureUsage.STORAGE, TextureUsage.COPY_SRC)));
        albedo = gpu.own(gpu.device()
                .createTexture(
                        "albedo",
                        TextureDescription.of(1, 1, Format.R32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        sampler = gpu.device().sampler(SamplerDescription.NEAREST_CLAMP);
        Buffer texel = gpu.own(gpu.device().createBuffer("texel", BufferDescription.upload(4, BufferUsage.COPY_SRC)));
        texel.mapped().asFloatBuffer().put(0.5f);
        gpu.execute("prepare", list -> {
            list.barrier(transition(albedo, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.copyBufferToTexture(texel, 0, albedo, 0, 0);
            list.barrier(transition(albedo, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
            list.barrier(transition(image, TextureLayout.UNDEFINED, TextureLayout.GENERAL));
        });
    }

    private void bindSetZero(CommandList list) {
        list.bindBuffer("Parameters", parameters, 0, 16);
        list.bindBuffer("Result", result, 0, 4);
        list.bindStorageTexture("image", image.view());
    }

    private float[] run(Consumer<CommandList> recorder) {
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(8)));
        gpu.execute("run", list -> {
            recorder.accept(list);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.barrier(transition(image, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC));
            list.copyBuffer(result, 0, readback, 0, 4);
            list.copyTextureToBuffer(image, 0, 0, readback, 4);
            list.barrier(transition(image, TextureLayout.TRANSFER_SRC, TextureLayout.GENERAL));
        });
        int[] words = words(readback);
        return new float[] {Float.intBitsToFloat(words[0]), Float.intBitsToFloat(words[1])};
    }

    private Map<String, BoundResource> material() {
        return Map.of("albedo", new SampledTexture(albedo.view(), sampler));
    }

    @Test
    void everyKindOfBindingReachesTheShaderByName() {
        float[] values = run(list -> {
            list.bindPipeline(mix);
            bindSetZero(list);
            list.bindTexture("albedo", albedo.view(), sampler);
            list.dispatch(1, 1, 1);
        });
        assertThat(values).containsExactly(0.75f, 1.5f);
    }

    @Test
    void aBindingSetFitsEveryPipelineWithTheSameSetLayout() {
        ComputePipeline other = pipeline("other", OTHER);
        BindingSet material = gpu.own(gpu.device().createBindingSet("material", mix, 1, material()));
        assertThat(run(list -> {
                    list.bindPipeline(mix);
                    bindSetZero(list);
                    list.bindSet(material);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.75f, 1.5f);
        assertThat(run(list -> {
                    list.bindPipeline(other);
                    list.bindBuffer("Result", result, 0, 4);
                    list.bindSet(material);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.5f, 1.5f);
    }

    @Test
    void aBindingSetForAnotherLayoutIsRefused() {
        ComputePipeline other = pipeline("other", OTHER);
        BindingSet set = gpu.own(gpu.device()
                .createBindingSet("only result", other, 0, Map.of("Result", new BufferRange(result, 0, 4))));
        record(list -> {
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.bindSet(set))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'only result'")
                    .hasMessageContaining("'mix'");
        });
    }

    @Test
    void incompleteBindingsAreNamedAtTheDispatch() {
        record(list -> {
            list.bindPipeline(mix);
            list.bindBuffer("Result", result, 0, 4);
            list.bindTexture("albedo", albedo.view(), sampler);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'mix'")
                    .hasMessageContaining("'Parameters' (UNIFORM_BUFFER, set 0 binding 0)")
                    .hasMessageContaining("'image' (STORAGE_TEXTURE, set 0 binding 2)")
                    .hasMessageNotContaining("'Result'");
        });
    }

    @Test
    void anotherPipelineForgetsTheBindings() {
        ComputePipeline other = pipeline("other", OTHER);
        record(list -> {
            list.bindPipeline(other);
            list.bindBuffer("Result", result, 0, 4);
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'Result'");
        });
    }

    @Test
    void unknownNamesListWhatThePipelineHas() {
        record(list -> {
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.bindBuffer("Paramters", parameters, 0, 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no binding 'Paramters'")
                    .hasMessageContaining("Parameters (UNIFORM_BUFFER)")
                    .hasMessageContaining("albedo (SAMPLED_TEXTURE)");
        });
    }

    @Test
    void wrongKindsSayWhatFits() {
        record(list -> {
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.bindStorageTexture("albedo", albedo.view()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'albedo' of pipeline 'mix' is a SAMPLED_TEXTURE")
                    .hasMessageContaining("a texture with a sampler");
            assertThatThrownBy(() -> list.bindBuffer("image", result, 0, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("STORAGE_TEXTURE");
        });
    }

    @Test
    void wrongUsagesRangesAndClosedResourcesAreNamed() {
        Buffer closed = gpu.device().createBuffer("gone", BufferDescription.device(4, BufferUsage.STORAGE));
        closed.close();
        record(list -> {
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.bindBuffer("Result", parameters, 0, 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'parameters'")
                    .hasMessageContaining("STORAGE");
            assertThatThrownBy(() -> list.bindBuffer("Result", result, 0, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0+8");
            assertThatThrownBy(() -> list.bindBuffer("Result", result, 1, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiple of");
            assertThatThrownBy(() -> list.bindBuffer("Result", closed, 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone'");
            assertThatThrownBy(() -> list.bindTexture("albedo", image.view(), sampler))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'image'")
                    .hasMessageContaining("SAMPLED");
        });
    }

    @Test
    void incompleteBindingSetsNameWhatIsMissing() {
        assertThatThrownBy(() ->
                        gpu.device().createBindingSet("half", mix, 0, Map.of("Result", new BufferRange(result, 0, 4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'half'")
                .hasMessageContaining("'Parameters'");
        assertThatThrownBy(() -> gpu.device().createBindingSet("misplaced", mix, 0, material()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'albedo'")
                .hasMessageContaining("set 1");
        assertThatThrownBy(() -> gpu.device().createBindingSet("nowhere", mix, 5, material()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set 5");
    }

    @Test
    void aSetIsNotFilledTwice() {
        BindingSet material = gpu.own(gpu.device().createBindingSet("material", mix, 1, material()));
        record(list -> {
            list.bindPipeline(mix);
            bindSetZero(list);
            list.bindSet(material);
            list.bindTexture("albedo", albedo.view(), sampler);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'material'")
                    .hasMessageContaining("'albedo'");
        });
    }

    @Test
    void manyBindingSetsGrowThePools() {
        for (int i = 0; i < 600; i++) {
            gpu.own(gpu.device().createBindingSet("material " + i, mix, 1, material()));
        }
        BindingSet last = gpu.own(gpu.device().createBindingSet("last", mix, 1, material()));
        assertThat(run(list -> {
                    list.bindPipeline(mix);
                    bindSetZero(list);
                    list.bindSet(last);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.75f, 1.5f);
    }

    @Test
    void aSetLargerThanAPoolGetsOneOfItsSize() {
        DeviceCore core = gpu.device().handles().core();
        List<ShaderBinding> large =
                List.of(new ShaderBinding("many", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, true, 1500));
        List<ShaderBinding> small = List.of(new ShaderBinding("one", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, true, 1));
        try (SetLayoutCache layouts = new SetLayoutCache(core);
                DescriptorPools pools = new DescriptorPools(core, "large", true)) {
            long many = layouts.acquire(large).handle();
            long one = layouts.acquire(small).handle();
            long first = pools.allocate(many, DescriptorPools.needs(large));
            DescriptorPools.Pool pool = pools.lastPool();
            assertThat(first).isNotZero();
            pools.allocate(many, DescriptorPools.needs(large));
            assertThat(pools.count()).isEqualTo(2);
            pools.free(pool, first, DescriptorPools.needs(large), "the first");
            pools.allocate(many, DescriptorPools.needs(large));
            assertThat(pools.count()).as("what was freed is used again").isEqualTo(2);
            pools.allocate(one, DescriptorPools.needs(small));
            pools.allocate(one, DescriptorPools.needs(small));
            assertThat(pools.count())
                    .as("what a full pool has no room for goes into one")
                    .isEqualTo(3);
        }
    }

    @Test
    void commandsInTheWrongPlaceAreRefused() {
        record(list -> {
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bindPipeline");
            assertThatThrownBy(() -> list.bindBuffer("Result", result, 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bind the pipeline first");
            list.bindPipeline(mix);
            assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("beginRendering");
            assertThatThrownBy(list::endPass).isInstanceOf(IllegalStateException.class);
        });
        try (FrameContext context = gpu.device().createFrameContext("ended")) {
            CommandList list = context.beginCommands(gpu.graphics(), "ended");
            list.end();
            assertThatThrownBy(() -> list.bindPipeline(mix))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'ended'");
        }
    }

    @Test
    void rangesBeyondTheLimitOfTheDeviceAreRefused() {
        long most = gpu.device().capabilities().limits().memory().maxUniformRange();
        Buffer large =
                gpu.own(gpu.device().createBuffer("large", BufferDescription.device(most + 256, BufferUsage.UNIFORM)));
        record(list -> {
            list.bindPipeline(mix);
            list.bindBuffer("Parameters", large, 0, most);
            assertThatThrownBy(() -> list.bindBuffer("Parameters", large, 0, most + 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'large' bound to 'Parameters' of pipeline 'mix'")
                    .hasMessageContaining("the " + most + " bytes");
        });
    }

    @Test
    void aBindingSetOfAnotherDeviceIsRefused() {
        try (VulkanDevice other = VulkanDevices.open("", new DeviceOptions(gpu.tasks(), "other", false, null));
                ComputePipeline pipeline = other.createComputePipeline(new ComputePipelineDescription(
                        "theirs", new ShaderSource("theirs.comp", ShaderStage.COMPUTE, RESULT_ALONE), null));
                Buffer theirs = other.createBuffer("theirs", BufferDescription.device(4, BufferUsage.STORAGE));
                BindingSet set = other.createBindingSet(
                        "their set", pipeline, 0, Map.of("Result", new BufferRange(theirs, 0, 4)))) {
            record(list -> {
                list.bindPipeline(mix);
                assertThatThrownBy(() -> list.bindSet(set))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'their set' is of another device");
            });
        }
    }

    @Test
    void whatComesNextUnderAHandleIsNotTakenForWhatHadItBefore() {
        BufferDescription words = BufferDescription.device(4, BufferUsage.STORAGE);
        long handle = gpu.device().handles().buffer(result);
        PipelineInterface slots = ((VulkanPipeline) mix).layout();
        try (BindingValues values = new BindingValues(gpu.device().handles().core())) {
            Buffer before = gpu.own(gpu.device().importBuffer("before", handle, words));
            long[] written = new long[64];
            values.reset(slots, new SamplerUses());
            values.buffer("Result", 0, before, 0, 4);
            values.copy(0, written);
            values.reset(slots, new SamplerUses());
            values.buffer("Result", 0, before, 0, 4);
            assertThat(values.equalTo(0, written)).isTrue();
            before.close();
            Buffer after = gpu.own(gpu.device().importBuffer("after", handle, words));
            values.reset(slots, new SamplerUses());
            values.buffer("Result", 0, after, 0, 4);
            assertThat(values.equalTo(0, written)).isFalse();
        }
    }

    @Test
    void aViewUnderAHandleOfBeforeIsAnotherToo() {
        VulkanTexture.View view = (VulkanTexture.View) albedo.view();
        VulkanTexture.View other = (VulkanTexture.View) image.view();
        assertThat(view.serial()).isPositive().isNotEqualTo(other.serial());
        PipelineInterface slots = ((VulkanPipeline) mix).layout();
        try (BindingValues values = new BindingValues(gpu.device().handles().core())) {
            long[] written = new long[64];
            values.reset(slots, new SamplerUses());
            values.texture("albedo", 0, view, sampler, new PassLayouts());
            values.copy(1, written);
            assertThat(written).contains(view.sampled().serial());
        }
    }

    @Test
    void whatWasClosedAfterItWasBoundIsNamedAtTheDispatch() {
        Buffer gone = gpu.device().createBuffer("gone", BufferDescription.device(4, BufferUsage.STORAGE));
        BindingSet goneToo = gpu.device().createBindingSet("gone too", mix, 1, material());
        record(list -> {
            list.bindPipeline(mix);
            bindSetZero(list);
            list.bindSet(goneToo);
            list.bindBuffer("Result", gone, 0, 4);
            goneToo.close();
            gone.close();
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone' was closed after it was bound");
            list.bindBuffer("Result", result, 0, 4);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("binding set 'gone too' was closed after it was bound");
        });
    }

    /** Records a list that is never submitted. */
    private void record(Consumer<CommandList> recorder) {
        try (FrameContext context = gpu.device().createFrameContext("not submitted")) {
            CommandList list = context.beginCommands(gpu.graphics(), "not submitted");
            recorder.accept(list);
            list.end();
        }
    }
}
