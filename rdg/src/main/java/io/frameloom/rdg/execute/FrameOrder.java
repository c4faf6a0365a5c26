package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.compile.order.VectorClocks;
import io.frameloom.rdg.execute.touch.BatchPoint;
import io.frameloom.rdg.execute.touch.BatchPoints;
import io.frameloom.rdg.execute.touch.BoundaryScopes;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.rdg.execute.touch.LastUses;
import io.frameloom.rdg.execute.touch.PlanTouches;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds what each frame must wait for in the frames before it, from the last uses of the memory that they share. RENDER
 * thread only, in the order of the frames.
 *
 * <p>{@link VectorClocks} over batches persist from frame to frame, so frames in flight are only more batches. A wait
 * for another queue is left out if the queue has waited for it, or for something that has. The compiler reduces its
 * waits in the same way. On one queue a barrier is needed; its source is the former use alone.
 *
 * <p>All this is found before anything is submitted. It does not hold for frames that fail; the submit chain fences
 * those off. In steady state nothing is allocated.
 *
 * <p>The host is one more queue, whose batches are its passes. It waits before it runs a pass, and what waits for a
 * pass is submitted when that has ended.
 */
final class FrameOrder {
    private static final int SWEEP_INTERVAL = 64;
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    /** Those of the device, then the host. */
    private final int queues;

    private final Map<Object, LastUses> memory = new HashMap<>();
    private final Deque<LastUses.Use> spare = new ArrayDeque<>();
    private final BatchPoints points;
    /** By queue what its newest batch knows to be complete. */
    private final long[][] known;

    private final @Nullable BatchPoint[] newest;
    /** By queue what every later batch must come after. */
    private final @Nullable BatchPoint[] fence;

    private final long[] fencedOff;
    private final BoundaryScopes[] scopes;
    /** By queue what the group at hand waits for; empty between groups. */
    private final @Nullable BatchPoint[] wanted;

    private LastUses[] resolved = new LastUses[0];

    /** No wait, for this number of queues. */
    FrameOrder(int deviceQueues) {
        queues = deviceQueues + 1;
        points = new BatchPoints(queues);
        wanted = new BatchPoint[queues];
        known = new long[queues][queues];
        newest = new BatchPoint[queues];
        fence = new BatchPoint[queues];
        fencedOff = new long[queues];
        scopes = new BoundaryScopes[queues];
        for (int queue = 0; queue < queues; queue++) {
            scopes[queue] = new BoundaryScopes();
        }
    }

    /**
     * Puts a frame after those before it.
     *
     * @param completed number of a frame up to which the host has seen all end
     * @param boundary receives what the frame has to wait for
     */
    void enter(FramePlan plan, PlanRealisation realisation, long frame, long completed, FrameBoundary boundary) {
        PlanTouches touches = realisation.touches();
        if (frame % SWEEP_INTERVAL == 0) {
            sweep(completed);
        }
        resolve(touches, completed);
        for (BoundaryScopes each : scopes) {
            each.beginFrame();
        }
        if (touches.untracked()) {
            raiseFence();
        }
        boundary.reset(points, realisation.batchCount(), realisation.groupCount(), realisation.passCount());
        for (int batch = 0; batch < realisation.batchCount(); batch++) {
            enterBatch(plan.batches().get(batch), realisation, boundary);
        }
        leave(touches, boundary, frame);
        if (touches.untracked()) {
            raiseFence();
        }
    }

    private void sweep(long completed) {
        memory.values().removeIf(uses -> {
            uses.seen(completed);
            return uses.count() == 0;
        });
    }

    private void resolve(PlanTouches touches, long completed) {
        int count = touches.memories().size();
        if (resolved.length < count) {
            resolved = new LastUses[count];
        }
        for (int i = 0; i < count; i++) {
            Object identity = touches.memories().get(i);
            LastUses uses = memory.get(identity);
            if (uses == null) {
                uses = new LastUses(spare, points);
                memory.put(identity, uses);
            }
            uses.seen(completed);
            if (resolved[i] != uses) {
                resolved[i] = uses;
            }
        }
    }

    private void raiseFence() {
        for (int queue = 0; queue < queues; queue++) {
            set(fence, queue, newest[queue]);
        }
    }

    private void set(@Nullable BatchPoint[] known, int queue, @Nullable BatchPoint point) {
        if (point != null) {
            points.retain(point);
        }
        BatchPoint former = known[queue];
        known[queue] = point;
        if (former != null) {
            points.release(former);
        }
    }

    private void enterBatch(FramePlan.Batch batch, PlanRealisation realisation, FrameBoundary boundary) {
        int queue = batch.queue();
        long[] clock = known[queue];
        for (int i = 0; i < batch.waits().size(); i++) {
            FramePlan.BatchWait wait = batch.waits().get(i);
            // A wait of some stages does not order the others after it.
            if (wait.stages() == ALL) {
                merge(queue, clock, boundary.point(wait.batch()));
            }
        }
        boolean first = true;
        List<Integer> groups = realisation.batch(batch.index()).groups();
        for (int g = 0; g < groups.size(); g++) {
            int group = groups.get(g);
            List<PlanTouches.Touch> touches = realisation.touches().touches().get(group);
            waitForOthers(queue, clock, touches, first, group, boundary);
            if (queue == queues - 1) {
                // Its passes run one after the other, so they are in order.
                continue;
            }
            if (first && isBehindFence(queue, clock)) {
                scopes[queue].orderAll();
                int head = realisation.group(group).passes().get(0).plan().index();
                boundary.barrier(head, Objects.requireNonNull(scopes[queue].take()));
                fencedOff[queue] = fenced(queue);
            }
            first = false;
            orderOnQueue(queue, clock, touches, boundary);
        }
        BatchPoint former = newest[queue];
        BatchPoint point = points.take(queue, former == null ? 1 : former.sequence + 1, clock);
        set(newest, queue, point);
        boundary.point(points, batch.index(), point);
    }

    private boolean isBehindFence(int queue, long[] clock) {
        return fenced(queue) > Math.max(clock[queue], fencedOff[queue]);
    }

    private long fenced(int queue) {
        BatchPoint point = fence[queue];
        return point == null ? 0 : point.sequence;
    }

    /** Finds the closest batch of each other queue that a group has to wait for, and leaves out what others imply. */
    private void waitForOthers(
            int queue,
            long[] clock,
            List<PlanTouches.Touch> touches,
            boolean first,
            int group,
            FrameBoundary boundary) {
        boolean any = false;
        for (int t = 0; t < touches.size(); t++) {
            PlanTouches.Touch touch = touches.get(t);
            LastUses uses = resolved[touch.memory()];
            for (int i = 0; i < uses.count(); i++) {
                LastUses.Use use = uses.use(i);
                if (use.batch().queue != queue && !use.isSeen() && use.conflicts(touch)) {
                    any |= want(clock, use.batch());
                }
            }
        }
        for (int other = 0; first && other < queues; other++) {
            BatchPoint point = fence[other];
            if (other != queue && point != null) {
                any |= want(clock, point);
            }
        }
        if (!any) {
            return;
        }
        for (BatchPoint point : wanted) {
            if (point != null && !isImplied(point)) {
                boundary.waitFor(points, group, point);
            }
        }
        for (BatchPoint point : wanted) {
            if (point != null) {
                merge(queue, clock, point);
            }
        }
        Arrays.fill(wanted, null);
    }

    private boolean want(long[] clock, BatchPoint point) {
        if (point.isKnownTo(clock)) {
            return false;
        }
        BatchPoint closest = wanted[point.queue];
        if (closest == null || closest.sequence < point.sequence) {
            wanted[point.queue] = point;
        }
        return true;
    }

    private boolean isImplied(BatchPoint point) {
        for (BatchPoint other : wanted) {
            if (other != null && other != point && point.isKnownTo(other.clock)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds to the clock of a queue what a batch knows. The host may know what the queue itself has done. That makes
     * none of it visible to later work of the queue, which still needs a barrier.
     */
    private void merge(int at, long[] clock, BatchPoint point) {
        boolean throughHost = point.queue == queues - 1;
        long own = clock[at];
        VectorClocks.join(clock, 0, point.clock, 0, queues);
        clock[at] = throughHost ? own : clock[at];
        clock[point.queue] = Math.max(clock[point.queue], point.sequence);
    }

    private void orderOnQueue(int queue, long[] clock, List<PlanTouches.Touch> touches, FrameBoundary boundary) {
        BoundaryScopes barriers = scopes[queue];
        for (int t = 0; t < touches.size(); t++) {
            PlanTouches.Touch touch = touches.get(t);
            LastUses uses = resolved[touch.memory()];
            for (int i = 0; i < uses.count(); i++) {
                LastUses.Use use = uses.use(i);
                if (use.batch().queue == queue && !use.batch().isKnownTo(clock) && use.conflicts(touch)) {
                    barriers.order(use, touch);
                }
            }
            if (t + 1 == touches.size() || touches.get(t + 1).pass() != touch.pass()) {
                RepeatedCommand<BarrierBatch> barrier = barriers.take();
                if (barrier != null) {
                    boundary.barrier(touch.pass(), barrier);
                }
            }
        }
    }

    private void leave(PlanTouches touches, FrameBoundary boundary, long frame) {
        for (int i = 0; i < touches.taken().size(); i++) {
            PlanTouches.Taken taken = touches.taken().get(i);
            resolved[taken.memory()].forget(taken.piece());
        }
        for (int i = 0; i < touches.exits().size(); i++) {
            PlanTouches.Exit exit = touches.exits().get(i);
            resolved[exit.memory()].add(exit, boundary.point(exit.batch()), frame);
        }
    }
}
