package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What decided about a plan and stands nowhere else in it, kept so that a dump gives the same plan again. Most graphs have
 * little of it. Immutable; any thread.
 */
public final class DumpedDeclaration {
    private final Map<Integer, List<Integer>> after = new TreeMap<>();
    private final Map<Integer, Integer> queues = new TreeMap<>();
    private final Map<Integer, Access> finalAccess = new TreeMap<>();
    private final Set<Integer> exclusive = new TreeSet<>();
    private final Set<Integer> discardedAfter = new TreeSet<>();
    private final long[] alignment;
    private final int[] memoryTypes;

    DumpedDeclaration(DeclaredGraph graph, Aliasing aliasing) {
        for (DeclaredGraph.Pass pass : graph.passes()) {
            if (!pass.after().isEmpty()) {
                after.put(pass.index(), pass.after());
            }
            if (pass.queue() >= 0) {
                queues.put(pass.index(), pass.queue());
            }
        }
        for (DeclaredGraph.Declared resource : graph.resources()) {
            if (resource.finalAccess() != null) {
                finalAccess.put(resource.index(), resource.finalAccess());
            }
            if (resource.sharing().exclusive()) {
                exclusive.add(resource.index());
            }
            if (resource.discardedAfter()) {
                discardedAfter.add(resource.index());
            }
        }
        alignment = aliasing.alignment;
        memoryTypes = aliasing.memoryTypes;
    }

    /** Returns the passes that each pass was declared to come after. */
    public Map<Integer, List<Integer>> after() {
        return after;
    }

    /** Returns the queue that a pass names, or -1. */
    public int queue(int pass) {
        return queues.getOrDefault(pass, -1);
    }

    /** Returns the access that a resource is left ready for, or null for any. */
    public @Nullable Access finalAccess(int resource) {
        return finalAccess.get(resource);
    }

    /** Returns whether a resource belongs to one queue family at a time. */
    public boolean isExclusive(int resource) {
        return exclusive.contains(resource);
    }

    /** Returns whether nobody needs the contents of a resource after the frame, though it is not of the frame alone. */
    public boolean isDiscardedAfter(int resource) {
        return discardedAfter.contains(resource);
    }

    /** Returns the alignment of a resource that is in a heap. */
    public long alignment(int resource) {
        return alignment[resource];
    }

    /** Returns the memory types that a resource in a heap could be in. */
    public int memoryTypes(int resource) {
        return memoryTypes[resource];
    }
}
