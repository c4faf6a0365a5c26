package io.frameloom.rdg.insert;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What captures change about the memory of transients: the same graph with and without them, compared. */
public final class CaptureMemory {
    private static final int MOST_NAMED = 3;

    private final CompiledPlan without;
    private final CompiledPlan with;

    private CaptureMemory(CompiledPlan without, CompiledPlan with) {
        this.without = without;
        this.with = with;
    }

    /**
     * Returns a warning for each captured texture that lies elsewhere, or shares its memory with others. If only other
     * transients do, there is one for the first capture; none if nothing has changed.
     *
     * @param without plan of the graph without captures, all of whose resources come first in the other plan
     * @param textures indices of the captured textures
     */
    public static List<PlanWarning> compare(CompiledPlan without, CompiledPlan with, List<Integer> textures) {
        return new CaptureMemory(without, with).warnings(textures);
    }

    private List<PlanWarning> warnings(List<Integer> textures) {
        long moved = without.resources().stream()
                .filter(resource -> isMoved(resource.index()))
                .count();
        List<Integer> changed = textures.stream()
                .distinct()
                .filter(texture ->
                        isMoved(texture) || !sharers(without, texture).equals(sharers(with, texture)))
                .toList();
        if (changed.isEmpty() && moved > 0) {
            changed = textures.subList(0, 1);
        }
        return changed.stream().map(texture -> warning(texture, moved)).toList();
    }

    private boolean isMoved(int index) {
        ResourcePlan before = without.resources().get(index);
        ResourcePlan now = with.resources().get(index);
        return before.heap() != now.heap()
                || before.offset() != now.offset()
                || before.bytes() != now.bytes()
                || before.lazy() != now.lazy();
    }

    private PlanWarning warning(int texture, long moved) {
        String name = with.resources().get(texture).name();
        String before = memory(without, texture);
        String now = memory(with, texture);
        long others = moved - (isMoved(texture) ? 1 : 0);
        return new PlanWarning(
                PlanWarning.Code.CAPTURE_MOVES_MEMORY,
                name,
                "capturing '" + name + "' changes where transients lie: it has " + now
                        + (now.equals(before) ? " as without" : ", without captures " + before) + ", "
                        + (others == 1 ? "1 other lies" : others + " others lie") + " elsewhere, and heaps take "
                        + bytes(with.heapBytes()) + " in place of " + bytes(without.heapBytes())
                        + "; frameloom.rdg.captureAliasing=false shows it without shared memory",
                with.siteOfResource(texture));
    }

    private static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d bytes", count);
    }

    private static String memory(FramePlan plan, int index) {
        ResourcePlan resource = plan.resources().get(index);
        List<String> sharers = sharers(plan, index).stream()
                .map(other -> "'" + plan.resources().get(other).name() + "'")
                .toList();
        if (resource.lazy()) {
            return "lazily allocated memory";
        }
        if (sharers.isEmpty()) {
            return "memory of its own";
        }
        int unnamed = sharers.size() - MOST_NAMED;
        return "memory of "
                + String.join(
                        ", ",
                        Stream.concat(
                                        sharers.stream().limit(MOST_NAMED),
                                        unnamed > 0 ? Stream.of(unnamed + " more") : Stream.empty())
                                .toList());
    }

    private static List<Integer> sharers(FramePlan plan, int index) {
        ResourcePlan one = plan.resources().get(index);
        List<Integer> found = new ArrayList<>();
        for (ResourcePlan other : plan.resources()) {
            if (other.index() != index
                    && one.heap() >= 0
                    && other.heap() == one.heap()
                    && other.offset() < one.offset() + one.bytes()
                    && one.offset() < other.offset() + other.bytes()) {
                found.add(other.index());
            }
        }
        return found;
    }
}
