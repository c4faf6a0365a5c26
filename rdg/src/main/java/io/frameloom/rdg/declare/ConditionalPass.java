package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a pass that a frame leaves out where a condition does not hold; the body itself does not ask. Since it
 * may be left out, it discards nothing. Its writes keep what was there, its render targets are loaded, and commands
 * clear those that are to be cleared.
 *
 * @param condition passes with the same object are left out together
 * @param attachments what its commands clear, of what was declared
 * @param area render area, or null for all of the attachments
 * @param commands what the pass does if the condition holds
 */
public record ConditionalPass(
        BooleanSupplier condition,
        List<Attachment> attachments,
        @Nullable Area area,
        PassBody commands) implements PassBody {
    public ConditionalPass {
        attachments = List.copyOf(attachments);
    }

    /** Returns the same body with another condition. */
    public ConditionalPass onlyIf(BooleanSupplier other) {
        return new ConditionalPass(other, attachments, area, commands);
    }

    /** Returns the same body for a pass that begins its render passes itself, and so clears its targets itself. */
    ConditionalPass withoutTargets() {
        return new ConditionalPass(condition, List.of(), area, commands);
    }

    @Override
    public void record(PassContext context) {
        clearTargets(context);
        commands.record(context);
    }

    private void clearTargets(PassContext context) {
        int left = area == null ? 0 : area.x();
        int top = area == null ? 0 : area.y();
        int slot = 0;
        for (int i = 0; i < attachments.size(); i++) {
            Attachment attachment = attachments.get(i);
            if (attachment.load() == LoadOp.CLEAR) {
                CommandList list = context.commands();
                int width = context.width();
                int height = context.height();
                switch (attachment.aspect()) {
                    case COLOR -> list.clearColorAttachment(slot, attachment.clear(), left, top, width, height);
                    case DEPTH ->
                        list.clearDepthStencilAttachment(
                                true, attachment.clearDepth(), false, 0, left, top, width, height);
                    case STENCIL ->
                        list.clearDepthStencilAttachment(
                                false, 0, true, attachment.clearStencil(), left, top, width, height);
                }
            }
            slot += attachment.aspect() == Aspect.COLOR ? 1 : 0;
        }
    }

    /** Lets a pass that may be left out discard nothing, and keeps the memory of what it writes to itself. */
    static void keep(DeclaredGraph graph, int pass) {
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if (graph.mode(use) == Mode.OVERWRITE) {
                keep(graph, use, Mode.OVERWRITE_IF_RUN);
            }
            if (graph.resource(use) >= 0 && graph.access(use).writes()) {
                // What was there before would be another's.
                graph.keepApart(graph.resource(use));
            }
        }
    }

    /** Makes of a use that overwrites one that keeps what is there. */
    public static void keep(DeclaredGraph graph, int use, Mode mode) {
        Access access = graph.access(use);
        graph.setAccess(use, graph.isAttachment(use) ? loaded(access) : access, mode);
    }

    private static Access loaded(Access access) {
        return switch (access) {
            case COLOR_WRITE -> Access.COLOR_READ_WRITE;
            case DEPTH_WRITE -> Access.DEPTH_READ_WRITE;
            case STENCIL_WRITE -> Access.STENCIL_READ_WRITE;
            default -> access;
        };
    }
}
