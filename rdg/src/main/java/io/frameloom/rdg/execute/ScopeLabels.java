package io.frameloom.rdg.execute;

import io.frameloom.gpu.CommandList;
import io.frameloom.rdg.FramePlan;
import java.util.List;

/** The labels of scopes around the passes of one command list: each list opens and closes its own. */
final class ScopeLabels {
    private List<FramePlan.ScopePlan> scopes = List.of();
    private int open = -1;

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
        openDownTo(list, scope);
        open = scope;
    }

    private void openDownTo(CommandList list, int scope) {
        if (scope != open && scope >= 0) {
            openDownTo(list, scopes.get(scope).parent());
            list.beginLabel(scopes.get(scope).name());
        }
    }

    /** A scope has a larger index than those around it. */
    private boolean contains(int outer, int scope) {
        int at = scope;
        while (at > outer) {
            at = scopes.get(at).parent();
        }
        return at == outer;
    }
}
