package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import java.util.Arrays;

/** The passes on one side of a boundary between epochs, by queue; filled again for each epoch. */
final class EpochSide {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    private final SubresourceMap map;
    private final StateMerge states;
    private final int[] passQueue;

    final int[] first;
    final int[] last;
    final int[] stages;
    final int[] access;
    final int[] writes;
    private int epoch = -1;
    /** The scope of what the epoch still stores behind its passes. */
    private int stores;

    int queues;
    int only;

    EpochSide(SubresourceMap map, StateMerge states, int[] passQueue, int queueCount) {
        this.map = map;
        this.states = states;
        this.passQueue = passQueue;
        first = new int[queueCount];
        last = new int[queueCount];
        stages = new int[queueCount];
        access = new int[queueCount];
        writes = new int[queueCount];
        Arrays.fill(first, -1);
        Arrays.fill(last, -1);
    }

    void clear() {
        if (queues == 1) {
            clear(only);
        }
        for (int q = 0; queues > 0; q++) {
            if (first[q] >= 0) {
                clear(q);
            }
        }
        epoch = -1;
        stores = 0;
        only = 0;
    }

    private void clear(int queue) {
        first[queue] = -1;
        last[queue] = -1;
        stages[queue] = 0;
        access[queue] = 0;
        writes[queue] = 0;
        queues--;
    }

    /** Takes in the passes of an epoch; once after each {@link #clear}. */
    void fill(int filled) {
        epoch = filled;
        stores = states.stores(filled);
        int queue = states.queue(filled);
        if (queue != StateMerge.SEVERAL) {
            add(queue, states.firstPass(filled), states.lastPass(filled), states.scope(filled));
            return;
        }
        for (int t = states.firstTouch[filled]; t >= 0; t = states.nextTouch[t]) {
            int pass = map.touchPass[t];
            add(passQueue[pass], pass, pass, map.scope(t));
        }
    }

    private void add(int queue, int firstPass, int lastPass, int scope) {
        if (first[queue] < 0) {
            first[queue] = firstPass;
            only = queue;
            queues++;
        }
        last[queue] = lastPass;
        int added = SubresourceMap.access(scope);
        stages[queue] |= SubresourceMap.stages(scope);
        access[queue] |= added;
        writes[queue] |= MemoryAccess.writesOf(added) | SubresourceMap.access(stores);
    }

    /** Returns the passes in order. */
    int[] members() {
        return epoch < 0 ? new int[0] : states.passes(epoch);
    }

    boolean onlyOn(int queue) {
        return queues == 1 && only == queue;
    }

    /** Stages to wait for; an access without stages, such as presenting, is waited for as a whole. */
    int stages(int queue) {
        return last[queue] >= 0 ? orAll(stages[queue]) | SubresourceMap.stages(stores) : stages[queue];
    }

    /** Returns the scope of what is waited for after what has a scope: its stages, and its writes. */
    static int waitedFor(int scope) {
        int writes = MemoryAccess.writesOf(SubresourceMap.access(scope));
        return SubresourceMap.scope(orAll(SubresourceMap.stages(scope)), writes);
    }

    static int orAll(int stages) {
        return stages == 0 ? ALL : stages;
    }

    int lowest() {
        int q = 0;
        while (first[q] < 0) {
            q++;
        }
        return q;
    }

    int firstOfAll() {
        int pass = Integer.MAX_VALUE;
        for (int f : first) {
            pass = f >= 0 ? Math.min(pass, f) : pass;
        }
        return pass;
    }
}
