package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanUses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the writes of a plan that come first to bytes of the frame's own buffers, among buffers that belong to one
 * queue family at a time. The frame before may have left these to another family. That hands nothing over, since there
 * are no contents. So the write discards them, whatever the pass says. For textures the change of layout from UNDEFINED
 * does.
 */
final class FirstWrites {
    /** By buffer what passes use, in the order of the passes. */
    private final Map<Integer, List<Touch>> touches = new HashMap<>();

    FirstWrites(CompiledPlan plan, @Nullable Resource[] resources) {
        for (int r = 0; r < resources.length; r++) {
            Lifetime lifetime = plan.resources().get(r).lifetime();
            if ((lifetime == Lifetime.TRANSIENT || lifetime == Lifetime.EXTRACTED)
                    && resources[r] instanceof Buffer buffer
                    && buffer.isExclusive()) {
                touches.put(r, new ArrayList<>());
            }
        }
        if (touches.isEmpty()) {
            return;
        }
        PlanUses uses = plan.structure().arrays().uses();
        for (FramePlan.PassPlan pass : plan.passes()) {
            for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
                List<Touch> known = touches.get(uses.resource(use));
                if (known != null && !pass.culled()) {
                    known.add(new Touch(pass.index(), uses.offset(use), uses.offset(use) + uses.bytes(use)));
                }
            }
        }
    }

    /** Bytes of a buffer that a pass uses. */
    private record Touch(int pass, long from, long to) {}

    /** Adds a use of a buffer, in several parts if it writes what was used before and what was not. */
    void split(FramePlan.PassPlan pass, int resource, ResourceUse.OfBuffer use, List<ResourceUse> uses) {
        List<Touch> known = touches.get(resource);
        if (known == null || use.discard() || !isPlainWrite(use)) {
            uses.add(use);
            return;
        }
        addParts(pass, known, use, uses);
    }

    /**
     * Adds the parts of a use that are written first by a pass that may be left out. Its queue takes them even then,
     * since the plan's later barriers and transfers are those of its family.
     */
    void splitLeftOut(FramePlan.PassPlan pass, int resource, ResourceUse.OfBuffer use, List<ResourceUse> taken) {
        List<Touch> known = touches.get(resource);
        if (known != null && (use.discard() || isPlainWrite(use))) {
            List<ResourceUse> parts = new ArrayList<>();
            addParts(pass, known, use, parts);
            parts.stream().filter(ResourceUse::discard).forEach(taken::add);
        }
    }

    private static boolean isPlainWrite(ResourceUse.OfBuffer use) {
        return use.access().writes() && !use.access().reads();
    }

    private static void addParts(
            FramePlan.PassPlan pass, List<Touch> known, ResourceUse.OfBuffer use, List<ResourceUse> uses) {
        long end = use.offset() + use.bytes();
        for (long from = use.offset(); from < end; ) {
            boolean first = true;
            long to = end;
            for (Touch touch : known) {
                if (touch.pass >= pass.index()) {
                    break;
                }
                if (touch.from <= from && from < touch.to) {
                    first = false;
                }
                to = touch.from > from ? Math.min(to, touch.from) : touch.to > from ? Math.min(to, touch.to) : to;
            }
            uses.add(
                    new ResourceUse.OfBuffer(use.resource(), from, to - from, use.access(), first, use.overlapGroup()));
            from = to;
        }
    }
}
