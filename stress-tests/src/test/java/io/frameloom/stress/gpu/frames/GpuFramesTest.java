package io.frameloom.stress.gpu.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few of the graphs of {@code ./frameloom stress --gpu-frames} on the virtual GPU, and that it sees what is wrong. */
@Timeout(180)
class GpuFramesTest {
    private static final String FOUR_QUEUES = "virtual:queues=2+1+1,seed=3";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private boolean run(String... arguments) {
        return GpuFramesMain.run(
                GpuFramesOptions.parse(arguments, 1), folder, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String told() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void with(Path folder, BiConsumer<RenderGraph, KeptResources> more, Consumer<GpuFrames> body) {
        HazardChecker checker = new HazardChecker();
        SubmissionCounts counts = new SubmissionCounts(checker);
        try (TaskGraph tasks = TaskGraph.builder().name("frames").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            DeviceSelector.parse(FOUR_QUEUES), new DeviceOptions(tasks, "frames", false, counts));
                    GpuFrames frames = new GpuFrames(device, checker, counts, folder, more)) {
                body.accept(frames);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FOUR_QUEUES,
                "virtual:queues=2+1+1,order=reverse",
                "virtual:queues=16+8+2,seed=5",
                "virtual:queues=1+0+2,seed=6",
                "virtual:queues=1"
            })
    void onTheVirtualGpu(String device) {
        String graphs = String.valueOf(TestEffort.of(12, 24));
        assertThat(run("--device", device, "--graphs", graphs, "--seed", "100"))
                .as(told())
                .isTrue();
        assertThat(told()).contains(graphs + " graphs", "gpu frames: 0 problems, seed 100");
        assertThat(told()).contains(device.endsWith("=1") ? " 0 waits between queues" : " queues used");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aTimeIsALengthToo() {
        assertThat(run("--device", FOUR_QUEUES, "--minutes", "0.005"))
                .as(told())
                .isTrue();
        assertThat(told()).contains("4 of 4 queues used", "gpu frames: 0 problems, seed 1");
    }

    /** A model that is wrong about one word of the last frame. */
    private static final class WrongModel extends HostModel {
        private final int frames;

        WrongModel(int frames) {
            this.frames = frames;
        }

        @Override
        List<ByteBuffer> run(GraphShape shape, int frame) {
            List<ByteBuffer> words = super.run(shape, frame);
            if (frame == frames - 1) {
                ByteBuffer last = words.get(words.size() - 1);
                last.putInt(4, ~last.getInt(4));
            }
            return words;
        }
    }

    @Test
    void aWordThatDiffersIsToldWithTheSeedAndTheGraphs() {
        with(folder, (graph, kept) -> {}, frames -> {
            RandomCase random = RandomCase.of(11, frames.traits());
            int count = random.frames().size();
            assertThat(frames.run(random, new WrongModel(count))).isFalse();
            assertThat(frames.problems()).hasSize(1);
            assertThat(frames.problems().get(0))
                    .startsWith("seed 11, graphs in " + folder.resolve("gpu-frames-11") + ": frame " + (count - 1))
                    .contains(": word 1 is 0x");
            assertThat(frames.run(11)).isTrue();
        });
        assertThat(graphs("gpu-frames-11")).isEqualTo(3);
    }

    private long graphs(String of) {
        try (Stream<Path> files = Files.list(folder.resolve(of))) {
            return files.map(GraphFile::read)
                    .map(file -> file.compile(UnaryOperator.identity()))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPassThatDoesNotDeclareItsWriteIsFound() {
        BiConsumer<RenderGraph, KeptResources> hidden = (graph, kept) -> graph.addPass(
                "hidden",
                PassKind.COPY,
                context -> context.commands().fillBuffer(kept.buffer(0), 0, GraphShape.CHUNK, 5));
        with(folder, hidden, frames -> {
            assertThat(frames.run(12)).isFalse();
            assertThat(frames.problems()).anyMatch(problem -> problem.contains("'hidden'"));
        });
    }

    @Test
    void aPassThatThrowsIsTold() {
        BiConsumer<RenderGraph, KeptResources> broken =
                (graph, kept) -> graph.addPass("broken", PassKind.COPY, context -> {
                    throw new IllegalStateException("made to fail");
                });
        with(folder, broken, frames -> {
            assertThat(frames.run(13)).isFalse();
            assertThat(frames.problems()).anyMatch(problem -> problem.contains("the frame has failed"));
        });
    }

    @Test
    void queuesThatNothingRanOnAreTold() {
        with(folder, (graph, kept) -> {}, frames -> {
            frames.judgeQueues();
            assertThat(frames.problems())
                    .containsExactly("of 4 queues only 0 were used", "none of 4 queues waited for another one");
        });
    }

    @Test
    void queuesThatADeviceHasNotAreTold() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assertThat(run("--queues", "63,0,0", "--graphs", "1")).isFalse();
        assertThat(told()).contains("of 63 graphics queues asked for the device has ");
    }
}
