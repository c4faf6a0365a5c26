package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns submissions into work: the commands of a pass stay in order, everything else is ordered by waits and barriers
 * alone. Confined to the thread of the virtual GPU.
 */
final class SubmissionBuilder {
    private final WorkGraph graph;
    private final Map<VirtualQueue, QueueOrder> orders = new HashMap<>();

    SubmissionBuilder(WorkGraph graph) {
        this.graph = graph;
    }

    /** Adds the work of a submission and returns how many commands it had. */
    int build(VirtualExecutor.Submitted pending) {
        QueueOrder order = order(pending.queue());
        for (Submission.Wait wait : pending.submission().waits()) {
            WorkNode signal = order((VirtualQueue) wait.point().queue())
                    .signalOf(wait.point().value());
            if (signal != null) {
                order.waitFor(signal, wait.stages());
            }
        }
        for (ExternalPoint point : pending.submission().externalWaits()) {
            WorkNode reached = ((SimulatedExternalTimeline) point.semaphore()).await(point.value(), pending.queue());
            if (reached != null) {
                order.waitFor(reached, point.stages());
            }
        }
        for (Submission.Acquire acquire : pending.submission().acquires()) {
            WorkNode read = slot(acquire.image()).presentation;
            if (read != null) {
                order.waitFor(read, acquire.stages());
            }
        }
        int commands = 1;
        for (VirtualCommandList list : pending.lists()) {
            commands += list.ops().size();
            build(order, pending, list);
        }
        WorkNode.Action binding = pending.binding();
        if (binding != null) {
            int all = PipelineStage.ALL_COMMANDS.bit();
            order.close(List.of(order.openBarrier(all, all, pending.nanos(), binding)));
        }
        for (ExternalPoint point : pending.submission().externalSignals()) {
            SimulatedExternalTimeline owned = (SimulatedExternalTimeline) point.semaphore();
            order.addAfter(
                    point.stages(),
                    "signal " + owned.name() + " " + point.value(),
                    pending.nanos(),
                    nanos -> owned.reach(point.value(), graph));
        }
        VirtualTimeline timeline = pending.queue().timeline();
        long complete = pending.value();
        if (pending.submission().signalsEarly()) {
            WorkNode early = order.addAfter(
                    pending.submission().signalStages(),
                    "signal " + complete,
                    pending.nanos(),
                    nanos -> timeline.complete(pending.value()));
            order.signal(complete, early);
            complete++;
        }
        long value = complete;
        WorkNode signal = order.addAfterAll("signal " + value, pending.nanos(), nanos -> timeline.complete(value));
        order.signal(value, signal);
        for (AcquiredImage image : pending.submission().presents()) {
            slot(image).signal = signal;
        }
        return commands;
    }

    private static VirtualSwapchainImage.Slot slot(AcquiredImage image) {
        return ((VirtualSwapchainImage) image).slot();
    }

    private QueueOrder order(VirtualQueue queue) {
        return orders.computeIfAbsent(queue, q -> new QueueOrder(q, graph));
    }

    private static void build(QueueOrder order, VirtualExecutor.Submitted pending, VirtualCommandList list) {
        VirtualMarks.Work whole = new VirtualMarks.Work(list.marks(), null, 0);
        PassWork outside = new PassWork(order, list.label(), List.of(), pending.nanos(), pending.value(), false, whole);
        PassWork current = outside;
        int mark = 0;
        for (Op op : list.ops()) {
            if (op instanceof Op.PassBegin begin) {
                mark = begin.mark();
                VirtualMarks marks = mark == Op.PassBegin.NO_MARK ? new VirtualMarks() : list.marks();
                VirtualMarks.Work part = new VirtualMarks.Work(marks, whole, mark);
                current = new PassWork(order, begin.name(), begin.uses(), pending.nanos(), pending.value(), true, part);
            } else if (op instanceof Op.PassEnd) {
                current.end(mark + 1);
                current = outside;
            } else if (op instanceof Op.Barriers barriers) {
                current.divide();
                barrier(order, pending.nanos(), barriers.batch());
            } else if (op instanceof Op.SetEvent half) {
                half.events().set(half.index(), set(order, pending.nanos(), half.batch()));
            } else if (op instanceof Op.WaitEvent half) {
                await(order, pending.nanos(), half.batch(), half.events().take(half.index()));
            } else if (op instanceof Op.Query query) {
                order.addAfterAll("query", pending.nanos(), nanos -> query.set().execute(query.index()));
            } else if (op instanceof Op.Timestamp stamp) {
                current.spend();
                order.addAfterAll(
                        "timestamp", pending.nanos(), nanos -> stamp.set().write(stamp.index(), nanos));
            } else {
                current.command(op);
            }
        }
        whole.end(list.trail().last());
    }

    private static void barrier(QueueOrder order, long nanos, BarrierBatch batch) {
        List<QueueOrder.OpenBarrier> open = new ArrayList<>();
        byScope(batch)
                .forEach((scope, transitions) -> open.add(
                        transitions.isEmpty()
                                ? order.openBarrier(scope.srcStages(), scope.dstStages(), nanos, () -> {})
                                : order.openTransition(
                                        scope.srcStages(),
                                        scope.dstStages(),
                                        nanos,
                                        () -> transitions.forEach(Transition::begin),
                                        () -> transitions.forEach(Transition::end))));
        order.close(open);
    }

    /** Returns what each source half follows. */
    private static Map<BarrierBatch.Scope, WorkNode> set(QueueOrder order, long nanos, BarrierBatch batch) {
        Map<BarrierBatch.Scope, WorkNode> nodes = new HashMap<>();
        byScope(batch).keySet().forEach(scope -> nodes.put(scope, order.setEvent(scope.srcStages(), nanos)));
        return nodes;
    }

    /**
     * Lets split barriers take effect, which may be as early as their events are set: they wait for nothing else. An
     * event without a wait changes nothing.
     */
    private static void await(
            QueueOrder order, long nanos, BarrierBatch batch, Map<BarrierBatch.Scope, WorkNode> nodes) {
        List<QueueOrder.OpenBarrier> open = new ArrayList<>();
        byScope(batch)
                .forEach((scope, transitions) -> open.add(order.openAfter(
                        nodes.get(scope),
                        scope.dstStages(),
                        nanos,
                        () -> transitions.forEach(Transition::hide),
                        () -> transitions.forEach(Transition::end))));
        order.close(open);
    }

    private static Map<BarrierBatch.Scope, List<Transition>> byScope(BarrierBatch batch) {
        Map<BarrierBatch.Scope, List<Transition>> byScope = new LinkedHashMap<>();
        for (BarrierBatch.TextureBarrier barrier : batch.textures()) {
            List<Transition> transitions = byScope.computeIfAbsent(barrier.scope(), s -> new ArrayList<>());
            if (barrier.oldLayout() != barrier.newLayout()) {
                transitions.add(new Transition(barrier));
            }
        }
        batch.buffers().forEach(barrier -> byScope.computeIfAbsent(barrier.scope(), s -> new ArrayList<>()));
        batch.globals().forEach(barrier -> byScope.computeIfAbsent(barrier.scope(), s -> new ArrayList<>()));
        return byScope;
    }
}
