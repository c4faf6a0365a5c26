package io.frameloom.rdg.compile;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.compile.plan.PlanStructure;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches of serialise mode. Each recording group, which is then one pass, is a submission after the one before.
 */
final class SerialBatches {
    private static final Reason WHY = Reason.of(() -> "serialise mode");

    private final List<Batch> batches = new ArrayList<>();
    private final List<RecordingGroup> groups = new ArrayList<>();

    private SerialBatches(List<Batch> planned, List<RecordingGroup> recording) {
        for (RecordingGroup group : recording) {
            int index = batches.size();
            int queue = planned.get(group.batch()).queue();
            batches.add(new Batch(index, queue, group.passes(), waits(index, queue), index + 1 < recording.size()));
            groups.add(new RecordingGroup(index, index, group.passes(), group.serial()));
        }
    }

    /** Returns a plan with these batches in place of its own. */
    static PlanStructure serialised(PlanStructure structure) {
        return structure.with(parts -> {
            SerialBatches serial = new SerialBatches(parts.batches(), parts.recordingGroups());
            return new PlanStructure.Parts(
                    parts.passes(),
                    parts.resources(),
                    serial.batches,
                    serial.groups,
                    parts.heaps(),
                    parts.renderPasses(),
                    parts.physicalPasses(),
                    parts.scopes(),
                    parts.transientBytesWithoutAliasing());
        });
    }

    private List<BatchWait> waits(int index, int queue) {
        return index == 0 || batches.get(index - 1).queue() == queue
                ? List.of()
                : List.of(new BatchWait(index - 1, PipelineStage.ALL_COMMANDS.bit(), WHY));
    }
}
