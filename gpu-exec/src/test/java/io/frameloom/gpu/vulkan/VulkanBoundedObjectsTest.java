package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.pipeline.BindingSetPool;
import io.frameloom.gpu.vulkan.pipeline.PipelineFactory;
import io.frameloom.gpu.vulkan.pipeline.SamplerUses;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindingSet;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a device makes for descriptions, of which an application may have any number, stays bounded. */
@Timeout(60)
class VulkanBoundedObjectsTest {
    private static final String SAMPLE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { float result; };
            layout(set = 1, binding = 0) uniform sampler2D picture;
            void main() { result = textureLod(picture, vec2(0.5), 0.0).r; }
            """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static SamplerDescription variant(int number) {
        return SamplerDescription.NEAREST_CLAMP.withLod(0, SamplerDescription.EVERY_MIP, number / 65_536f);
    }

    private static ComputePipelineDescription storageBufferAt(int binding) {
        String glsl = """
                #version 450
                layout(local_size_x = 1) in;
                layout(set = 0, binding = %d) writeonly buffer Result { uint result; };
                void main() { result = 1; }
                """.formatted(binding);
        String name = "binding " + binding;
        return new ComputePipelineDescription(name, new ShaderSource(name, ShaderStage.COMPUTE, glsl), null);
    }

    /** A texture of one texel of value 0.5, to be sampled. */
    private Texture picture() {
        Texture picture = gpu.own(gpu.device()
                .createTexture(
                        "picture",
                        TextureDescription.of(1, 1, Format.R32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        Buffer texel = gpu.own(gpu.device().createBuffer("texel", BufferDescription.upload(4, BufferUsage.COPY_SRC)));
        texel.mapped().asFloatBuffer().put(0.5f);
        gpu.execute("prepare", list -> {
            list.barrier(transition(picture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.copyBufferToTexture(texel, 0, picture, 0, 0);
            list.barrier(transition(picture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
        });
        return picture;
    }

    private ComputePipeline sample() {
        return gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "sample", new ShaderSource("sample.comp", ShaderStage.COMPUTE, SAMPLE), null)));
    }

    private Buffer result() {
        return gpu.own(gpu.device()
                .createBuffer("result", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
    }

    private Buffer readback() {
        return gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(4)));
    }

    private static void read(CommandList list, Buffer result, Buffer readback) {
        list.barrier(memory(
                PipelineStage.COMPUTE_SHADER, MemoryAccess.STORAGE_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
        list.copyBuffer(result, 0, readback, 0, 4);
    }

    @Test
    void thousandsOfSamplersAreNotKeptAndStayUsable() {
        SamplerCache cache = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0))).cache();
        List<Sampler> held = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            held.add(gpu.device().sampler(variant(i)));
            assertThat(cache.size()).isLessThanOrEqualTo(1024);
            assertThat(gpu.device().sampler(variant(0)))
                    .as("what was asked for last stays")
                    .isSameAs(held.get(0));
        }
        assertThat(cache.size()).isEqualTo(1024);
        assertThat(gpu.device().sampler(variant(4999))).isSameAs(held.get(4999));
        assertThat(gpu.device().sampler(variant(7)))
                .isEqualTo(held.get(7))
                .hasSameHashCodeAs(held.get(7))
                .isNotEqualTo(held.get(8));
        ComputePipeline pipeline = sample();
        Texture picture = picture();
        Buffer result = result();
        Buffer readback = readback();
        gpu.execute("a sampler that was destroyed", list -> {
            list.bindPipeline(pipeline);
            list.bindBuffer("Result", result, 0, 4);
            list.bindTexture("picture", picture.view(), held.get(3));
            list.dispatch(1, 1, 1);
            read(list, result, readback);
        });
        assertThat(Float.intBitsToFloat(words(readback)[0])).isEqualTo(0.5f);
    }

    @Test
    void samplersInBindingSetsAndFramesAreNotDestroyed() {
        ComputePipeline pipeline = sample();
        Texture picture = picture();
        Buffer result = result();
        Buffer readback = readback();
        SamplerCache cache = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0))).cache();
        BindingSet set = gpu.own(gpu.device()
                .createBindingSet(
                        "fixed",
                        pipeline,
                        1,
                        Map.of(
                                "picture",
                                new SampledTexture(picture.view(), gpu.device().sampler(variant(0))))));
        long inSet = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0)))
                .live()
                .handle();
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            CommandList list = frame.beginCommands(gpu.graphics(), "list");
            list.bindPipeline(pipeline);
            list.bindBuffer("Result", result, 0, 4);
            list.bindTexture("picture", picture.view(), gpu.device().sampler(variant(1)));
            list.dispatch(1, 1, 1);
            long inFrame = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(1)))
                    .live()
                    .handle();
            for (int i = 2; i < 3000; i++) {
                gpu.device().sampler(variant(i));
            }
            assertThat(((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0)))
                            .live()
                            .handle())
                    .isEqualTo(inSet);
            assertThat(((SamplerCache.VulkanSampler) gpu.device().sampler(variant(1)))
                            .live()
                            .handle())
                    .isEqualTo(inFrame);
            list.bindPipeline(pipeline);
            list.bindBuffer("Result", result, 0, 4);
            list.bindSet(set);
            list.dispatch(1, 1, 1);
            read(list, result, readback);
            list.end();
            long value = gpu.graphics()
                    .submit(new Submission("both", List.of(list), List.of()))
                    .value();
            assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG))
                    .isTrue();
        }
        assertThat(Float.intBitsToFloat(words(readback)[0])).isEqualTo(0.5f);
        assertThat(cache.size()).isEqualTo(1024);
    }

    @Test
    void samplersInUseAreLetGoWithTheirSetAndFrame() {
        DeviceCore core = gpu.device().core();
        try (SamplerCache cache = new SamplerCache(core, new SamplerCache.Limits(2, 3))) {
            SamplerUses set = new SamplerUses();
            SamplerUses frame = new SamplerUses();
            long shared = set.use(cache.get(variant(0))).handle();
            assertThat(set.use(cache.get(variant(0))).handle()).isEqualTo(shared);
            assertThat(frame.use(cache.get(variant(0))).handle()).isEqualTo(shared);
            frame.use(cache.get(variant(1)));
            frame.use(cache.get(variant(2)));
            assertThat(cache.size())
                    .as("more than are kept, since all are in use")
                    .isEqualTo(3);
            assertThatThrownBy(() -> cache.get(variant(3)))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining(variant(3).toString())
                    .hasMessageContaining("room for 3 samplers")
                    .hasMessageContaining("close");
            frame.release();
            cache.get(variant(3));
            assertThat(cache.size()).isEqualTo(2);
            cache.get(variant(4));
            cache.get(variant(5));
            assertThat(cache.size()).isEqualTo(2);
            assertThat(cache.get(variant(0)).live().handle())
                    .as("the set names it still")
                    .isEqualTo(shared);
            set.release();
            cache.get(variant(6));
            cache.get(variant(7));
            cache.get(variant(8));
            assertThat(cache.size()).isEqualTo(2);
        }
    }

    @Test
    void aSamplerThatWasMadeAgainIsOneUseWhicheverHandleIsBound() {
        DeviceCore core = gpu.device().core();
        try (SamplerCache cache = new SamplerCache(core, new SamplerCache.Limits(1, 2))) {
            SamplerCache.VulkanSampler before = cache.get(variant(0));
            cache.get(variant(1));
            SamplerCache.VulkanSampler after = cache.get(variant(0));
            assertThat(after).as("destroyed meanwhile").isNotSameAs(before).isEqualTo(before);
            SamplerUses uses = new SamplerUses();
            assertThat(uses.use(after)).isSameAs(uses.use(before));
            uses.release();
            cache.get(variant(2));
            assertThat(cache.size()).as("nobody uses the first any more").isEqualTo(1);
        }
    }

    @Test
    void aBindingSetLetsItsSamplersGoWhenItIsClosed() {
        ComputePipeline pipeline = sample();
        Texture picture = picture();
        SamplerCache cache = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0))).cache();
        List<BindingSet> sets = new ArrayList<>();
        for (int i = 0; i < 1100; i++) {
            SampledTexture sampled =
                    new SampledTexture(picture.view(), gpu.device().sampler(variant(i)));
            sets.add(gpu.device().createBindingSet("set " + i, pipeline, 1, Map.of("picture", sampled)));
        }
        assertThat(cache.size()).isEqualTo(1100);
        sets.forEach(BindingSet::close);
        gpu.device().sampler(variant(1100));
        assertThat(cache.size()).isEqualTo(1024);
    }

    @Test
    void aFrameLetsItsSamplersGoWhenItIsReset() {
        ComputePipeline pipeline = sample();
        Texture picture = picture();
        Buffer result = result();
        SamplerCache cache = ((SamplerCache.VulkanSampler) gpu.device().sampler(variant(0))).cache();
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            for (int i = 0; i < 3000; i++) {
                CommandList list = frame.beginCommands(gpu.graphics(), "list");
                list.bindPipeline(pipeline);
                list.bindBuffer("Result", result, 0, 4);
                list.bindTexture("picture", picture.view(), gpu.device().sampler(variant(i)));
                list.dispatch(1, 1, 1);
                list.end();
                frame.reset();
            }
            assertThat(cache.size()).isEqualTo(1024);
        }
    }

    @Test
    void setLayoutsGoWithTheLastPipelineOrBindingSet() {
        DeviceCore core = gpu.device().core();
        Buffer result = result();
        try (PipelineFactory factory = new PipelineFactory(core, null, gpu.tasks());
                BindingSetPool sets = new BindingSetPool(core)) {
            VulkanPipeline first = factory.create(storageBufferAt(0));
            VulkanPipeline second = factory.create(storageBufferAt(0));
            assertThat(first.layout().setLayout(0)).isSameAs(second.layout().setLayout(0));
            assertThat(factory.setLayouts()).isEqualTo(1);
            VulkanBindingSet set =
                    sets.create("set", compute(first), 0, Map.of("Result", new BufferRange(result, 0, 4)));
            first.close();
            second.close();
            assertThat(factory.setLayouts()).as("a binding set has it still").isEqualTo(1);
            VulkanPipeline third = factory.create(storageBufferAt(0));
            assertThat(set.fits(third)).as("the layout of the set").isTrue();
            third.close();
            for (int i = 1; i < TestEffort.of(80, 300); i++) {
                factory.create(storageBufferAt(i)).close();
                assertThat(factory.setLayouts()).isEqualTo(1);
            }
            set.close();
            assertThat(factory.setLayouts()).isZero();
            assertThatThrownBy(() -> sets.create("late", compute(third), 0, Map.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'late'")
                    .hasMessageContaining("'binding 0', which is closed");
        }
    }

    private static ComputePipeline compute(VulkanPipeline pipeline) {
        return (ComputePipeline) pipeline;
    }

    @Test
    void memoryRequirementsOfThousandsOfDescriptionsAreNotKept() {
        BufferDescription small = BufferDescription.device(4, BufferUsage.STORAGE);
        MemoryRequirements before = gpu.device().requirements(small);
        for (int i = 1; i <= 6000; i++) {
            gpu.device().requirements(BufferDescription.device(4L * i, BufferUsage.STORAGE));
        }
        for (int i = 1; i <= 100; i++) {
            gpu.device().requirements(TextureDescription.of(i, 1, Format.R32_SFLOAT, TextureUsage.SAMPLED));
        }
        assertThat(gpu.device().memory().answers()).isEqualTo(MemoryAllocator.MOST_ANSWERS + 100);
        assertThat(gpu.device().requirements(small)).isEqualTo(before);
    }
}
