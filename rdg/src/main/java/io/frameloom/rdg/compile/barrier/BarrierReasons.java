package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;

/** Says in words why a barrier is there. Holds nothing of the graph but names and states. */
final class BarrierReasons {
    private static final int MOST_NAMES = 4;

    private final SubresourceMap map;
    private final StateMerge states;
    private final Takeovers takeovers;
    private final Names names;
    private final BarrierDrafts drafts;
    private final int[] nextDraft;
    private final DeclaredGraph graph;

    /**
     * Reasons of barriers made of drafts; {@code nextDraft} leads from each draft to the next of its barrier, or to -1.
     */
    BarrierReasons(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Takeovers takeovers,
            Names names,
            BarrierDrafts drafts,
            int[] nextDraft) {
        this.map = map;
        this.states = states;
        this.takeovers = takeovers;
        this.names = names;
        this.drafts = drafts;
        this.nextDraft = nextDraft;
        this.graph = graph;
    }

    /** Returns the reason of the barrier that begins with a draft. */
    String of(int draft, boolean allMemory) {
        BarrierBatch.OwnershipTransfer transfer = drafts.ownership(draft);
        return transfer == null
                ? ordinary(draft, allMemory)
                : "handed over from queue family " + transfer.from() + " to " + transfer.to() + ": "
                        + ordinary(draft, allMemory);
    }

    private String ordinary(int draft, boolean allMemory) {
        int epoch = drafts.epoch(draft);
        int cell = drafts.cell(draft);
        int resource = map.cellResource[cell];
        if (epoch < 0) {
            return drafts.ownership(draft) != null
                    ? "end of frame: back to the family of the graphics queue"
                    : endOfFrame(resource);
        }
        String after = passes(draft, false);
        if (epoch == states.epochBase[cell]) {
            return drafts.ownership(draft) != null ? "first use, by " + after : firstUse(resource, after, allMemory);
        }
        String before = passes(draft, true);
        boolean wrote = states.epochWrites[former(draft)];
        if (!states.epochWrites[epoch]) {
            return wrote
                    ? "read after write: " + before + " wrote, " + after + " read"
                    : states.epochLayout[epoch - 1] == states.epochLayout[epoch]
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
        int begin = takeovers.begin(resource);
        int end = takeovers.end(resource);
        if (begin == end) {
            return text;
        }
        StringBuilder taken = new StringBuilder(text).append("; takes over memory of ");
        for (int k = begin; k < end; k++) {
            taken.append(k == begin ? "" : ", ").append(names.resource(takeovers.predecessor(k)));
        }
        return taken.append(allMemory ? ", by a barrier of all memory" : "").toString();
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
     * Returns the epoch that a barrier follows. For one to the host, that is the epoch of the last write, after which
     * it stands.
     */
    private int former(int draft) {
        int cell = drafts.cell(draft);
        int e = drafts.epoch(draft) - 1;
        boolean toHost = drafts.dstStages(draft) == PipelineStage.HOST.bit();
        while (toHost && !states.epochWrites[e] && e > states.epochBase[cell]) {
            e--;
        }
        return e;
    }

    /** Names the passes of the epochs of a barrier, or of those before them, each once. */
    private String passes(int firstDraft, boolean before) {
        IntList passes = new IntList(8);
        for (int draft = firstDraft; draft >= 0; draft = nextDraft[draft]) {
            if (drafts.epoch(draft) < 0) {
                // Joined with what the end of the frame asks for of other parts.
                continue;
            }
            int e = before ? former(draft) : drafts.epoch(draft);
            for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                int pass = map.touchPass[states.sorted[i]];
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
