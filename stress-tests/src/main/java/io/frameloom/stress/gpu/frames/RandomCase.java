package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A sequence of frames that share externals and a history, as plain data.
 *
 * @param seed what it was decided by
 * @param kept what frames share, the first resources of all shapes
 * @param frames the shape of each frame; that of the first gives the externals contents
 * @param compile how they are compiled
 * @param execute how they are executed
 */
record RandomCase(
        long seed, List<Resource> kept, List<GraphShape> frames, RdgOptions compile, FrameExecutorOptions execute) {
    private static final int MOST_PASSES = 28;
    private static final int SHAPES = 2;

    RandomCase {
        kept = List.copyOf(kept);
        frames = List.copyOf(frames);
    }

    /** Decides a case for a device. */
    static RandomCase of(long seed, DeviceTraits traits) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Resource> kept = new ArrayList<>();
        kept.add(new Words(
                "external 0", Life.EXTERNAL, Math.max(16, traits.queues().size()), RandomGraph.sharing(random)));
        if (traits.exclusive()) {
            kept.add(new Words("imported", Life.EXCLUSIVE, 8));
        }
        int buffers = 1 + random.nextInt(2);
        for (int i = 0; i < buffers; i++) {
            kept.add(new Words(
                    "external " + (1 + i), Life.EXTERNAL, 4 + random.nextInt(12), RandomGraph.sharing(random)));
        }
        int textures = 1 + random.nextInt(3);
        for (int i = 0; i < textures; i++) {
            kept.add(RandomGraph.texture(random, traits, "picture " + i, Life.EXTERNAL));
        }
        int history = 1 + random.nextInt(6);
        QueueSharing halves = RandomGraph.sharing(random);
        kept.add(new Words("previous", Life.PREVIOUS, history, halves));
        kept.add(new Words("current", Life.CURRENT, history, halves));
        List<GraphShape> shapes = new ArrayList<>();
        for (int i = 0; i < SHAPES; i++) {
            shapes.add(new RandomGraph(random, traits, kept).graph("graph " + i, 4 + random.nextInt(MOST_PASSES)));
        }
        List<GraphShape> frames = new ArrayList<>();
        frames.add(new RandomGraph(random, traits, kept).first());
        frames.addAll(shapes);
        int more = 2 + random.nextInt(5);
        for (int i = 0; i < more; i++) {
            frames.add(shapes.get(random.nextInt(SHAPES)));
        }
        return new RandomCase(seed, kept, frames, compile(random), execute(random));
    }

    /** Returns how many different graphs there are, without the one that gives the externals contents. */
    int graphs() {
        return SHAPES;
    }

    private static RdgOptions compile(SplittableRandom random) {
        PassSchedule[] schedules = {
            PassSchedule.PROGRAM,
            PassSchedule.random(random.nextLong()),
            PassSchedule.of(PassSchedule.Policy.MEMORY),
            PassSchedule.of(PassSchedule.Policy.OVERLAP),
            PassSchedule.of(PassSchedule.Policy.BATCH)
        };
        RecordingMode[] recordings = RecordingMode.values();
        return RdgOptions.defaults()
                .withAsync(random.nextBoolean() ? AsyncCompute.TAGGED : AsyncCompute.ALL)
                .withAliasing(random.nextInt(4) != 0)
                .withCullPasses(random.nextInt(8) != 0)
                .withMergeRenderPasses(random.nextBoolean())
                .withPassLimits(1, 1 + random.nextInt(8))
                .withPolicy(new PlanPolicy(
                        random.nextBoolean() ? WaitStageScope.ALL : WaitStageScope.EXACT,
                        schedules[random.nextInt(schedules.length)],
                        random.nextBoolean(),
                        random.nextBoolean(),
                        HeapSearch.REUSED))
                .withDiagnostics(RdgDiagnostics.none()
                        .withClobber(random.nextInt(4) == 0 ? Clobber.LARGE : Clobber.OFF)
                        .withRecording(recordings[random.nextInt(recordings.length)]));
    }

    private static FrameExecutorOptions execute(SplittableRandom random) {
        return FrameExecutorOptions.defaults()
                .withFramesInFlight(1 + random.nextInt(3))
                .withCollectTimestamps(random.nextBoolean())
                .withHeapsPerFrame(random.nextInt(4) == 0);
    }
}
