package io.frameloom.rdg.compile;

import java.util.Arrays;

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

    RecordingGroups(int[][] batches, boolean[] alone, int[] renderPassOf, int passMin, int passMax, Scratch scratch) {
        long mark = scratch.mark();
        IntList groupBatch = scratch.list();
        IntList begins = scratch.list();
        IntList ends = scratch.list();
        IntList serialGroups = scratch.list();
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
                begins.add(start);
                ends.add(end);
                serialGroups.add(single || end - start < passMin ? 1 : 0);
                start = end;
            }
        }
        batch = groupBatch.toArray();
        nodes = new int[batch.length][];
        serial = new boolean[batch.length];
        for (int g = 0; g < batch.length; g++) {
            nodes[g] = Arrays.copyOfRange(batches[batch[g]], begins.get(g), ends.get(g));
            serial[g] = serialGroups.get(g) != 0;
        }
        scratch.release(mark);
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
