package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot be bound, or used as it is bound, is refused by name. */
@Timeout(60)
class VulkanBindingRefusalTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private BindingScene scene;

    @BeforeEach
    void createScene() {
        scene = new BindingScene(gpu);
    }

    @Test
    void aBindingSetForAnotherLayoutIsRefused() {
        ComputePipeline other = scene.pipeline("other", BindingScene.OTHER);
        BindingSet set = gpu.own(gpu.device()
                .createBindingSet("only result", other, 0, Map.of("Result", new BufferRange(scene.result, 0, 4))));
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.bindSet(set))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'only result'")
                    .hasMessageContaining("'mix'");
        });
    }

    @Test
    void incompleteBindingsAreNamedAtTheDispatch() {
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            list.bindBuffer("Result", scene.result, 0, 4);
            list.bindTexture("albedo", scene.albedo.view(), scene.sampler);
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
        ComputePipeline other = scene.pipeline("other", BindingScene.OTHER);
        scene.record(list -> {
            list.bindPipeline(other);
            list.bindBuffer("Result", scene.result, 0, 4);
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'Result'");
        });
    }

    @Test
    void unknownNamesListWhatThePipelineHas() {
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.bindBuffer("Paramters", scene.parameters, 0, 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no binding 'Paramters'")
                    .hasMessageContaining("Parameters (UNIFORM_BUFFER)")
                    .hasMessageContaining("albedo (SAMPLED_TEXTURE)");
        });
    }

    @Test
    void wrongKindsSayWhatFits() {
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.bindStorageTexture("albedo", scene.albedo.view()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'albedo' of pipeline 'mix' is a SAMPLED_TEXTURE")
                    .hasMessageContaining("a texture with a sampler");
            assertThatThrownBy(() -> list.bindBuffer("image", scene.result, 0, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("STORAGE_TEXTURE");
        });
    }

    @Test
    void wrongUsagesRangesAndClosedResourcesAreNamed() {
        Buffer closed = gpu.device().createBuffer("gone", BufferDescription.device(4, BufferUsage.STORAGE));
        closed.close();
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.bindBuffer("Result", scene.parameters, 0, 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'parameters'")
                    .hasMessageContaining("STORAGE");
            assertThatThrownBy(() -> list.bindBuffer("Result", scene.result, 0, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0+8");
            assertThatThrownBy(() -> list.bindBuffer("Result", scene.result, 1, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiple of");
            assertThatThrownBy(() -> list.bindBuffer("Result", closed, 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone'");
            assertThatThrownBy(() -> list.bindTexture("albedo", scene.image.view(), scene.sampler))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'image'")
                    .hasMessageContaining("SAMPLED");
        });
    }

    @Test
    void incompleteBindingSetsNameWhatIsMissing() {
        Map<String, BoundResource> half = Map.of("Result", new BufferRange(scene.result, 0, 4));
        assertThatThrownBy(() -> gpu.device().createBindingSet("half", scene.mix, 0, half))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'half'")
                .hasMessageContaining("'Parameters'");
        assertThatThrownBy(() -> gpu.device().createBindingSet("misplaced", scene.mix, 0, scene.material()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'albedo'")
                .hasMessageContaining("set 1");
        assertThatThrownBy(() -> gpu.device().createBindingSet("nowhere", scene.mix, 5, scene.material()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set 5");
    }

    @Test
    void aSetIsNotFilledTwice() {
        BindingSet material = gpu.own(gpu.device().createBindingSet("material", scene.mix, 1, scene.material()));
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            scene.bindSetZero(list);
            list.bindSet(material);
            list.bindTexture("albedo", scene.albedo.view(), scene.sampler);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'material'")
                    .hasMessageContaining("'albedo'");
        });
    }

    @Test
    void commandsInTheWrongPlaceAreRefused() {
        scene.record(list -> {
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bindPipeline");
            assertThatThrownBy(() -> list.bindBuffer("Result", scene.result, 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bind the pipeline first");
            list.bindPipeline(scene.mix);
            assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("beginRendering");
            assertThatThrownBy(list::endPass).isInstanceOf(IllegalStateException.class);
        });
        try (FrameContext context = gpu.device().createFrameContext("ended")) {
            CommandList list = context.beginCommands(gpu.graphics(), "ended");
            list.end();
            assertThatThrownBy(() -> list.bindPipeline(scene.mix))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'ended'");
        }
    }

    @Test
    void rangesBeyondTheLimitOfTheDeviceAreRefused() {
        long most = gpu.device().capabilities().limits().memory().maxUniformRange();
        Buffer large =
                gpu.own(gpu.device().createBuffer("large", BufferDescription.device(most + 256, BufferUsage.UNIFORM)));
        scene.record(list -> {
            list.bindPipeline(scene.mix);
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
                        "theirs", new ShaderSource("theirs", ShaderStage.COMPUTE, BindingScene.RESULT_ALONE), null));
                Buffer theirs = other.createBuffer("theirs", BufferDescription.device(4, BufferUsage.STORAGE));
                BindingSet set = other.createBindingSet(
                        "their set", pipeline, 0, Map.of("Result", new BufferRange(theirs, 0, 4)))) {
            scene.record(list -> {
                list.bindPipeline(scene.mix);
                assertThatThrownBy(() -> list.bindSet(set))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'their set' is of another device");
            });
        }
    }

    @Test
    void whatWasClosedAfterItWasBoundIsNamedAtTheDispatch() {
        Buffer gone = gpu.device().createBuffer("gone", BufferDescription.device(4, BufferUsage.STORAGE));
        BindingSet goneToo = gpu.device().createBindingSet("gone too", scene.mix, 1, scene.material());
        scene.record(list -> {
            list.bindPipeline(scene.mix);
            scene.bindSetZero(list);
            list.bindSet(goneToo);
            list.bindBuffer("Result", gone, 0, 4);
            goneToo.close();
            gone.close();
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone' was closed after it was bound");
            list.bindBuffer("Result", scene.result, 0, 4);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("binding set 'gone too' was closed after it was bound");
        });
    }
}
