package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.StallExplanation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the explanation of a stall: the way from the event or run to what holds it up, with the stacks of threads. */
final class StallChain {
    private static final int LONGEST_CHAIN = 64;
    private static final int MOST_OTHERS = 8;

    private StallChain() {}

    static StallExplanation from(String asked, StallNode start) {
        List<StallNode> path = new ArrayList<>();
        Set<StallNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        @Nullable StallNode at = start;
        while (at != null && seen.add(at)) {
            path.add(at);
            at = at.worst();
        }
        int cycleStart = at == null ? -1 : path.indexOf(at);
        // The middle of a long chain is more of the same; what matters is where it begins and what ends it.
        if (path.size() > LONGEST_CHAIN) {
            int cut = path.size() - LONGEST_CHAIN;
            int from = LONGEST_CHAIN / 2;
            if (cycleStart < 0 || cycleStart < from) {
                path.subList(from, from + cut).clear();
                path.add(from, new StallNode("...", "(" + cut + " more)", null, false));
            }
        }
        List<StallExplanation.Step> steps = new ArrayList<>();
        for (StallNode node : path) {
            Thread thread = node.thread;
            steps.add(new StallExplanation.Step(
                    node.name,
                    node.state + others(node),
                    thread == null ? null : thread.getName(),
                    thread == null ? List.of() : List.of(thread.getStackTrace())));
        }
        return new StallExplanation(asked, steps, cycleStart);
    }

    /** The alternatives that the chain does not follow. Threads are left out: the node that needs them names them. */
    private static String others(StallNode node) {
        StringBuilder text = new StringBuilder();
        StallNode followed = node.worst();
        int told = 0;
        for (StallNode need : node.needs) {
            if (node.anyWillDo && need != followed && need.thread == null && told++ < MOST_OTHERS) {
                text.append(text.length() == 0 ? "; as for the others, " : "; ");
                text.append(need.name).append(' ').append(need.state);
            }
        }
        return text.toString();
    }
}
