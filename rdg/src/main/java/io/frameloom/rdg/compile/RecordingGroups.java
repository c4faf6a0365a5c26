package io.frameloom.rdg.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts batches into runs of passes that one task records into one command list: at most {@code passMax} passes, a pass
 * that must not be recorded in parallel alone, a render pass whole. Runs shorter than {@code passMin} are serial: not worth a task.
 */
final class RecordingGroups {
    /** Batch of each group. */
    final int[] batch;
    /** Nodes of each group. */
    final int[][] nodes;
    /** Whether each group is serial. */
    final boolean[] serial;

    RecordingGroups(int[][] batches, boolean[] alone, int[] renderPassOf, int passMin, int passMax) {
        IntList groupBatch = new IntList(batches.length);
        List<int[]> groups = new ArrayList<>();
        List<Boolean> serialGroups = new ArrayList<>();
        for (int b = 0; b < batches.length; b++) {
            int[] members = batches[b];
            int start = 0;
            while (start < members.length) {
                int end = endOfRenderPass(members, start, renderPassOf);
                boolean single = anyAlone(members, start, end, alone);
                while (!single && end < members.length) {
                    int next = endOfRenderPass(members, end, renderPassOf);
                    if (next - start > passMax || anyAlone(members, end, next, alone)) {
                        break;
                    }
                    end = next;
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

    private static int endOfRenderPass(int[] members, int at, int[] renderPassOf) {
        int end = at + 1;
        int shared = members[at] < renderPassOf.length ? renderPassOf[members[at]] : -1;
        while (shared >= 0
                && end < members.length
                && members[end] < renderPassOf.length
                && renderPassOf[members[end]] == shared) {
            end++;
        }
        return end;
    }

    private static boolean anyAlone(int[] members, int start, int end, boolean[] alone) {
        for (int i = start; i < end; i++) {
            if (alone[members[i]]) {
                return true;
            }
        }
        return false;
    }
}
