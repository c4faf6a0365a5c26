package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.streaming.Ktx2Files.Packing;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong is named, and the rest goes on. */
class StreamingFaultsTest {
    private static final int SIZE = 128;
    private static final int LEVELS = 8;
    private static final int TAIL = 2;

    @TempDir
    Path folder;

    private final TaskGraph tasks =
            TaskGraph.builder().name("faults").workers(2).build();
    private final HazardChecker checker = new HazardChecker();
    private final GpuDevice device;
    private final FrameExecutor executor;

    StreamingFaultsTest() {
        tasks.start(NamedThread.RHI);
        device = VirtualDevice.open(new VirtualGpuOptions(3, 1), new DeviceOptions(tasks, "faults", false, checker));
        executor = new FrameExecutor(device, tasks);
    }

    /** Closing the device throws if anything was left open. */
    @AfterEach
    void close() {
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
        executor.close();
        device.close();
        tasks.close();
    }

    private Path file(String name) {
        Path path = folder.resolve(name);
        Ktx2Files.write(path, SIZE, SIZE, LEVELS, Format.R8G8B8A8_UNORM, Packing.NONE, level -> {
            byte[] texels = new byte[4 * (SIZE >> level) * (SIZE >> level)];
            Arrays.fill(texels, (byte) level);
            return texels;
        });
        return path;
    }

    private TextureStreamer streamer(long budget) {
        return new TextureStreamer(device, budget, 1 << 20);
    }

    private FrameHandle frame(TextureStreamer streamer) {
        RenderGraph graph = new RenderGraph("frame");
        streamer.addTo(graph);
        return executor.run(graph);
    }

    private void until(TextureStreamer streamer, StreamedTexture wishing, BooleanSupplier over) {
        while (!over.getAsBoolean()) {
            wishing.wish(0);
            frame(streamer).completed().await();
        }
    }

    @Test
    void aFileThatVanishesLeavesWhatIsThere() throws IOException {
        Path path = file("gone.ktx2");
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture gone = streamer.register(path, 0);
            assertThat(gone.residentLevel()).isEqualTo(LEVELS);
            while (gone.residentLevel() > TAIL) {
                frame(streamer).completed().await();
            }
            Files.delete(path);
            until(streamer, gone, () -> gone.failure() != null);
            assertThat(gone.failure())
                    .isInstanceOf(Ktx2Exception.class)
                    .hasMessageContainingAll("gone.ktx2", "level 1", "no such file");
            assertThat(gone.residentLevel()).isEqualTo(TAIL);
            StreamedTexture other = streamer.register(file("other.ktx2"), 0);
            until(streamer, other, () -> other.residentLevel() == 0);
            assertThat(gone.residentLevel()).isEqualTo(TAIL);
        }
    }

    @Test
    void aFileThatIsCutOffIsNamed() throws IOException {
        Path path = file("short.ktx2");
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture cut = streamer.register(path, 0);
            Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 400));
            until(streamer, cut, () -> cut.failure() != null);
            assertThat(cut.failure()).hasMessageContainingAll("short.ktx2", "do not lie in the file, which has 400");
            assertThat(cut.residentLevel()).isEqualTo(LEVELS);
            until(streamer, cut, () -> streamer.residentBytes() == 0);
        }
    }

    @Test
    void aBudgetThatDoesNotHoldTheTailsIsRefused() {
        try (TextureStreamer streamer = streamer(8000)) {
            StreamedTexture first = streamer.register(file("first.ktx2"), 0);
            assertThatThrownBy(() -> streamer.register(file("second.ktx2"), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("second.ktx2", "of a budget of 8000", "raise the budget");
            until(streamer, first, () -> first.residentLevel() == TAIL);
            first.close();
            StreamedTexture third = streamer.register(file("third.ktx2"), 0);
            until(streamer, third, () -> third.residentLevel() == TAIL);
            assertThat(streamer.residentBytes()).isLessThanOrEqualTo(8000);
        }
        assertThatThrownBy(() -> streamer(0)).hasMessageContaining("budget of at least 1 byte");
    }

    @Test
    void textureOfIntegersIsRefused() {
        Path path = folder.resolve("numbers.ktx2");
        Ktx2Files.write(path, 4, 4, 1, Format.R32_UINT, Packing.NONE, level -> new byte[64]);
        try (TextureStreamer streamer = streamer(8000)) {
            assertThatThrownBy(() -> streamer.register(path, 0)).hasMessageContainingAll("numbers.ktx2", "R32_UINT");
        }
    }

    @Test
    void aTextureOfAnotherStreamerIsRefused() {
        try (TextureStreamer one = streamer(1 << 20);
                TextureStreamer other = streamer(1 << 20)) {
            StreamedTexture texture = one.register(file("one.ktx2"), 0);
            RenderGraph graph = new RenderGraph("frame");
            StreamedFrame streamed = other.addTo(graph);
            assertThatThrownBy(() -> streamed.view(texture)).hasMessageContainingAll("one.ktx2", "another streamer");
            assertThatThrownBy(() -> texture.wish(-1)).hasMessageContaining("counted from 0");
            assertThatThrownBy(() -> streamed.sampledBy(graph.addPass("draw", PassKind.RASTER), ShaderStage.VERTEX))
                    .hasMessageContaining("FRAGMENT and COMPUTE shaders, not VERTEX");
        }
    }

    @Test
    void closingEndsLoadsUnderWay() {
        for (int frames = 0; frames < 6; frames++) {
            TextureStreamer streamer = streamer(8 << 20);
            List<StreamedTexture> textures = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                textures.add(streamer.register(file(i + ".ktx2"), 0));
            }
            for (int i = 0; i < frames; i++) {
                textures.forEach(each -> each.wish(0));
                frame(streamer).submitted().await();
            }
            if (frames % 2 == 0) {
                textures.get(3).close();
            }
            streamer.close();
            streamer.close();
            textures.get(4).close();
            assertThatThrownBy(() -> streamer.addTo(new RenderGraph("late"))).hasMessageContaining("is closed");
        }
    }

    @Test
    void aTextureThatIsClosedGivesItsMemoryAndNumberBack() {
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture first = streamer.register(file("first.ktx2"), 0);
            until(streamer, first, () -> first.residentLevel() == 0);
            first.close();
            until(streamer, first, () -> streamer.residentBytes() == 0);
            assertThat(streamer.register(file("second.ktx2"), 0).index()).isEqualTo(first.index());
        }
    }

    @Test
    void whatAFailedFrameWasToFillIsLoadedAnew() {
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture texture = streamer.register(file("texture.ktx2"), 0);
            until(streamer, texture, () -> texture.residentLevel() == TAIL);
            while (texture.residentLevel() == TAIL) {
                texture.wish(0);
                RenderGraph graph = new RenderGraph("failing");
                StreamedFrame streamed = streamer.addTo(graph);
                streamed.sampledBy(graph.addPass("fails", PassKind.COMPUTE), ShaderStage.COMPUTE, texture)
                        .record(context -> {
                            throw new IllegalStateException("on purpose");
                        });
                executor.run(graph).completed().awaitCompletion();
            }
            frame(streamer).completed().await();
            assertThat(texture.residentLevel()).isEqualTo(LEVELS);
            until(streamer, texture, () -> texture.residentLevel() == 0);
            assertThat(texture.failure()).isNull();
        }
    }
}
