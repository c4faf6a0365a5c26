package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.testing.TestEffort;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random graphs on the virtual GPU: whatever order it picks within the plan's waits and barriers, the results are serial. */
class ModelFramesTest {
    private static final int GRAPHS = TestEffort.of(100, 2_000);
    /** Of these so many several times and in all orders, for what frames have to do with each other. */
    private static final int REPEATED = TestEffort.of(10, 400);

    private static final int FRAMES = 3;
    private static final int STOPPED = TestEffort.of(20, 150);
    private static final int LEFT_OUT = TestEffort.of(30, 1_000);
    private static final int SEARCHED = TestEffort.of(5, 40);

    @ParameterizedTest
    @CsvSource({"1,0,0", "1,1,0", "1,1,1", "1,2,1", "2,1,1"})
    void framesEqualTheSerialModel(int graphics, int compute, int copy, TestReporter reporter) {
        long first = RandomGenerator.getDefault().nextLong();
        reporter.publishEntry("firstSeed", Long.toString(first));
        try (ModelRun run = new ModelRun(new QueueCounts(graphics, compute, copy), 7)) {
            for (long seed = first; seed < first + GRAPHS; seed++) {
                PlanCase random = RandomCases.runnable(seed, run.queues());
                boolean repeats = seed < first + REPEATED;
                int frames = repeats ? FRAMES : 1;
                Throwable failure = repeats || TestEffort.isThorough()
                        ? run.failure(random, frames)
                        : run.failureInOneOrder(random, frames);
                if (failure != null) {
                    PlanCase smallest = run.smallest(random, frames);
                    throw new AssertionError("seed " + seed + smallest, run.again(smallest, frames));
                }
            }
        }
    }

    /** Whatever a frame that stops has handed over or moved, and left to others, the next ones find it where they expect it. */
    @ParameterizedTest
    @CsvSource({"1,1,1", "2,2,1"})
    void framesAroundOneThatStopsAreSound(int graphics, int compute, int copy, TestReporter reporter) {
        long first = RandomGenerator.getDefault().nextLong();
        reporter.publishEntry("firstSeed", Long.toString(first));
        try (ModelRun run = new ModelRun(new QueueCounts(graphics, compute, copy), 7)) {
            for (long seed = first; seed < first + STOPPED; seed++) {
                PlanCase random = exclusive(RandomCases.runnable(seed, run.queues()));
                List<GraphModel.Pass> passes = random.model().passes();
                String stop = passes.get(new SplittableRandom(seed).nextInt(passes.size()))
                        .name();
                assertThat(run.hazardsAround(stop, random))
                        .as("seed %d, stopped at %s%n%s", seed, stop, random)
                        .isEmpty();
            }
            assertThat(run.stopped()).isGreaterThan(STOPPED / 2);
        }
    }

    /** One pass of a sound graph is left out: exactly those frames are wrong in which somebody reads what it has not written. */
    @Test
    void whatReadsWithoutTheConditionOfItsWriterIsFound() {
        int found = 0;
        try (ModelRun run = new ModelRun(new QueueCounts(1, 1, 1), 7)) {
            for (long seed = 0; seed < LEFT_OUT; seed++) {
                PlanCase random = RandomCases.runnable(seed, run.queues());
                GraphModel model =
                        SerialOrder.of(random.model(), random.options().order());
                PlanCase wrong = random.of(withOneLeftOut(RunnableModels.of(model), seed))
                        .with(random.options().withOrder(PassOrder.DECLARED).withCullPasses(false));
                List<Hazard> hazards = run.hazards(wrong);
                assertThat(hazards)
                        .as("seed %d%n%s", seed, wrong)
                        .allMatch(hazard -> hazard.kind() == Hazard.Kind.UNDEFINED_CONTENTS);
                boolean sound = hazards.isEmpty() ? isReadAfterWrites(wrong.model()) : isSound(wrong.model());
                assertThat(hazards.isEmpty()).as("seed %d%n%s", seed, wrong).isEqualTo(sound);
                found += hazards.isEmpty() ? 0 : 1;
            }
        }
        assertThat(found).isBetween(LEFT_OUT / 8, LEFT_OUT - LEFT_OUT / 8);
    }

    /** Leaves out a pass that others need, if there is one, or with odd seeds any. */
    private static GraphModel withOneLeftOut(GraphModel model, long seed) {
        int count = model.passes().size();
        int first = new SplittableRandom(seed).nextInt(count);
        for (int i = 0; i < count; i++) {
            GraphModel without = without(model, (first + i) % count);
            if (seed % 2 != 0 || !isSound(without)) {
                return without;
            }
        }
        return model;
    }

    private static boolean isSound(GraphModel model) {
        return RunnableModels.of(model).equals(model);
    }

    /**
     * As {@link #isSound}, but for what one frame does not read: what a write keeps, what a history is left with, and
     * what lies outside of the area that passes draw to.
     */
    private static boolean isReadAfterWrites(GraphModel model) {
        List<GraphModel.Pass> passes = model.passes().stream()
                .map(pass -> pass.using(pass.uses().stream()
                                .map(use -> use.access().reads() || use.attachment() != null ? use : use.discarding())
                                .toList())
                        .in(0, pass.parts()))
                .toList();
        return RunnableModels.isReadAfterWrites(new GraphModel(model.resources(), passes));
    }

    /** What the host maps always counts as written. */
    private static GraphModel without(GraphModel model, int pass) {
        GraphModel.Pass old = model.passes().get(pass);
        boolean mayBe = !old.builtin()
                && old.parts() == 0
                && old.uses().stream()
                        .noneMatch(use -> use.isResolve()
                                || model.resources().get(use.resource()).memory() != MemoryUsage.DEVICE);
        return mayBe ? model.with(pass, old.onlyIf(false)) : model;
    }

    /** All that a graph can hand over belongs to one queue family at a time. */
    private static PlanCase exclusive(PlanCase random) {
        GraphModel model = random.model();
        List<GraphModel.Res> resources = model.resources().stream()
                .map(res -> res.memory() == MemoryUsage.DEVICE
                                && res.role() != GraphModel.Role.PASSTHROUGH
                                && !res.isStructure()
                        ? res.shared(QueueSharing.EXCLUSIVE)
                        : res)
                .toList();
        return random.of(new GraphModel(resources, model.passes()));
    }

    /**
     * Each wait and barrier left out in turn leaves a hazard, but for the {@link NeedlessBarriers}. Of one frame, since what
     * frames wait for in each other is tested by itself; what is declared beyond uses of memory nobody can know.
     */
    @ParameterizedTest
    @CsvSource({"1,1,0", "2,1,1"})
    void nothingIsInVain(int graphics, int compute, int copy) {
        QueueCounts queues = new QueueCounts(graphics, compute, copy);
        int waits = 0;
        int barriers = 0;
        for (long seed = 0; seed < SEARCHED; seed++) {
            try (ModelRun run = new ModelRun(queues, 7, UnneededSync.Search.WHOLE)) {
                PlanCase random = byUsesAlone(RandomCases.runnable(seed, run.queues()));
                FramePlan plan = random.compile();
                waits += plan.waitCount();
                barriers += plan.barrierCount();
                NeedlessBarriers needless = new NeedlessBarriers(plan);
                assertThat(run.failure(random, 1)).isNull();
                assertThat(run.unneeded())
                        .filteredOn(unneeded -> unneeded.submission().startsWith("random"))
                        .filteredOn(unneeded -> unneeded.kind() == UnneededSync.Kind.WAIT
                                ? isOf(plan, unneeded)
                                : !needless.contains(unneeded))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }
        assertThat(waits).isGreaterThan(SEARCHED / 2);
        assertThat(barriers).isGreaterThan(5 * SEARCHED);
    }

    /** Whether the plan asks for a wait, and not the frame's place behind what was executed before. */
    private static boolean isOf(FramePlan plan, UnneededSync wait) {
        return plan.batches().get(NeedlessBarriers.batch(wait)).waits().stream()
                .map(each -> plan.queues()
                        .queues()
                        .get(plan.batches().get(each.batch()).queue())
                        .name())
                .anyMatch(queue -> wait.what().equals("the wait for queue '" + queue + "'"));
    }

    private static PlanCase byUsesAlone(PlanCase random) {
        GraphModel model = SerialOrder.of(random.model(), random.options().order());
        for (int p = 0; p < model.passes().size(); p++) {
            GraphModel.Pass pass = model.passes().get(p);
            Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
            flags.addAll(pass.flags());
            flags.remove(PassFlag.UNTRACKED_ACCESS);
            // What a pass that is left out asks for serves nothing in that frame.
            Boolean condition = pass.condition() == null ? null : (Boolean) true;
            model = model.with(p, pass.with(flags).after(List.of()).onlyIf(condition));
        }
        // Exact waits of nodes that carry nothing but barriers hold back all stages, which may be more than these need.
        return random.of(model)
                .with(random.options()
                        .withOrder(PassOrder.DECLARED)
                        .withOverlapStorageWrites(true)
                        .withPolicy(random.options().policy().withWaitStageScope(WaitStageScope.ALL)));
    }
}
