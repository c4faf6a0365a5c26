package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.rdg.FramePlan;
import java.util.Arrays;
import java.util.List;

/** The labels of scopes around the passes of one command list: each list opens and closes its own. */
final class ScopeLabels {
    private List<FramePlan.ScopePlan> scopes = List.of();
    private int open = -1;
    /** The scopes to open, the innermost first. */
    private int[] inner = new int[8];

    /** Begins a command list without open labels. */
    void begin(List<FramePlan.ScopePlan> all) {
        scopes = all;
        open = -1;
    }

    /** Closes the labels that are not around {@code scope} and opens those that are; -1 closes all. */
    void enter(CommandList list, int scope) {
        if (open == scope) {
            return;
        }
        while (open >= 0 && !contains(open, scope)) {
            list.endLabel();
            open = scopes.get(open).parent();
        }
        int count = 0;
        for (int at = scope; at != open && at >= 0; at = scopes.get(at).parent()) {
            if (count == inner.length) {
                inner = Arrays.copyOf(inner, 2 * count);
            }
            inner[count++] = at;
        }
        while (count > 0) {
            list.beginLabel(scopes.get(inner[--count]).name());
        }
        open = scope;
    }

    private boolean contains(int outer, int scope) {
        int at = scope;
        while (at > outer) {
            at = scopes.get(at).parent();
        }
        return at == outer;
    }
}
