package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;

/** Says in words why a barrier is there. */
final class BarrierReasons {
    private static final int MOST_NAMES = 4;

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;

    BarrierReasons(DeclaredGraph graph, SubresourceMap map, StateMerge states) {
        this.graph = graph;
        this.map = map;
        this.states = states;
    }

    String reason(int resource, IntList cells, IntList epochs, int[] formerResidents, boolean allMemory) {
        int epoch = epochs.get(0);
        int cell = cells.get(0);
        DeclaredGraph.Declared declared = graph.resources().get(resource);
        if (epoch < 0) {
            return endOfFrame(declared);
        }
        String after = names(epochs, 0);
        if (epoch == states.epochBase[cell]) {
            String text = declared.isExternal()
                    ? after + " needs another layout than " + declared.initialLayout()
                            + ", that of the start of the frame"
                    : "first use, by " + after;
            if (formerResidents.length == 0) {
                return text;
            }
            StringBuilder names = new StringBuilder(text).append("; takes over memory of ");
            for (int i = 0; i < formerResidents.length; i++) {
                names.append(i == 0 ? "" : ", ")
                        .append(graph.resources().get(formerResidents[i]).name());
            }
            return names.append(allMemory ? ", by a barrier of all memory" : "").toString();
        }
        String before = names(epochs, -1);
        boolean wrote = states.epochWrites[epoch - 1];
        if (!states.epochWrites[epoch]) {
            return wrote
                    ? "read after write: " + before + " wrote, " + after + " read"
                    : "layout: " + before + " read in " + states.layout(epoch - 1) + ", " + after + " in "
                            + states.layout(epoch);
        }
        return wrote
                ? "write after write: " + before + " wrote, then " + after
                : "write after read: " + before + " read, then " + after + " writes";
    }

    private static String endOfFrame(DeclaredGraph.Declared declared) {
        Access access = declared.finalAccess();
        return !declared.isTexture()
                ? "end of frame: the host reads it"
                : access != null
                        ? "end of frame: left ready for " + access
                        : "end of frame: all of it left in one layout";
    }

    /** Names the passes of the epochs, or of those {@code shift} away from them, each once. */
    private String names(IntList epochs, int shift) {
        IntList passes = new IntList(8);
        for (int k = 0; k < epochs.size(); k++) {
            int e = epochs.get(k) + shift;
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
            text.append(i == 0 ? "" : ", ")
                    .append(graph.passes().get(passes.get(i)).name());
        }
        if (passes.size() > MOST_NAMES) {
            text.append(" and ").append(passes.size() - MOST_NAMES).append(" more");
        }
        return text.toString();
    }
}
