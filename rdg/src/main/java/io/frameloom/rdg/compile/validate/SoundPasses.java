package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.EnumSet;
import java.util.Set;

/**
 * Finds by one quick look that nothing is wrong with a pass. No wrong pass gets through; a sound one that is out of the
 * ordinary may not, and is checked in full. The look is not taken while declaring: a frame like the last one would pay
 * for it each time, and is never compiled.
 */
@SuppressWarnings("EnumOrdinal") // tables by kind and flag
final class SoundPasses {
    private static final PassKind[] KINDS = PassKind.values();
    /** By kind of pass the flags that take a closer look. */
    private static final int[] SUSPECT = suspectFlags();

    private final DeclaredGraph graph;
    private final boolean declaredOrder;
    /** By kind whether the first queue does such passes, none of which are of the host. */
    private final boolean[] ordinary = new boolean[KINDS.length];

    private final int mostColors;

    SoundPasses(DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors) {
        this.graph = graph;
        this.declaredOrder = order == PassOrder.DECLARED;
        this.mostColors = mostColors;
        QueueKind firstQueue = queues.queues().get(0).kind();
        for (PassKind kind : KINDS) {
            ordinary[kind.ordinal()] = kind != PassKind.HOST && firstQueue.supports(kind.queue());
        }
    }

    private static int suspectFlags(PassKind kind) {
        Set<PassFlag> flags = EnumSet.of(PassFlag.UNTRACKED_ACCESS, PassFlag.SKIP_RENDER_PASS);
        if (kind == PassKind.RASTER) {
            flags.add(PassFlag.ASYNC_COMPUTE);
        } else {
            flags.add(PassFlag.MULTIVIEW);
        }
        if (kind != PassKind.COPY) {
            flags.add(PassFlag.ASYNC_COPY);
            flags.add(PassFlag.READBACK);
        }
        int mask = 0;
        for (PassFlag flag : flags) {
            mask |= 1 << flag.ordinal();
        }
        return mask;
    }

    private static int[] suspectFlags() {
        int[] masks = new int[KINDS.length];
        for (PassKind kind : KINDS) {
            masks[kind.ordinal()] = suspectFlags(kind);
        }
        return masks;
    }

    boolean mayBeWrong(int pass) {
        PassKind kind = graph.kind(pass);
        return !ordinary[kind.ordinal()]
                || !graph.hasBody(pass)
                || graph.queue(pass) >= 0
                || (graph.flagMask(pass) & SUSPECT[kind.ordinal()]) != 0
                || (declaredOrder && !comesAfterEarlier(pass))
                || !hasSoundUses(pass, kind)
                || (kind == PassKind.RASTER && !hasSoundTargets(pass));
    }

    private boolean comesAfterEarlier(int pass) {
        for (int at = graph.firstAfter(pass), end = graph.firstAfter(pass + 1); at < end; at++) {
            if (graph.after(at) >= pass) {
                return false;
            }
        }
        return true;
    }

    private boolean hasSoundUses(int pass, PassKind kind) {
        int ofPass = SoundUses.of(kind, graph.has(pass, PassFlag.ASYNC_COMPUTE));
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            // Each has its attachment, which takes a closer look.
            if (graph.access(use) == Access.INPUT_ATTACHMENT
                    || graph.isOutside(use)
                    || !SoundUses.contains(ofPass, graph, use)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a pass has plain targets of one size, different textures of which one at most is depth. */
    private boolean hasSoundTargets(int pass) {
        int begin = graph.firstAttachment(pass);
        int end = graph.firstAttachment(pass + 1);
        if (begin == end || end - begin > mostColors || graph.area(pass) != null) {
            return false;
        }
        if (end - begin == 1 && graph.hasPlainTargets(pass)) {
            return true;
        }
        for (int a = begin; a < end; a++) {
            Attachment one = graph.attachment(a);
            if (!isPlain(pass, one)) {
                return false;
            }
            for (int b = begin; b < a; b++) {
                if (!areAlike(pass, graph.attachment(b), one)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether a target, whose use is sound, is one mip of colour or depth that is not resolved. */
    private boolean isPlain(int pass, Attachment one) {
        if (one.resolve() >= 0 || one.slices() != null) {
            return false;
        }
        int use = graph.useOf(pass, one);
        int resource = graph.resource(use);
        if (one.aspect() == Aspect.COLOR && graph.isSingle(resource)) {
            return true;
        }
        TextureDescription texture = graph.texture(resource);
        SubresourceRange range = graph.range(use);
        return texture != null
                && texture.kind() != TextureKind.THREE_D
                && range != null
                && range.mipCount() == 1
                && (one.aspect() == Aspect.COLOR
                        || (one.aspect() == Aspect.DEPTH && texture.format().hasDepth()));
    }

    private boolean areAlike(int pass, Attachment a, Attachment b) {
        int one = graph.useOf(pass, a);
        int other = graph.useOf(pass, b);
        TextureDescription first = graph.texture(graph.resource(one));
        TextureDescription second = graph.texture(graph.resource(other));
        SubresourceRange ofFirst = graph.range(one);
        SubresourceRange ofSecond = graph.range(other);
        return graph.resource(one) != graph.resource(other)
                && (a.aspect() == Aspect.COLOR || b.aspect() == Aspect.COLOR)
                && first != null
                && second != null
                && ofFirst != null
                && ofSecond != null
                && first.width(ofFirst.baseMip()) == second.width(ofSecond.baseMip())
                && first.height(ofFirst.baseMip()) == second.height(ofSecond.baseMip())
                && first.samples() == second.samples()
                && ofFirst.layerCount() == ofSecond.layerCount();
    }
}
