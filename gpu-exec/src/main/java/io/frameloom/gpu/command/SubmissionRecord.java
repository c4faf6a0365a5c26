package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted, for a {@link SubmissionObserver}: enough to judge it without the compiler that made it.
 *
 * @param value timeline value it reaches
 * @param commands passes, barriers and what passes leave undefined, of all lists, in order
 * @param signalStages mask of the stages after which the value is reached; if they are not ALL_COMMANDS, the next value
 *     is reached when everything is done
 * @param acquires swapchain images whose acquisition it waits for
 * @param presents swapchain images that may be presented when everything is done
 * @param externalWaits points of external semaphores that it waits for
 * @param externalSignals points of external semaphores that it signals
 */
public record SubmissionRecord(
        GpuQueue queue,
        String label,
        List<Submission.Wait> waits,
        long value,
        List<Command> commands,
        int signalStages,
        List<Submission.Acquire> acquires,
        List<AcquiredImage> presents,
        List<ExternalPoint> externalWaits,
        List<ExternalPoint> externalSignals) {

    /** As this, with other waits and commands. */
    public SubmissionRecord with(List<Submission.Wait> otherWaits, List<Command> otherCommands) {
        return new SubmissionRecord(
                queue,
                label,
                otherWaits,
                value,
                otherCommands,
                signalStages,
                acquires,
                presents,
                externalWaits,
                externalSignals);
    }

    /** A recorded command that matters for synchronisation. */
    public sealed interface Command {}

    /**
     * A pass with its declared uses. A barrier inside of a pass cuts it: the part after the barrier is recorded as the
     * same pass, continued, with all its uses again.
     *
     * @param continued whether this is the rest of the last pass, after the barrier before this
     * @param cleared the parts that the pass clears when it begins to render to them; it does not read these, whatever
     *     its uses say
     */
    public record Pass(String name, List<ResourceUse> uses, boolean continued, List<Cleared> cleared)
            implements Command {
        /** A pass from its begin on that clears nothing. */
        public Pass(String name, List<ResourceUse> uses) {
            this(name, uses, false, List.of());
        }
    }

    /**
     * A part of a texture that the load operation of a render pass clears.
     *
     * @param range what is attached; all that is rendered to is cleared
     */
    public record Cleared(Texture texture, SubresourceRange range) {}

    /**
     * A use of a resource by commands of a pass that does not declare it, or outside of passes. But for reads it cannot
     * be judged, since nothing declares it. Each resource is there once for a pass and once between passes, and a
     * buffer once for each part that the pass reads in some way.
     *
     * @param pass name of the pass, null if the commands are in none
     * @param use use by a command that contradicts the pass's declaration, null if the pass declares nothing
     * @param read what a command of a pass reads of a buffer, null for all other uses
     */
    public record Undeclared(
            @Nullable String pass,
            Resource resource,
            @Nullable String use,
            ResourceUse.@Nullable OfBuffer read) implements Command {
        /** A use of a resource without any declaration. */
        public Undeclared(@Nullable String pass, Resource resource) {
            this(pass, resource, null, null);
        }
    }

    /**
     * A dispatch whose kernel may take any slot of a bindless table; which ones is known when it runs: {@link
     * SubmissionObserver#taken}. On the virtual GPU only, where this is known.
     *
     * @param pass name of the pass, null if the command is in none
     * @param uses what the pass declares
     */
    public record TableUse(@Nullable String pass, List<ResourceUse> uses, TableContents contents) implements Command {}

    /** What a dispatch finds in its bindless table; each dispatch has an object of its own. */
    public interface TableContents {
        /** Returns the debug name of the table. */
        String table();

        /** Returns reads of what the open slots have now, of the arrays that the shader has. */
        List<ResourceUse> reads();
    }

    /**
     * A part that a pass writes but leaves undefined, by the store or load operation of a render pass. Comes after the
     * pass in the order of commands.
     *
     * @param pass name of the pass
     */
    public record Undefined(String pass, Texture texture, SubresourceRange range) implements Command {}

    /**
     * A part whose contents no queue needs any more. From here on it belongs to the family of the queue. That
     * accesses nothing.
     *
     * @param use what a pass that does not run would have discarded
     */
    public record Discard(ResourceUse use) implements Command {}

    /**
     * A level of a sparse texture that gets memory or loses it, after all that the queue was given before and before all
     * that it is given later.
     *
     * @param texture texture
     * @param range the levels
     * @param isResident whether they have memory from now on
     */
    public record Bind(Texture texture, SubresourceRange range, boolean isResident) implements Command {}

    /** A barrier. */
    public record Barrier(BarrierBatch batch) implements Command {}

    /** The first half of a split barrier. */
    public record SetEvent(DeviceEventSet events, int index, BarrierBatch batch) implements Command {}

    /**
     * The second half of a split barrier.
     *
     * @param batch barriers, those of the first half
     */
    public record WaitEvent(DeviceEventSet events, int index, BarrierBatch batch) implements Command {}
}
