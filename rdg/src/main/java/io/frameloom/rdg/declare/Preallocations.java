package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What was made for graphs that are not executed yet. No call says that a graph is abandoned. So what was made for it
 * is kept for as many executed graphs as the pool keeps idle resources. RENDER thread.
 */
public final class Preallocations {
    private final int keepGraphs;
    private final Consumer<Resource> giveBack;
    private final List<Preallocation> waiting = new ArrayList<>(0);
    private long executed;

    public Preallocations(int keepGraphs, Consumer<Resource> giveBack) {
        this.keepGraphs = keepGraphs;
        this.giveBack = giveBack;
    }

    public Preallocation add(Resource made) {
        Preallocation added = new Preallocation(made, executed);
        waiting.add(added);
        return added;
    }

    /** Notes that its graph is executed, whose frame gives it back. */
    public void executed(Preallocation preallocation) {
        preallocation.resolve();
        waiting.remove(preallocation);
    }

    /** Notes that a graph was executed, and gives back what has waited for too long. */
    public void graphExecuted() {
        executed++;
        if (waiting.isEmpty()) {
            return;
        }
        waiting.removeIf(each -> {
            boolean late = executed - each.sinceGraph() > keepGraphs;
            if (late) {
                each.expire();
                giveBack.accept(each.resource());
            }
            return late;
        });
    }

    public void close() {
        waiting.forEach(each -> giveBack.accept(each.resource()));
        waiting.clear();
    }
}
