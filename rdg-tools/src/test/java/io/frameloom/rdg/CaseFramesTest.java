package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every case with a plan, executed: whatever order the device picks, the frames leave what a serial execution leaves. */
class CaseFramesTest {
    private static final int FRAMES = 3;
    /** In the one a pass without a reader writes a transient, in the other all passes are culled: nobody sees anything. */
    private static final Set<String> NOTHING_TO_SEE =
            Set.of("cull-03-never-cull-keeps-producers", "cull-12-rps-dce-none");

    private static LongStream seeds() {
        return LongStream.rangeClosed(1, TestEffort.of(1, 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFramesOfEveryCaseEqualTheSerialModel(long seed) throws IOException, URISyntaxException {
        Map<QueueCounts, ModelRun> runs = new HashMap<>();
        Map<String, String> failures = new TreeMap<>();
        Set<String> unseen = new TreeSet<>();
        List<JsonNode> roots = roots();
        try {
            for (JsonNode root : roots) {
                ModelRun run = runs.computeIfAbsent(CaseModel.queues(root), counts -> new ModelRun(counts, seed));
                for (PlanCase planned : cases(root, run)) {
                    boolean asTheFileSays = planned.options().equals(CaseModel.options(root));
                    Throwable failure = asTheFileSays || TestEffort.isThorough()
                            ? run.failure(planned, FRAMES)
                            : run.failureInOneOrder(planned, FRAMES);
                    if (failure != null) {
                        failures.put(root.get("id").asText(), planned + "\n" + failure);
                    }
                    if (!isSeen(planned.model())) {
                        unseen.add(root.get("id").asText());
                    }
                }
            }
        } finally {
            runs.values().forEach(ModelRun::close);
        }
        assertThat(failures).isEmpty();
        assertThat(unseen).isEqualTo(NOTHING_TO_SEE);
        assertThat(roots)
                .as("85 cases, of which 7 are to be refused, and 2 read on tiles")
                .hasSize(76);
    }

    /**
     * A device that goes away in the middle of a frame fails the frames, leaves nobody waiting and can be closed. In a usual
     * run each case loses it once or twice, in a thorough one three times.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aLostDeviceEndsTheFramesOfEveryCase(int submission) throws IOException, URISyntaxException {
        int lost = 0;
        List<JsonNode> roots = TestEffort.share(roots(), submission / 2 % 2, 2);
        for (JsonNode root : roots) {
            VirtualGpuOptions options = new VirtualGpuOptions(1, submission)
                    .withQueues(CaseModel.queues(root))
                    .withLossAt(submission);
            try (ModelDevice device = new ModelDevice(options, new HazardChecker());
                    FrameExecutor executor =
                            new FrameExecutor(device.gpu, device.tasks, FrameExecutorOptions.defaults())) {
                GraphModel model = RunnableModels.of(SerialOrder.of(
                        CaseModel.of(root), CaseModel.options(root).order()));
                PlanCase planned = new PlanCase(model, QueueTopology.of(device.gpu), CaseModel.options(root));
                ModelFrames.run(device, executor, planned, false, FRAMES);
            } catch (RuntimeException failure) {
                assertThat(failure)
                        .as("%s", root.get("id"))
                        .hasStackTraceContaining(DeviceLostException.class.getName());
                lost++;
            }
        }
        assertThat(lost).isGreaterThan(roots.size() * 9 / 10);
    }

    private static List<JsonNode> roots() throws IOException, URISyntaxException {
        List<JsonNode> roots = new ArrayList<>();
        for (Path file : RdgCasesTest.files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            // A model's draws read no attachments on tiles: LocalReadFramesTest executes such frames.
            boolean onTiles = root.toString().contains("\"inputAttachment\"");
            if (!root.get("expect").has("error") && !onTiles) {
                roots.add(root);
            }
        }
        return roots;
    }

    private static boolean isSeen(GraphModel model) {
        return model.passes().stream()
                .flatMap(pass -> pass.uses().stream())
                .anyMatch(use -> use.access().writes()
                        && model.resources().get(use.resource()).lifetime() != Lifetime.TRANSIENT);
    }

    /**
     * As the file says it, with clears of rectangles where render passes are shared; and without shared ones, so that draws mix
     * what they read. In a usual run the second one is executed in one order.
     */
    private static List<PlanCase> cases(JsonNode root, ModelRun run) {
        RdgOptions options = CaseModel.options(root);
        GraphModel declared = CaseModel.of(root);
        GraphModel model = RunnableModels.of(SerialOrder.of(declared, options.order()));
        assertThat(uses(model)).as("nothing is left out of %s", root.get("id")).isEqualTo(uses(declared));
        List<PlanCase> cases = new ArrayList<>();
        cases.add(new PlanCase(model, run.queues(), options));
        if (options.mergeRenderPasses()) {
            cases.add(new PlanCase(model, run.queues(), options.withMergeRenderPasses(false)));
        }
        return cases;
    }

    /** What is executed is what the file asks for: the reader of files is the judge. */
    @Test
    void everyModeIsHonoured(@TempDir Path folder) throws IOException, URISyntaxException {
        for (Path file : RdgCasesTest.files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            assertThat(CaseModel.options(root))
                    .as("%s", file.getFileName())
                    .isEqualTo(GraphFile.read(file).options());
        }
        String[] modes = {
            "'order':'unordered'",
            "'cull':'off'",
            "'overlapUavs':false",
            "'asyncPolicy':0",
            "'asyncPolicy':2",
            "'mergeRenderPasses':false",
            "'aliasing':false",
            "'passMin':3",
            "'passMax':7",
            "'waitStageScope':'exact'",
            "'hoistBarriers':true",
            "'splitBarriers':true",
            "'schedule':'random:-7'",
            "'schedule':'memory'"
        };
        for (String mode : modes) {
            String text = "{\"mode\":{" + mode.replace('\'', '"') + "},\"passes\":[]}";
            RdgOptions options = CaseModel.options(new ObjectMapper().readTree(text));
            assertThat(options).as(mode).isNotEqualTo(RdgOptions.defaults());
            assertThat(options)
                    .as(mode)
                    .isEqualTo(GraphFile.read(Files.writeString(folder.resolve("mode.json"), text))
                            .options());
        }
    }

    private static int uses(GraphModel model) {
        return model.passes().stream().mapToInt(pass -> pass.uses().size()).sum();
    }
}
