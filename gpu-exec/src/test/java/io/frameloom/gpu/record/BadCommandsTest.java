package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SubresourceRange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands that no driver may see: each is refused on each backend with a message that names what is at stake, so that the
 * validation layer, where there is one, has nothing to say of any of them.
 */
class BadCommandsTest {
    private static List<Arguments> table() {
        List<Arguments> all = new ArrayList<>();
        for (Backend backend : Backend.values()) {
            for (List<BadCommand> group : List.of(
                    BadTransfers.buffers(),
                    BadTransfers.textures(),
                    BadRendering.rendering(),
                    BadDraws.draws(),
                    BadBindings.bindings())) {
                group.forEach(bad -> all.add(Arguments.of(backend, bad)));
            }
        }
        return all;
    }

    private static final List<BadCommandScene> SCENES = new ArrayList<>();

    private static BadCommandScene scene(Backend backend) {
        for (BadCommandScene scene : SCENES) {
            if (scene.backend == backend) {
                return scene;
            }
        }
        BadCommandScene scene = new BadCommandScene(backend);
        SCENES.add(scene);
        return scene;
    }

    @AfterAll
    static void closeScenes() {
        SCENES.forEach(BadCommandScene::close);
        SCENES.clear();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("table")
    void badCommandsAreRefusedByName(Backend backend, BadCommand bad) {
        BadCommandScene scene = scene(backend);
        CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "bad list");
        try {
            Throwable refusal = catchThrowable(() -> bad.body().accept(scene, list));
            assertThat(refusal).isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
            for (String word : bad.words()) {
                assertThat(refusal).hasMessageContaining(word);
            }
            // What is bound belongs to a pipeline, which is named instead of the list.
            if (!bad.name().matches("bind(Texture|StorageTexture|Buffer) .*")) {
                assertThat(refusal).hasMessageContaining("'bad list'");
            }
            assertThat(scene.rig.device.validationMessages()).isEmpty();
        } finally {
            scene.rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void queuesRefuseWhatTheyCannotExecute(Backend backend) {
        BadCommandScene scene = scene(backend);
        List<GpuQueue> copies = scene.rig.device.queues().stream()
                .filter(queue -> queue.kind() == QueueKind.COPY)
                .toList();
        assumeTrue(!copies.isEmpty(), "the device has no copy queue");
        CommandList list = scene.rig.frame.beginCommands(copies.get(0), "copies");
        try {
            List<Runnable> refused = List.of(
                    () -> list.bindPipeline(scene.compute),
                    () -> list.bindPipeline(scene.graphics),
                    () -> list.beginRendering(scene.rendering(scene.color)),
                    () -> list.clearTexture(scene.color, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT),
                    () -> list.clearDepthStencil(scene.depth, SubresourceRange.mip(0), 1, 0),
                    () -> list.blitTexture(scene.color, scene.all(), scene.array, scene.all(), Filter.NEAREST),
                    () -> list.resolveTexture(scene.many, scene.all(), scene.color, scene.all()),
                    () -> list.copyBufferToTexture(scene.source, 0, scene.depth, 0, 0));
            for (Runnable command : refused) {
                assertThatThrownBy(command::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'copies'")
                        .hasMessageContaining("COPY queue");
            }
        } finally {
            scene.rig.frame.reset();
        }
    }
}
