package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.streaming.Ktx2Files.Packing;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong is named, and the rest goes on. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class StreamingFaultsTest {
    private static final int TAIL = 2;

    @TempDir
    Path folder;

    private final TaskGraph tasks =
            TaskGraph.builder().name("faults").workers(2).build();
    private final HazardChecker checker = new HazardChecker();
    private List<Hazard> expected = List.of();
    private final Set<Capability> needed;
    private final boolean isSparse;
    private final int size;
    private final int levels;
    /** Holds one tail and not two. */
    private final long smallBudget;

    private final GpuDevice device;
    private final FrameExecutor executor;

    StreamingFaultsTest(boolean isSparse) {
        this.isSparse = isSparse;
        this.size = isSparse ? 256 : 128;
        this.levels = isSparse ? 9 : 8;
        this.smallBudget = isSparse ? 100_000 : 8000;
        this.needed = isSparse ? Set.of(Capability.SPARSE_RESIDENCY) : Set.of();
        tasks.start(NamedThread.RHI);
        device = VirtualDevice.open(
                new VirtualGpuOptions(3, 1),
                with(
                        needed,
                        new DeviceOptions(tasks, "faults", false, checker).require(Capability.DESCRIPTOR_INDEXING)));
        executor = new FrameExecutor(device, tasks);
    }

    private static DeviceOptions with(Set<Capability> needed, DeviceOptions options) {
        DeviceOptions all = options;
        for (Capability each : needed) {
            all = all.require(each);
        }
        return all;
    }

    /** A frame that was to fill an image with a level has failed. No frame fills a sparse image, which has the level. */
    private void assertForgotten(StreamedTexture texture, int level) {
        if (isSparse) {
            assertThat(texture.residentLevel()).isLessThanOrEqualTo(level);
        } else {
            assertThat(texture.residentLevel()).isEqualTo(levels);
        }
    }

    /** Closing the device throws if anything was left open. */
    @AfterEach
    void close() {
        assertThat(checker.hazards()).isEqualTo(expected);
        assertThat(checker.undeclared()).isEmpty();
        executor.close();
        device.close();
        tasks.close();
    }

    private Path file(String name) {
        return file(name, Packing.NONE);
    }

    private Path file(String name, Packing packing) {
        Path path = folder.resolve(name);
        Ktx2Files.write(path, size, size, levels, Format.R8G8B8A8_UNORM, packing, level -> {
            byte[] texels = new byte[4 * (size >> level) * (size >> level)];
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
            assertThat(gone.residentLevel()).isEqualTo(levels);
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
            assertThat(cut.residentLevel()).isEqualTo(levels);
            until(streamer, cut, () -> streamer.residentBytes() == 0);
        }
    }

    @Test
    void aBudgetThatDoesNotHoldTheTailsIsRefused() {
        try (TextureStreamer streamer = streamer(smallBudget)) {
            StreamedTexture first = streamer.register(file("first.ktx2"), 0);
            assertThatThrownBy(() -> streamer.register(file("second.ktx2"), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("second.ktx2", "of a budget of " + smallBudget, "raise the budget");
            until(streamer, first, () -> first.residentLevel() == TAIL);
            first.close();
            StreamedTexture third = streamer.register(file("third.ktx2"), 0);
            until(streamer, third, () -> third.residentLevel() == TAIL);
            assertThat(streamer.residentBytes()).isLessThanOrEqualTo(smallBudget);
        }
        assertThatThrownBy(() -> streamer(0)).hasMessageContaining("budget of at least 1 byte");
    }

    @Test
    void textureOfIntegersIsRefused() {
        Path path = folder.resolve("numbers.ktx2");
        Ktx2Files.write(path, 4, 4, 1, Format.R32_UINT, Packing.NONE, level -> new byte[64]);
        try (TextureStreamer streamer = streamer(smallBudget)) {
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
            StreamedTexture second = streamer.register(file("second.ktx2"), 0);
            assertThat(second.index()).isEqualTo(first.index());
            until(streamer, second, () -> second.residentLevel() == TAIL);
            StreamedFrame streamed = streamer.addTo(new RenderGraph("frame"));
            TextureView view = streamed.view(second);
            assertThat(view.texture().description().width(view.range().baseMip()))
                    .isEqualTo(size >> TAIL);
            assertThat(streamed.view(first).texture().name()).isEqualTo("streaming placeholder");
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
            assertForgotten(texture, TAIL - 1);
            until(streamer, texture, () -> texture.residentLevel() == 0);
            assertThat(texture.failure()).isNull();
        }
    }

    /** A level that cannot be loaded is no reason to leave those out that can. */
    @Test
    void whatAFailedFrameWasToFillComesBackUpToALevelThatIsDamaged() throws IOException {
        Path path = file("damaged.ktx2");
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture damaged = streamer.register(path, 0);
            until(streamer, damaged, () -> damaged.residentLevel() == TAIL);
            while (damaged.residentLevel() == TAIL) {
                damaged.wish(0);
                streamer.addTo(new RenderGraph("given up"));
            }
            byte[] whole = Files.readAllBytes(path);
            Files.delete(path);
            while (damaged.failure() == null) {
                damaged.wish(0);
                streamer.addTo(new RenderGraph("given up"));
            }
            Throwable failure = damaged.failure();
            Files.write(path, whole);
            until(streamer, damaged, () -> isSparse || damaged.residentLevel() == levels);
            until(streamer, damaged, () -> damaged.residentLevel() == TAIL - 1);
            for (int i = 0; i < 8; i++) {
                damaged.wish(0);
                frame(streamer).completed().await();
            }
            assertThat(damaged.residentLevel()).isEqualTo(TAIL - 1);
            assertThat(damaged.failure()).isSameAs(failure);
        }
    }

    @Test
    void aGraphThatIsNeverExecutedCountsAsFailed() {
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture texture = streamer.register(file("texture.ktx2"), 0);
            until(streamer, texture, () -> texture.residentLevel() == TAIL);
            while (texture.residentLevel() == TAIL) {
                texture.wish(0);
                streamer.addTo(new RenderGraph("given up"));
            }
            frame(streamer).completed().await();
            frame(streamer).completed().await(); // sees that the one before has succeeded
            assertForgotten(texture, TAIL - 1);
            until(streamer, texture, () -> texture.residentLevel() == 0);
            long whole = texture.residency.imageBytes(0);
            until(streamer, texture, () -> streamer.residentBytes() == whole);
        }
    }

    @Test
    void whatIsFilledFromWhatAFailedFrameWasToFillIsLoadedAnew() {
        CountDownLatch later = new CountDownLatch(1);
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture texture = streamer.register(file("texture.ktx2"), 0);
            until(streamer, texture, () -> texture.residentLevel() == TAIL);
            tasks.task("holds submissions", later::await).on(NamedThread.RHI).dispatch();
            FrameHandle failing = whenAt(
                    streamer,
                    texture,
                    TAIL - 1,
                    graph -> graph.addPass("fails", PassKind.COPY)
                            .flag(PassFlag.NEVER_CULL)
                            .record(context -> {
                                throw new IllegalStateException("on purpose");
                            }));
            FrameHandle next = whenAt(streamer, texture, TAIL - 2, graph -> {});
            later.countDown();
            failing.completed().awaitCompletion();
            next.completed().await();
            expected = checker.hazards();
            assertThat(expected).extracting(Hazard::kind).allMatch(Hazard.Kind.UNDEFINED_CONTENTS::equals);
            assertThat(expected.isEmpty()).isEqualTo(isSparse);
            frame(streamer).completed().await();
            assertForgotten(texture, TAIL - 2);
            until(streamer, texture, () -> texture.residentLevel() == 0);
        }
    }

    /** Executes the graph in which a texture gets a level; those before it are given up. */
    private FrameHandle whenAt(
            TextureStreamer streamer, StreamedTexture texture, int level, Consumer<RenderGraph> more) {
        RenderGraph graph;
        do {
            texture.wish(0);
            graph = new RenderGraph("frame");
            streamer.addTo(graph);
        } while (texture.residentLevel() > level);
        more.accept(graph);
        return executor.run(graph);
    }

    @Test
    void theFeedbackIsClearedUntilAFrameHasSucceeded() {
        try (TextureStreamer streamer = streamer(1 << 20)) {
            streamer.addTo(new RenderGraph("given up"));
            assertThat(clears(streamer)).isTrue();
            frame(streamer).completed().await();
            assertThat(clears(streamer)).isFalse();
        }
    }

    private boolean clears(TextureStreamer streamer) {
        RenderGraph graph = new RenderGraph("looked at");
        streamer.addTo(graph);
        return executor.compile(graph).passes().stream()
                .anyMatch(each -> each.name().equals("clear streaming feedback"));
    }

    @Test
    void damageInTheSecondLevelOfATailLeavesNothingBehind() throws IOException {
        Path path = file("torn.ktx2", Packing.ZSTANDARD);
        try (TextureStreamer streamer = streamer(1 << 20)) {
            StreamedTexture torn = streamer.register(path, 0);
            byte[] bytes = Files.readAllBytes(path);
            int from =
                    (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(80 + 24 * (TAIL + 1));
            Arrays.fill(bytes, from, from + 8, (byte) 0);
            Files.write(path, bytes);
            until(streamer, torn, () -> torn.failure() != null);
            assertThat(torn.failure()).hasMessageContainingAll("torn.ktx2", "level 3");
            until(streamer, torn, () -> streamer.residentBytes() == 0);
        }
    }

    @Test
    void aFullTableStopsNoFrameAndNoTextureForGood() {
        BindlessTable table = device.createBindlessTable("full");
        Texture filler = device.createTexture(
                "filler",
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST));
        List<BindlessSlot> slots = new ArrayList<>();
        try (TextureStreamer streamer = new TextureStreamer(device, 1 << 20, 1 << 20, table)) {
            StreamedTexture texture = streamer.register(file("texture.ktx2"), 0);
            until(streamer, texture, () -> texture.residentLevel() == TAIL);
            int most = table.capacity(BindlessTable.Kind.SAMPLED_TEXTURE) - 2;
            while (slots.size() < most) {
                slots.add(table.sampledTexture(filler.view()));
            }
            assertThatThrownBy(() -> new TextureStreamer(device, 8000, 8000, table))
                    .isInstanceOf(TableFullException.class);
            for (int i = 0; i < 10; i++) {
                texture.wish(0);
                frame(streamer).completed().await();
            }
            assertThat(texture.residentLevel()).isEqualTo(TAIL);
            assertThat(texture.failure()).isNull();
            slots.forEach(BindlessSlot::close);
            until(streamer, texture, () -> texture.residentLevel() == 0);
        }
        table.close();
        filler.close();
    }

    /** Two textures, the second at the cost of the first, with an allocation that is refused. */
    @Test
    void memoryThatIsRefusedOnceEndsNothing() {
        Path lowFile = file("low.ktx2");
        Path highFile = file("high.ktx2");
        for (int allocation = 1; allocation <= TestEffort.of(20, 60); allocation++) {
            try (TaskGraph own = TaskGraph.builder()
                    .name("own")
                    .workers(1)
                    .uncaughtHandler((task, failure) -> {})
                    .build()) {
                own.start(NamedThread.RHI);
                VirtualGpuOptions options = new VirtualGpuOptions(3, 1).withOutOfMemoryAt(allocation);
                try (GpuDevice small = VirtualDevice.open(options, with(needed, DeviceOptions.of(own, "small")));
                        FrameExecutor frames = new FrameExecutor(small, own);
                        TextureStreamer streamer = new TextureStreamer(small, isSparse ? 500_000 : 180_000, 1 << 20)) {
                    StreamedTexture low = streamer.register(lowFile, 0);
                    StreamedTexture high = streamer.register(highFile, 1);
                    for (StreamedTexture each : List.of(low, high)) {
                        while (each.residentLevel() > 0) {
                            each.wish(0);
                            RenderGraph graph = new RenderGraph("frame");
                            streamer.addTo(graph);
                            runOrRefuse(frames, graph);
                        }
                    }
                    assertThat(low.residentLevel()).isPositive();
                    assertThat(low.failure()).isNull();
                    assertThat(high.failure()).isNull();
                } catch (GpuOutOfMemoryException e) {
                    assertThat(e).hasMessageMatching(".*(stream| sparse').*"); // it could not be made
                }
            }
        }
    }

    private static void runOrRefuse(FrameExecutor frames, RenderGraph graph) {
        FrameHandle frame;
        try {
            frame = frames.run(graph);
        } catch (GpuOutOfMemoryException e) {
            return; // never executed
        }
        frame.completed().awaitCompletion();
    }

    @Test
    void aFailedFrameOfTheApplicationIsReportedAllTheSame() {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        try (TaskGraph own = TaskGraph.builder()
                .name("own")
                .workers(2)
                .uncaughtHandler((task, failure) -> uncaught.add(failure))
                .build()) {
            own.start(NamedThread.RHI);
            try (GpuDevice second = VirtualDevice.open(new VirtualGpuOptions(3, 1), DeviceOptions.of(own, "second"));
                    FrameExecutor frames = new FrameExecutor(second, own);
                    TextureStreamer streamer = new TextureStreamer(second, 1 << 20, 1 << 20)) {
                RenderGraph failing = new RenderGraph("failing");
                streamer.addTo(failing);
                failing.addPass("fails", PassKind.COPY)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {
                            throw new IllegalStateException("on purpose");
                        });
                frames.run(failing).completed().awaitCompletion();
                streamer.addTo(new RenderGraph("looks at the one before"));
            }
        }
        assertThat(uncaught).anySatisfy(each -> assertThat(each).hasStackTraceContaining("on purpose"));
    }
}
