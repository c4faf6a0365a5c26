package io.frameloom.rdg.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts batches into runs of passes that one task records into one command list: at most {@code passMax} passes, a pass
 * that must not be recorded in parallel alone. Runs shorter than {@code passMin} are serial: not worth a task.
 */
final class RecordingGroups {
    /** Batch of each group. */
    final int[] batch;
    /** Nodes of each group. */
    final int[][] nodes;
    /** Whether each group is serial. */
    final boolean[] serial;

    RecordingGroups(int[][] batches, boolean[] alone, int passMin, int passMax) {
        IntList groupBatch = new IntList(batches.length);
        List<int[]> groups = new ArrayList<>();
        List<Boolean> serialGroups = new ArrayList<>();
        for (int b = 0; b < batches.length; b++) {
            int[] members = batches[b];
            int start = 0;
            while (start < members.length) {
                int end = start + 1;
                boolean single = alone[members[start]];
                while (!single && end < members.length && end - start < passMax && !alone[members[end]]) {
                    end++;
                }
                groupBatch.add(b);
                groups.add(Arrays.copyOfRange(members, start, end));
                serialGroups.add(single || end - start < passMin);
                start = end;
            }
        }
        batch = groupBatch.toArray();
        nodes = groups.toArray(new int[0][]);
        serial = new boolean[nodes.length];
        for (int g = 0; g < serial.length; g++) {
            serial[g] = serialGroups.get(g);
        }
    }
}
