package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.virtual.memory.Mix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recorded command of the virtual device. */
sealed interface Op {
    /**
     * Begin of a pass.
     *
     * @param mark that of the begin, and that of the end is the next; {@link PassBegin#NO_MARK} in secondary lists
     */
    record PassBegin(String name, List<ResourceUse> uses, int mark) implements Op {
        /** Nobody reads the marks of secondary lists. */
        static final int NO_MARK = 0;
    }

    record PassEnd() implements Op {
        static final PassEnd LAST = new PassEnd();
    }

    /** Barriers. */
    record Barriers(BarrierBatch batch) implements Op {}

    /** The first half of a split barrier. */
    record SetEvent(VirtualDeviceEventSet events, int index, BarrierBatch batch) implements Op {}

    /** The second half of a split barrier. */
    record WaitEvent(VirtualDeviceEventSet events, int index, BarrierBatch batch) implements Op {}

    /**
     * All draws of one render pass together: how many, and a digest of what they were.
     *
     * @param clears clears of attachments, in order; they are in the digest as well
     * @param conditional further draws and the clears which conditions decide about
     */
    record Render(
            RenderingInfo info,
            long draws,
            long vertices,
            long digest,
            List<Runnable> clears,
            List<ConditionalDraw> conditional)
            implements Op {
        public Render {
            clears = List.copyOf(clears);
            conditional = List.copyOf(conditional);
        }

        /** Returns the draws that are done, once all conditions are read. */
        Render settled() {
            if (conditional.isEmpty()) {
                return this;
            }
            long number = draws;
            long what = digest;
            for (ConditionalDraw draw : conditional) {
                if (draw.condition().holds()) {
                    number += draw.draws();
                    what = Mix.mix(what, draw.digest());
                }
            }
            return new Render(info, number, vertices, what, clears, List.of());
        }
    }

    /** A draw under a condition, or a clear, which is none. */
    record ConditionalDraw(Condition condition, long draws, long vertices, long digest) {}

    /** The read of a condition, before what it decides about. */
    record ReadCondition(Condition condition) implements Op {}

    /**
     * A dispatch or trace with everything bound to it.
     *
     * @param groups where the numbers of workgroups or rays are read from, or null if they are known
     * @param table the records of a trace, null for a dispatch
     */
    record Dispatch(
            VirtualPipeline pipeline,
            DispatchArguments arguments,
            @Nullable Groups groups,
            BoundResource.@Nullable BufferRange table)
            implements Op {
        String what() {
            return table == null ? "dispatch" : "trace";
        }

        int stage() {
            return (table == null ? PipelineStage.COMPUTE_SHADER : PipelineStage.RAY_TRACING_SHADER).bit();
        }

        boolean isDone() {
            Condition condition = arguments.condition();
            return condition == null || condition.holds();
        }
    }

    /** Numbers of workgroups or rays in a buffer. */
    record Groups(VirtualBuffer buffer, long offset) {}

    /**
     * A copy, blit, resolve, fill or clear, or the build or copy of an acceleration structure.
     *
     * @param what kind of command, for listeners
     * @param stage bit of the stage that does it
     * @param cost nanoseconds
     */
    record Transfer(String what, int stage, long cost, WorkNode.Action action) implements Op {}

    record Query(VirtualQuerySet set, int index) implements Op {}

    record Timestamp(VirtualTimestampSet set, int index) implements Op {}
}
