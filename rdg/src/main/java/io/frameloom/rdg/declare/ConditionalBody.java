package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a pass that a frame may leave out. Since it may be left out, it discards nothing. Its writes keep what
 * was there, its render targets are loaded, and commands clear those that are to be cleared.
 */
public final class ConditionalBody implements ConditionalPass {
    private final BooleanSupplier condition;
    private final List<DeclaredGraph.Attachment> attachments;
    private final int left;
    private final int top;
    private final PassBody body;

    /** A body; {@code attachments} and the render area, null for all of them, as declared. */
    public ConditionalBody(
            BooleanSupplier condition,
            List<DeclaredGraph.Attachment> attachments,
            DeclaredGraph.@Nullable Area area,
            PassBody body) {
        this(condition, List.copyOf(attachments), area == null ? 0 : area.x(), area == null ? 0 : area.y(), body);
    }

    private ConditionalBody(
            BooleanSupplier condition, List<DeclaredGraph.Attachment> attachments, int left, int top, PassBody body) {
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

    @Override
    public void record(PassContext context) {
        clearTargets(context);
        body.record(context);
    }

    private void clearTargets(PassContext context) {
        int slot = 0;
        for (int i = 0; i < attachments.size(); i++) {
            DeclaredGraph.Attachment attachment = attachments.get(i);
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

    /** Returns the uses of a pass that may be left out. */
    static List<DeclaredGraph.Use> keeping(List<DeclaredGraph.Use> uses) {
        List<DeclaredGraph.Use> result = new ArrayList<>(uses.size());
        for (DeclaredGraph.Use use : uses) {
            result.add(use.mode() == Mode.OVERWRITE ? keeping(use, Mode.OVERWRITE_IF_RUN) : use);
        }
        return result;
    }

    /** Returns a use that overwrites as one that keeps what is there. */
    public static DeclaredGraph.Use keeping(DeclaredGraph.Use use, Mode mode) {
        return use.with(use.attachment() ? loaded(use.access()) : use.access(), mode);
    }

    /** Returns the attachments of a pass that may be left out. */
    public static List<DeclaredGraph.Attachment> loading(List<DeclaredGraph.Attachment> attachments) {
        List<DeclaredGraph.Attachment> result = new ArrayList<>(attachments.size());
        for (DeclaredGraph.Attachment attachment : attachments) {
            result.add(attachment.loading());
        }
        return result;
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
