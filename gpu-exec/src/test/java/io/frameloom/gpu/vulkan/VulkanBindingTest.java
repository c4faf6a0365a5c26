package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.shader.Bindings;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.pipeline.BindingValues;
import io.frameloom.gpu.vulkan.pipeline.DescriptorPools;
import io.frameloom.gpu.vulkan.pipeline.PipelineInterface;
import io.frameloom.gpu.vulkan.pipeline.SamplerUses;
import io.frameloom.gpu.vulkan.pipeline.SetLayoutCache;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.resource.SamplerCache.Live;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is bound by name and by sets reaches the shader. */
@Timeout(60)
class VulkanBindingTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private BindingScene scene;

    @BeforeEach
    void createScene() {
        scene = new BindingScene(gpu);
    }

    @Test
    void everyKindOfBindingReachesTheShaderByName() {
        float[] values = scene.run(list -> {
            list.bindPipeline(scene.mix);
            scene.bindSetZero(list);
            list.bindTexture("albedo", scene.albedo.view(), scene.sampler);
            list.dispatch(1, 1, 1);
        });
        assertThat(values).containsExactly(0.75f, 1.5f);
    }

    @Test
    void aBindingSetFitsEveryPipelineWithTheSameSetLayout() {
        ComputePipeline other = scene.pipeline("other", BindingScene.OTHER);
        BindingSet material = gpu.own(gpu.device().createBindingSet("material", scene.mix, 1, scene.material()));
        assertThat(scene.run(list -> {
                    list.bindPipeline(scene.mix);
                    scene.bindSetZero(list);
                    list.bindSet(material);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.75f, 1.5f);
        assertThat(scene.run(list -> {
                    list.bindPipeline(other);
                    list.bindBuffer("Result", scene.result, 0, 4);
                    list.bindSet(material);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.5f, 1.5f);
    }

    @Test
    void manyBindingSetsGrowThePools() {
        for (int i = 0; i < 600; i++) {
            gpu.own(gpu.device().createBindingSet("material " + i, scene.mix, 1, scene.material()));
        }
        BindingSet last = gpu.own(gpu.device().createBindingSet("last", scene.mix, 1, scene.material()));
        assertThat(scene.run(list -> {
                    list.bindPipeline(scene.mix);
                    scene.bindSetZero(list);
                    list.bindSet(last);
                    list.dispatch(1, 1, 1);
                }))
                .containsExactly(0.75f, 1.5f);
    }

    @Test
    void aSetLargerThanAPoolGetsOneOfItsSize() {
        DeviceCore core = gpu.device().core();
        List<ShaderBinding> large =
                List.of(Bindings.binding("many", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, true, 1500));
        List<ShaderBinding> small = List.of(Bindings.binding("one", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, true, 1));
        try (SetLayoutCache layouts = new SetLayoutCache(core);
                DescriptorPools pools = new DescriptorPools(core, "large")) {
            long many = layouts.acquire(large, false).handle();
            long one = layouts.acquire(small, false).handle();
            DescriptorPools.Allocation first = pools.allocate(many, DescriptorPools.needs(large));
            assertThat(first.handle()).isNotZero();
            pools.allocate(many, DescriptorPools.needs(large));
            assertThat(pools.count()).isEqualTo(2);
            pools.free(first, "the first");
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
    void whatComesNextUnderAHandleIsNotTakenForWhatHadItBefore() {
        BufferDescription words = BufferDescription.device(4, BufferUsage.STORAGE);
        long handle = gpu.device().handles().buffer(scene.result);
        PipelineInterface slots = ((VulkanPipeline) scene.mix).layout();
        try (BindingValues values = new BindingValues(gpu.device().core())) {
            Buffer before = gpu.own(gpu.device().importBuffer("before", handle, words));
            long[] written = new long[64];
            values.reset(slots, new SamplerUses());
            values.buffer(slots.rules().handle("Result", 0), (VulkanBuffer) before, 0, 4);
            values.copy(0, written, new Resource[3], new Live[3]);
            values.reset(slots, new SamplerUses());
            values.buffer(slots.rules().handle("Result", 0), (VulkanBuffer) before, 0, 4);
            assertThat(values.equalTo(0, written)).isTrue();
            before.close();
            Buffer after = gpu.own(gpu.device().importBuffer("after", handle, words));
            values.reset(slots, new SamplerUses());
            values.buffer(slots.rules().handle("Result", 0), (VulkanBuffer) after, 0, 4);
            assertThat(values.equalTo(0, written)).isFalse();
        }
    }

    @Test
    void aViewUnderAHandleOfBeforeIsAnotherToo() {
        VulkanTexture.View view = (VulkanTexture.View) scene.albedo.view();
        VulkanTexture.View other = (VulkanTexture.View) scene.image.view();
        assertThat(view.serial()).isPositive().isNotEqualTo(other.serial());
        PipelineInterface slots = ((VulkanPipeline) scene.mix).layout();
        try (BindingValues values = new BindingValues(gpu.device().core())) {
            long[] written = new long[64];
            values.reset(slots, new SamplerUses());
            values.texture(slots.rules().handle("albedo", 0), view, scene.sampler, new PassLayouts());
            values.copy(1, written, new Resource[1], new Live[1]);
            assertThat(written).contains(view.sampled().serial());
        }
    }
}
