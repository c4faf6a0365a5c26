package io.frameloom.rdg.compile;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import java.util.Arrays;

/** The passes on one side of a boundary between epochs, by queue; filled again for each boundary. */
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
    final int[] count;
    final IntList members = new IntList(8);
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
        count = new int[queueCount];
    }

    void clear() {
        Arrays.fill(first, -1);
        Arrays.fill(last, -1);
        Arrays.fill(stages, 0);
        Arrays.fill(access, 0);
        Arrays.fill(writes, 0);
        Arrays.fill(count, 0);
        members.clear();
        queues = 0;
        only = 0;
    }

    void fill(int epoch) {
        for (int i = states.epochStart[epoch]; i < states.epochStart[epoch + 1]; i++) {
            int t = states.sorted[i];
            int pass = map.touchPass[t];
            int q = passQueue[pass];
            if (first[q] < 0) {
                first[q] = pass;
                only = q;
                queues++;
            }
            last[q] = pass;
            stages[q] |= map.touchStages[t];
            access[q] |= map.touchAccess[t];
            writes[q] |= MemoryAccess.writesOf(map.touchAccess[t]);
            count[q]++;
            members.add(pass);
        }
    }

    boolean onlyOn(int queue) {
        return queues == 1 && only == queue;
    }

    /** Stages to wait for; an access without stages, such as presenting, is waited for as a whole. */
    int stages(int queue) {
        return last[queue] >= 0 && stages[queue] == 0 ? ALL : stages[queue];
    }

    int firstOfAll() {
        int pass = Integer.MAX_VALUE;
        for (int f : first) {
            pass = f >= 0 ? Math.min(pass, f) : pass;
        }
        return pass;
    }
}
