package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declared passes, read once. Nothing that is bound to them for one frame is here, so a plan may keep it. The uses
 * of all passes lie one after the other. A plan must not show the names of resources in them, since its graph may have
 * other names. Immutable; any thread.
 */
public final class KnownPasses {
    public final PassKind[] kind;
    public final Set<PassFlag>[] flags;
    public final List<DeclaredGraph.Attachment>[] attachments;
    /** Passes that each must come after; of no pass unless one has any. */
    private final @Nullable List<Integer>[] after;
    /** Queues that passes name, -1 for those that do not; of no pass unless one does. */
    private final int[] queue;
    /** Render areas; of no pass unless one has one. */
    private final DeclaredGraph.@Nullable Area[] area;
    /** Index of the innermost scope around each pass, or -1. */
    public final int[] scope;
    /** Uses of all passes. */
    public final DeclaredGraph.Use[] use;
    /** First use of each pass, and the number of uses at the end. */
    public final int[] useBase;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public KnownPasses(DeclaredGraph graph) {
        List<DeclaredGraph.Pass> passes = graph.passes();
        int count = passes.size();
        kind = new PassKind[count];
        flags = new Set[count];
        attachments = new List[count];
        scope = new int[count];
        useBase = new int[count + 1];
        int uses = 0;
        int[] named = {};
        DeclaredGraph.@Nullable Area[] areas = {};
        @Nullable List<Integer>[] behind = new List[0];
        for (int p = 0; p < count; p++) {
            DeclaredGraph.Pass pass = passes.get(p);
            kind[p] = pass.kind();
            flags[p] = pass.flags();
            attachments[p] = pass.attachments();
            scope[p] = pass.scope();
            if (!pass.after().isEmpty()) {
                behind = behind.length == 0 ? new List[count] : behind;
                behind[p] = pass.after();
            }
            if (pass.queue() >= 0) {
                if (named.length == 0) {
                    named = new int[count];
                    Arrays.fill(named, -1);
                }
                named[p] = pass.queue();
            }
            if (pass.area() != null) {
                areas = areas.length == 0 ? new DeclaredGraph.Area[count] : areas;
                areas[p] = pass.area();
            }
            useBase[p] = uses;
            uses += pass.uses().size();
        }
        after = behind;
        area = areas;
        queue = named;
        useBase[count] = uses;
        use = new DeclaredGraph.Use[uses];
        for (int p = 0; p < count; p++) {
            List<DeclaredGraph.Use> own = passes.get(p).uses();
            int begin = useBase[p];
            for (int u = useBase[p + 1] - begin - 1; u >= 0; u--) {
                use[begin + u] = own.get(u);
            }
        }
    }

    public int count() {
        return kind.length;
    }

    /** Returns whether the host runs any of the passes. */
    public boolean anyOnHost() {
        for (PassKind each : kind) {
            if (each == PassKind.HOST) {
                return true;
            }
        }
        return false;
    }

    /** Returns the passes that a pass must come after whatever it uses. */
    public List<Integer> after(int pass) {
        List<Integer> known = after.length == 0 ? null : after[pass];
        return known == null ? List.of() : known;
    }

    /** Returns the queue that a pass names, or -1. */
    public int queue(int pass) {
        return queue.length == 0 ? -1 : queue[pass];
    }

    /** Returns the render area of a pass, or null for all of its targets. */
    public DeclaredGraph.@Nullable Area area(int pass) {
        return area.length == 0 ? null : area[pass];
    }

    /** Returns whether a pass has a flag. */
    public boolean has(int pass, PassFlag flag) {
        return !flags[pass].isEmpty() && flags[pass].contains(flag);
    }

    /** Returns a use of a pass by its position among them. */
    public DeclaredGraph.Use use(int pass, int index) {
        return use[useBase[pass] + index];
    }
}
