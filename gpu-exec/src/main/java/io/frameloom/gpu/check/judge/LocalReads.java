package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges passes that read attachments which they write: draws that read come after draws that write, with a barrier
 * between the two, inside of the pass. Stateless.
 */
final class LocalReads {
    private LocalReads() {}

    /** Returns the use of a pass that writes the attachment which another one of its uses reads, null if there is none. */
    static ResourceUse.@Nullable OfTexture writerOf(SubmissionRecord.Pass pass, ResourceUse use) {
        if (use.access() == Access.INPUT_ATTACHMENT && use instanceof ResourceUse.OfTexture read) {
            for (ResourceUse other : pass.uses()) {
                if (other instanceof ResourceUse.OfTexture written
                        && written.access().writes()
                        && written.resource() == read.resource()
                        && written.range().overlaps(read.range())) {
                    return written;
                }
            }
        }
        return null;
    }

    /** Reports the reads of a pass that no barrier inside of it lets see what the pass has written. */
    static void check(Submitted at, SubmissionRecord.Pass pass, HazardSink report) {
        for (ResourceUse use : pass.uses()) {
            ResourceUse.OfTexture writer = writerOf(pass, use);
            if (writer == null || isOrdered(at, (ResourceUse.OfTexture) use, writer)) {
                continue;
            }
            Access read = use.access();
            report.add(
                    Found.of(Hazard.Kind.READ_AFTER_WRITE, use.resource(), pass.name(), pass.name()),
                    () -> "pass '" + pass.name() + "' reads '" + use.resource().name() + "' as " + read
                            + ", which it writes as " + writer.access() + ", but no barrier inside of its render pass"
                            + " makes the one see the other; add one from "
                            + PipelineStage.describe(writer.access().stages()) + " / "
                            + MemoryAccess.describe(
                                    MemoryAccess.writesOf(writer.access().memoryAccess()))
                            + " to " + PipelineStage.describe(read.stages()) + " / "
                            + MemoryAccess.describe(read.memoryAccess()) + " before the draws that read");
        }
    }

    /** Looks at the barriers up to the end of the pass, each of which its rest follows. */
    private static boolean isOrdered(Submitted at, ResourceUse.OfTexture read, ResourceUse.OfTexture written) {
        List<SubmissionRecord.Command> commands = at.record().commands();
        for (int i = at.index() + 1; i + 1 < commands.size(); i++) {
            if (commands.get(i) instanceof SubmissionRecord.Pass pass && !pass.continued()) {
                return false;
            }
            if (commands.get(i) instanceof SubmissionRecord.Barrier barrier
                    && commands.get(i + 1) instanceof SubmissionRecord.Pass rest
                    && rest.continued()
                    && barrier.batch().textures().stream().anyMatch(one -> orders(one, read, written))) {
                return true;
            }
        }
        return false;
    }

    private static boolean orders(
            BarrierBatch.TextureBarrier barrier, ResourceUse.OfTexture read, ResourceUse.OfTexture written) {
        BarrierBatch.Scope scope = barrier.scope();
        Access write = written.access();
        return barrier.texture() == read.resource()
                && barrier.range().contains(read.range())
                && (write.stages() & ~scope.srcStages()) == 0
                && MemoryAccess.covers(scope.srcAccess(), MemoryAccess.writesOf(write.memoryAccess()))
                && (read.access().stages() & ~scope.dstStages()) == 0
                && MemoryAccess.covers(scope.dstAccess(), read.access().memoryAccess());
    }
}
