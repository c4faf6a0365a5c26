package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Says in words why a barrier is there.
 *
 * @param takeovers what the barriers were made with
 */
public record BarrierReasons(
        DeclaredGraph graph,
        SubresourceMap map,
        StateMerge states,
        Takeovers takeovers,
        Names names,
        Barriers barriers) {
    private static final int MOST_NAMES = 4;

    public String of(int barrier) {
        BarrierBatch.OwnershipTransfer transfer = barriers.ownership(barrier);
        return transfer == null
                ? ordinary(barrier)
                : "handed over from queue family " + transfer.from() + " to " + transfer.to() + ": "
                        + ordinary(barrier);
    }

    private String ordinary(int barrier) {
        int epoch = barriers.epoch(barrier);
        int resource = barriers.resource(barrier);
        if (epoch < 0) {
            return barriers.ownership(barrier) != null
                    ? "end of frame: back to the family of the graphics queue"
                    : endOfFrame(resource);
        }
        String after = passes(barrier, false);
        if (states.isFirst(epoch)) {
            return barriers.ownership(barrier) != null
                    ? "first use, by " + after
                    : firstUse(resource, after, barriers.isOfAllMemory(barrier));
        }
        String before = passes(barrier, true);
        boolean wrote = states.writes(former(barrier, epoch));
        if (!states.writes(epoch)) {
            return wrote
                    ? "read after write: " + before + " wrote, " + after + " read"
                    : states.layout(epoch - 1) == states.layout(epoch)
                            ? before + " read, then " + after
                            : "layout: " + before + " read in " + states.layout(epoch - 1) + ", " + after + " in "
                                    + states.layout(epoch);
        }
        return wrote
                ? "write after write: " + before + " wrote, then " + after
                : "write after read: " + before + " read, then " + after + " writes";
    }

    private String firstUse(int resource, String after, boolean allMemory) {
        String text = graph.isExternal(resource)
                ? after + " needs another layout than " + graph.initialLayout(resource)
                        + ", that of the start of the frame"
                : "first use, by " + after;
        int[] former = takeovers.of(resource);
        return former.length == 0
                ? text
                : text + "; takes over memory of "
                        + IntStream.of(former).mapToObj(names::resource).collect(Collectors.joining(", "))
                        + (allMemory ? ", by a barrier of all memory" : "");
    }

    private String endOfFrame(int resource) {
        if (!map.isTexture(resource)) {
            return graph.isOutput(resource)
                    ? "end of frame: the host reads it"
                    : "end of frame: the host of a later one may write into it";
        }
        Access access = graph.finalAccess(resource);
        return access != null ? "end of frame: left ready for " + access : "end of frame: all of it left in one layout";
    }

    /**
     * Returns the epoch that a barrier before another one follows. For one to the host, that is the epoch of the last
     * write, after which it stands.
     */
    private int former(int barrier, int epoch) {
        int e = epoch - 1;
        boolean toHost = barriers.isToHost(barrier);
        while (toHost && !states.writes(e) && !states.isFirst(e)) {
            e--;
        }
        return e;
    }

    /** Names the passes of the epochs of a barrier, or of those before them, each once. */
    private String passes(int barrier, boolean before) {
        IntList passes = new IntList(8);
        for (int row = barrier, end = barriers.end(barrier); row < end; row++) {
            int epoch = barriers.epoch(row);
            if (epoch < 0 || (before && states.isFirst(epoch))) {
                // Joined with what the end of the frame asks for of other parts, or with the first use of one.
                continue;
            }
            int e = before ? former(barrier, epoch) : epoch;
            for (int t = states.firstTouch[e]; t >= 0; t = states.nextTouch[t]) {
                int pass = map.touchPass[t];
                boolean known = false;
                for (int j = 0; j < passes.size() && !known; j++) {
                    known = passes.get(j) == pass;
                }
                if (!known) {
                    passes.add(pass);
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(passes.size(), MOST_NAMES); i++) {
            text.append(i == 0 ? "" : ", ").append(names.pass(passes.get(i)));
        }
        if (passes.size() > MOST_NAMES) {
            text.append(" and ").append(passes.size() - MOST_NAMES).append(" more");
        }
        return text.toString();
    }
}
