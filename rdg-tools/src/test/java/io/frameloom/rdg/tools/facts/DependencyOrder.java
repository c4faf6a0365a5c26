package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.tools.file.FixedOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The waits and batches that the dependencies between passes ask for: without the nodes that a plan adds for changes of layout,
 * which are its own affair, and with the passes of the host on the queues that the file names.
 */
final class DependencyOrder {
    private final FramePlan plan;
    /** By pass its place among those that run, -1 if it does not. */
    private final int[] place;
    /** The passes that run. */
    private final int[] pass;
    /** Queue of each pass that runs. */
    private final int[] queue;
    /** By pass that runs its position on its queue. */
    private final int[] position;
    /** Passes of each queue, by their places. */
    private final List<int[]> chains = new ArrayList<>();

    private final FixedOrder order;

    /**
     * The order of a plan's dependencies.
     *
     * @param hostQueues by pass of the host the queue that the file names
     */
    DependencyOrder(FramePlan plan, Map<String, String> hostQueues) {
        this.plan = plan;
        place = new int[plan.passes().size()];
        Arrays.fill(place, -1);
        pass = plan.passes().stream()
                .filter(each -> each.level() >= 0)
                .mapToInt(PassPlan::index)
                .toArray();
        queue = new int[pass.length];
        position = new int[pass.length];
        List<String> queues =
                plan.queues().queues().stream().map(QueueTopology.Queue::name).toList();
        int[] count = new int[plan.queues().queues().size()];
        for (int i = 0; i < pass.length; i++) {
            PassPlan each = plan.passes().get(pass[i]);
            place[pass[i]] = i;
            String named = hostQueues.get(each.name());
            queue[i] = named == null ? each.queue() : queues.indexOf(named);
            position[i] = count[queue[i]]++;
        }
        for (int passes : count) {
            chains.add(new int[passes]);
        }
        for (int i = 0; i < pass.length; i++) {
            chains.get(queue[i])[position[i]] = i;
        }
        List<Dependency> dependencies = plan.dependencies();
        int[] from = new int[dependencies.size()];
        int[] to = new int[from.length];
        for (int e = 0; e < from.length; e++) {
            from[e] = place[dependencies.get(e).from()];
            to[e] = place[dependencies.get(e).to()];
        }
        order = new FixedOrder(queue, chains, from, to);
    }

    /** Returns the dependencies between queues that are waited for, or those that the others imply. */
    List<Dependency> syncs(boolean waited) {
        List<Dependency> result = new ArrayList<>();
        for (int e = 0; e < plan.dependencies().size(); e++) {
            Dependency dependency = plan.dependencies().get(e);
            if (queue[place[dependency.from()]] != queue[place[dependency.to()]] && order.waited(e) == waited) {
                result.add(dependency);
            }
        }
        return result;
    }

    /** Returns the last pass of a queue that a pass knows to be complete, itself on its own queue, or -1. */
    int known(int ofPass, int onQueue) {
        int last = order.known(place[ofPass], onQueue);
        return last < 0 ? -1 : pass[chains.get(onQueue)[last]];
    }

    /** Returns the batches of a queue. */
    List<List<Integer>> batches(int onQueue) {
        return order.batches().stream()
                .filter(members -> queue[members[0]] == onQueue)
                .map(members -> Arrays.stream(members)
                        .map(member -> pass[member])
                        .boxed()
                        .toList())
                .toList();
    }

    /** Returns the number of batches that another one waits for. */
    int signals() {
        return order.signals();
    }
}
