package io.frameloom.rdg.compile.order;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;

/**
 * Cuts batches into runs of passes that one task records into one command list. A run has at most {@code passMax}
 * passes. A pass that must not be recorded in parallel is alone, a render pass is whole. Runs shorter than {@code
 * passMin} are serial: not worth a task.
 */
public final class RecordingGroups {
    private final Batching batching;
    /** Of each group its batch, with the sign turned if it is serial. */
    private final int[] batch;
    /** Of each group where it begins among the nodes of all batches; the next group begins where it ends. */
    private final int[] begin;

    public RecordingGroups(
            Batching batching, DeclaredGraph graph, int[] renderPassOf, int passMin, int passMax, Scratch scratch) {
        this.batching = batching;
        long mark = scratch.mark();
        IntList groupBatch = scratch.list();
        IntList begins = scratch.list();
        int[] members = batching.nodes;
        for (int b = 0; b < batching.count(); b++) {
            int start = batching.start[b];
            int behind = batching.start[b + 1];
            while (start < behind) {
                int end = endOfRenderPass(members, start, behind, renderPassOf, graph.passes());
                boolean single = anyAlone(members, start, end, graph);
                while (!single && end < behind) {
                    int next = endOfRenderPass(members, end, behind, renderPassOf, graph.passes());
                    if (next - start > passMax || anyAlone(members, end, next, graph)) {
                        break;
                    }
                    end = next;
                }
                groupBatch.add(single || end - start < passMin ? ~b : b);
                begins.add(start);
                start = end;
            }
        }
        batch = groupBatch.toArray();
        begin = begins.toArray();
        scratch.release(mark);
    }

    /** Returns the number of groups. */
    public int count() {
        return batch.length;
    }

    /** Returns the batch of a group. */
    public int batch(int group) {
        return isSerial(group) ? ~batch[group] : batch[group];
    }

    /** Returns whether a group is serial. */
    public boolean isSerial(int group) {
        return batch[group] < 0;
    }

    /** Returns the nodes of a group. */
    public int[] nodes(int group) {
        int end = group + 1 == batch.length ? batching.nodes.length : begin[group + 1];
        return Arrays.copyOfRange(batching.nodes, begin[group], end);
    }

    private static int endOfRenderPass(int[] members, int at, int behind, int[] renderPassOf, int passes) {
        int end = at + 1;
        int shared = members[at] < passes ? renderPassOf[members[at]] : -1;
        while (shared >= 0 && end < behind && members[end] < passes && renderPassOf[members[end]] == shared) {
            end++;
        }
        return end;
    }

    private static boolean anyAlone(int[] members, int start, int end, DeclaredGraph graph) {
        for (int i = start; i < end; i++) {
            if (members[i] < graph.passes() && graph.has(members[i], PassFlag.NEVER_PARALLEL)) {
                return true;
            }
        }
        return false;
    }
}
