package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import java.util.List;

/**
 * What a plan does with memory that other frames use as well: the uses that former frames may have to come before, and
 * those that later ones must come after. Immutable, shared by all frames that repeat the plan.
 *
 * @param memories identities of the memory, which touches and exits name by position
 * @param touches by recording group what may conflict with former frames, in order of the passes
 * @param exits the last uses of each piece of memory
 * @param taken what is written after all former uses, which can then be forgotten
 * @param untracked whether a pass does what it does not declare
 */
public record PlanTouches(
        List<Object> memories, List<List<Touch>> touches, List<Exit> exits, List<Taken> taken, boolean untracked) {
    /**
     * A use, or a change of layout or owner, that its own frame does not order after former frames.
     *
     * @param pass index of the pass, or of the one that begins its render pass: a barrier before it comes before the
     *     use
     * @param stages mask of the stages that must wait
     * @param access mask of the accesses that must see what was written
     * @param write whether it also conflicts with former reads
     */
    public record Touch(int memory, Piece piece, int pass, int stages, int access, boolean write) {}

    /**
     * A last use.
     *
     * @param batch index of the newest batch with such a use
     * @param stages mask of the stages that use it
     * @param writes mask of the writes that are not available yet
     * @param write whether later reads must come after it as well
     * @param orderedStages mask of the stages that already come after it on its queue
     * @param visibleAccess mask of the accesses that what it wrote is visible to already
     */
    public record Exit(
            int memory,
            Piece piece,
            int batch,
            int stages,
            int writes,
            boolean write,
            int orderedStages,
            int visibleAccess) {}

    /** Memory that the frame has written as a whole. */
    public record Taken(int memory, Piece piece) {}

    private record Handle(boolean texture, long handle) {}

    /** Returns what stands for the memory of a resource: resources with equal ones may share bytes, others do not. */
    public static Object identity(Resource resource) {
        Resource.Placement placement = resource.placement();
        if (placement != null) {
            return placement.heap();
        }
        long handle = resource.nativeHandle();
        return handle != 0 ? new Handle(resource instanceof Texture, handle) : resource;
    }
}
