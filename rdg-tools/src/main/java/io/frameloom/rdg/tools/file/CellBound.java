package io.frameloom.rdg.tools.file;

import io.frameloom.rdg.tools.GraphFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses files whose passes touch more parts of resources than there is memory and time for. */
final class CellBound {
    private static final long MAX_TOUCHES = 4_000_000;

    private CellBound() {}

    /**
     * Counts the cells that the passes touch: ranges cut resources into them.
     *
     * @throws GraphFileException if they are too many
     */
    static void check(FileGraph source, FileNames names) {
        List<Set<Long>> cuts = new ArrayList<>();
        for (int i = 0; i < 3 * source.resources.size(); i++) {
            cuts.add(new HashSet<>(4));
        }
        for (FileGraph.Pass pass : source.passes) {
            for (FileGraph.Use use : pass.uses) {
                int at = 3 * names.resource(use.resource, use.line);
                cut(cuts.get(at), use.bytes == null ? use.mip : use.bytes);
                cut(cuts.get(at + 1), use.layer);
                cut(cuts.get(at + 2), use.plane);
            }
        }
        long touched = 0;
        for (FileGraph.Pass pass : source.passes) {
            for (FileGraph.Use use : pass.uses) {
                int at = 3 * names.resource(use.resource, use.line);
                touched += cells(cuts.get(at), use.bytes == null ? use.mip : use.bytes)
                        * cells(cuts.get(at + 1), use.layer)
                        * cells(cuts.get(at + 2), use.plane);
                if (touched > MAX_TOUCHES) {
                    throw names.fail(
                            pass.line,
                            "pass '" + pass.id + "' goes beyond " + MAX_TOUCHES
                                    + " uses of separate mips, layers and planes, the most that a graph may have");
                }
            }
        }
    }

    private static long cells(Set<Long> cuts, FileGraph.@Nullable Interval interval) {
        long all = 1L + cuts.size();
        return interval == null ? all : Math.min(all, interval.to() - interval.from());
    }

    private static void cut(Set<Long> cuts, FileGraph.@Nullable Interval interval) {
        if (interval != null) {
            cuts.add(interval.from());
            cuts.add(interval.to());
        }
    }
}
