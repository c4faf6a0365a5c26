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
 * The body of a pass that a frame may leave out. Since it may be left out, it discards nothing. Its writes keep what
 * was there, its render targets are loaded, and commands clear those that are to be cleared.
 */
public final class ConditionalBody implements ConditionalPass {
    private final BooleanSupplier condition;
    private final List<Attachment> attachments;
    private final int left;
    private final int top;
    private final PassBody body;

    /** A body; {@code attachments} and the render area, null for all of them, as declared. */
    public ConditionalBody(
            BooleanSupplier condition, List<Attachment> attachments, @Nullable Area area, PassBody body) {
        this(condition, List.copyOf(attachments), area == null ? 0 : area.x(), area == null ? 0 : area.y(), body);
    }

    private ConditionalBody(BooleanSupplier condition, List<Attachment> attachments, int left, int top, PassBody body) {
        this.condition = condition;
        this.attachments = attachments;
        this.left = left;
        this.top = top;
        this.body = body;
    }

    @Override
    public BooleanSupplier condition() {
        return condition;
    }

    @Override
    public PassBody commands() {
        return body;
    }

    /** Returns the same body with another condition. */
    public ConditionalBody onlyIf(BooleanSupplier other) {
        return new ConditionalBody(other, attachments, left, top, body);
    }

    /** Returns the same body for a pass that begins its render passes itself, and so clears its targets itself. */
    ConditionalBody withoutTargets() {
        return new ConditionalBody(condition, List.of(), left, top, body);
    }

    @Override
    public void record(PassContext context) {
        clearTargets(context);
        body.record(context);
    }

    private void clearTargets(PassContext context) {
        int slot = 0;
        for (int i = 0; i < attachments.size(); i++) {
            Attachment attachment = attachments.get(i);
            if (attachment.load() == LoadOp.CLEAR) {
                CommandList commands = context.commands();
                int width = context.width();
                int height = context.height();
                switch (attachment.aspect()) {
                    case COLOR -> commands.clearColorAttachment(slot, attachment.clear(), left, top, width, height);
                    case DEPTH ->
                        commands.clearDepthStencilAttachment(
                                true, attachment.clearDepth(), false, 0, left, top, width, height);
                    case STENCIL ->
                        commands.clearDepthStencilAttachment(
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
