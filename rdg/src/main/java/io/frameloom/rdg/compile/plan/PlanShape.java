package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.Map;

/**
 * What plans of graphs that differ in names share besides the arrays of their lists. All of them have the same object,
 * so it stands for everything that they share. Immutable; any thread.
 */
public final class PlanShape {
    final QueueTopology queues;
    final RdgOptions options;
    /** By declared pass of the plan its position in the graph. */
    final int[] declaredIndex;

    final boolean inDeclaredOrder;
    final Derivation derivation;
    /** Nanoseconds of each phase, or none. */
    final Map<CompilePhase, Long> compileTimes;
    /** In words why the passes are in the program's order though another one is asked for, or nothing. */
    final String scheduleRefusal;

    public PlanShape(
            QueueTopology queues,
            RdgOptions options,
            int[] declaredIndex,
            Derivation derivation,
            Map<CompilePhase, Long> compileTimes,
            String scheduleRefusal) {
        this.queues = queues;
        this.options = options;
        this.declaredIndex = declaredIndex;
        boolean inOrder = true;
        for (int p = 0; p < declaredIndex.length; p++) {
            inOrder &= declaredIndex[p] == p;
        }
        this.inDeclaredOrder = inOrder;
        this.derivation = derivation;
        this.compileTimes = compileTimes;
        this.scheduleRefusal = scheduleRefusal;
    }

    /** Returns an equal one, which no other plan has. */
    PlanShape with(String refusal) {
        return new PlanShape(queues, options, declaredIndex, derivation, compileTimes, refusal);
    }
}
