package io.frameloom.gpu.internal;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import java.util.List;

/**
 * Parts of the open pass of a command list, for passes of a render graph that share one, what passes leave that do not
 * run, and what every frame records anew. Every command list of a device has them. The thread that records the list.
 */
public interface PassParts {
    /**
     * Begins a part of the open pass, so that what is recorded up to {@link #endPart} is judged by itself: several may
     * share a pass and its render pass.
     *
     * @throws IllegalStateException if no pass is open, or a part
     */
    void beginPart();

    /**
     * Names attachments of the open render pass that the open part leaves as they are, though other parts draw to them:
     * draws and clears that would write them are refused up to its end.
     *
     * @param attachments a bit for each colour, and one after them for depth
     */
    void keep(int attachments);

    /**
     * Ends the part. What it has bound and set is forgotten. The viewport and scissor stay as they are set, so the next
     * part sets them anew.
     *
     * @throws IllegalStateException if it leaves a label open, or is in another render pass than at its begin, or in
     *     none
     */
    void endPart();

    /**
     * Gives what a pass that does not run would have discarded to the family of the list's queue, without contents.
     * Later barriers may then be those of that family. Nothing is recorded for the device: to it, contents that no
     * queue needs belong to the queue that uses them next. A checker must know.
     *
     * @throws IllegalStateException if a pass is open
     */
    void discard(List<ResourceUse> uses);

    /** As {@link CommandList#barrier}; what was checked and encoded before is not again. */
    void barrier(RepeatedCommand<BarrierBatch> barriers);

    /** As {@link CommandList#beginPass}; what was checked before is not again. */
    void beginPass(String name, RepeatedCommand<List<ResourceUse>> uses);

    /** As {@link CommandList#beginRendering}; what was checked and encoded before is not again. */
    void beginRendering(RepeatedCommand<RenderingInfo> rendering);
}
