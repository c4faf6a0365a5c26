package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.execute.touch.BatchPoint;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.rdg.execute.touch.PlanTouches;
import java.util.ArrayList;
import java.util.List;

/**
 * What one frame waits for and signals of foreign semaphores. Bound on the RENDER thread, used by the submit chain.
 *
 * <p>To the frame a wait is a former use of its resource, and a signal is a later one. So {@link PlanTouches} says
 * which batches wait and which signal. On each queue the first of those waits; a binary semaphore has one wait, so the
 * other queues wait for the batch that has it.
 */
final class FrameSemaphores {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    /** In place of a memory: everything that the frame does. */
    private static final int FRAME = -1;
    /** In place of a memory: that of a resource which no pass uses. */
    private static final int UNUSED = -2;

    private final List<Wait> waits;
    private final List<Signal> signals;
    private final PlanRealisation realisation;

    private static final class Wait {
        private final ExternalPoint point;
        private final int memory;
        /** By queue the point of the first submission that has waited. */
        private final List<TimelinePoint> waited = new ArrayList<>(1);

        private Wait(ExternalPoint point, int memory) {
            this.point = point;
            this.memory = memory;
        }

        private boolean isDone(GpuQueue queue) {
            for (int i = 0; i < waited.size(); i++) {
                if (waited.get(i).queue() == queue) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final class Signal {
        private final ExternalPoint point;
        private final int memory;
        private boolean given;

        private Signal(ExternalPoint point, int memory) {
            this.point = point;
            this.memory = memory;
        }
    }

    private FrameSemaphores(List<Wait> waits, List<Signal> signals, PlanRealisation realisation) {
        this.waits = waits;
        this.signals = signals;
        this.realisation = realisation;
    }

    /**
     * Finds what each semaphore concerns.
     *
     * @throws RdgException if the graph of the plan has not registered a resource, a pass of the host uses one, or a
     *     semaphore is of another device
     */
    static FrameSemaphores bind(GpuDevice device, FramePlan plan, PlanRealisation realisation, FrameSync sync) {
        if (sync.waits().isEmpty() && sync.signals().isEmpty()) {
            return new FrameSemaphores(List.of(), List.of(), realisation);
        }
        List<Wait> waits = new ArrayList<>(sync.waits().size());
        for (FrameSync.Edge edge : sync.waits()) {
            waits.add(new Wait(edge.point(), memory(device, plan, realisation, edge, "wait for")));
        }
        List<Signal> signals = new ArrayList<>(sync.signals().size());
        for (FrameSync.Edge edge : sync.signals()) {
            signals.add(new Signal(edge.point(), memory(device, plan, realisation, edge, "signal")));
        }
        return new FrameSemaphores(waits, signals, realisation);
    }

    private static int memory(
            GpuDevice device, FramePlan plan, PlanRealisation realisation, FrameSync.Edge edge, String verb) {
        if (!device.owns(edge.point().semaphore())) {
            throw new RdgException(refusal(plan, edge, verb) + ", which is of another device; import it for this one");
        }
        Resource resource = edge.resource();
        if (resource == null) {
            return FRAME;
        }
        Object identity = PlanTouches.identity(resource);
        requireNotOnHost(plan, realisation, edge, resource, verb);
        int memory = realisation.touches().memories().indexOf(identity);
        if (memory >= 0) {
            return memory;
        }
        for (FramePlan.ResourcePlan outside : plan.outsideResources()) {
            Resource external = outside.external();
            if (external != null && PlanTouches.identity(external).equals(identity)) {
                // Nothing says which batches use an image of a swapchain, which the acquisition orders.
                boolean image = resource instanceof Texture texture && texture.isSwapchainImage();
                return image ? FRAME : UNUSED;
            }
        }
        throw new RdgException(
                refusal(plan, edge, verb) + " for '" + resource.name()
                        + "', which its graph has not registered; register it, or leave the resource out to mean the whole frame");
    }

    private static String refusal(FramePlan plan, FrameSync.Edge edge, String verb) {
        return "a frame of plan '" + plan.name() + "' would " + verb + " semaphore '"
                + edge.point().semaphore().name() + "'";
    }

    private static void requireNotOnHost(
            FramePlan plan, PlanRealisation realisation, FrameSync.Edge edge, Resource resource, String verb) {
        Object identity = PlanTouches.identity(resource);
        for (int group = 0; group < realisation.groupCount(); group++) {
            if (!realisation.isOnHost(group)) {
                continue;
            }
            PassRealisation pass = realisation.group(group).passes().get(0);
            for (int declared : pass.declared()) {
                Resource used = realisation.resource(declared);
                if (used != null && PlanTouches.identity(used).equals(identity)) {
                    throw new RdgException(refusal(plan, edge, verb) + " for '" + resource.name() + "', but pass '"
                            + pass.plan().name()
                            + "' of the host uses that, which semaphores do not order; wait on the host before"
                            + " execute, or leave the resource out to mean the work on the device");
                }
            }
        }
    }

    /**
     * Returns what a batch waits for.
     *
     * @param own receives what it waits for of the device's queues in place of a binary semaphore
     */
    List<ExternalPoint> waits(int batch, GpuQueue queue, List<Submission.Wait> own) {
        List<ExternalPoint> result = List.of();
        for (int i = 0; i < waits.size(); i++) {
            Wait wait = waits.get(i);
            if (!holdsBack(wait, batch, queue)) {
                continue;
            }
            if (wait.point.isOfTimeline() || wait.waited.isEmpty()) {
                result = result.isEmpty() ? new ArrayList<>(waits.size()) : result;
                result.add(wait.point);
            } else {
                SubmissionChain.addWait(own, wait.waited.get(0), wait.point.stages());
            }
        }
        return result;
    }

    /** Notes that a batch waits as {@link #waits} has said. */
    void waited(int batch, TimelinePoint point) {
        for (int i = 0; i < waits.size(); i++) {
            if (holdsBack(waits.get(i), batch, point.queue())) {
                waits.get(i).waited.add(point);
            }
        }
    }

    private boolean holdsBack(Wait wait, int batch, GpuQueue queue) {
        return !wait.isDone(queue) && (wait.memory == FRAME || touches(batch, wait.memory));
    }

    private boolean touches(int batch, int memory) {
        for (int group : realisation.batch(batch).groups()) {
            for (PlanTouches.Touch touch : realisation.touches().touches().get(group)) {
                if (touch.memory() == memory) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns what a batch signals: each semaphore for which all that it follows is complete when this batch is. */
    List<ExternalPoint> signals(int batch, FrameBoundary boundary) {
        List<ExternalPoint> result = List.of();
        for (int i = 0; i < signals.size(); i++) {
            if (isEnd(signals.get(i), batch, boundary)) {
                result = result.isEmpty() ? new ArrayList<>(signals.size()) : result;
                result.add(signals.get(i).point);
            }
        }
        return result;
    }

    /** Notes that a batch signals as {@link #signals} has said. */
    void signalled(int batch, FrameBoundary boundary) {
        for (int i = 0; i < signals.size(); i++) {
            Signal signal = signals.get(i);
            signal.given |= isEnd(signal, batch, boundary);
        }
    }

    private boolean isEnd(Signal signal, int batch, FrameBoundary boundary) {
        PlanRealisation plan = realisation;
        BatchPoint last = boundary.point(batch);
        boolean any = false;
        if (signal.memory == FRAME) {
            for (int other = plan.batchCount() - 1; other >= 0; other--) {
                if (!plan.batch(other).host() && !isBefore(other, batch, last, boundary)) {
                    return false;
                }
            }
            return true;
        }
        for (PlanTouches.Exit exit : plan.touches().exits()) {
            if (exit.memory() == signal.memory && !plan.batch(exit.batch()).host()) {
                if (!isBefore(exit.batch(), batch, last, boundary)) {
                    return false;
                }
                any |= exit.batch() == batch;
            }
        }
        return any;
    }

    /** Returns whether a batch is complete when the one at hand is. */
    private static boolean isBefore(int other, int batch, BatchPoint last, FrameBoundary boundary) {
        BatchPoint point = boundary.point(other);
        return point.queue == last.queue ? other <= batch : point.isKnownTo(last.clock);
    }

    /**
     * Ends the frame: waits for what no batch has waited for, and signals what none has signalled, after everything
     * that was submitted. One submission for each signal, so that one which is refused keeps no other; it is the
     * frame's failure.
     */
    void end(Frame frame, SubmissionChain chain, GpuQueue queue) {
        if (waits.isEmpty() && signals.isEmpty()) {
            return;
        }
        List<ExternalPoint> left = new ArrayList<>(waits.size());
        for (Wait wait : waits) {
            if (wait.waited.isEmpty()) {
                left.add(wait.point.at(ALL));
            }
        }
        for (Signal signal : signals) {
            if (!signal.given && submit(frame, chain, queue, left, List.of(signal.point.at(ALL)))) {
                left = List.of();
            }
        }
        if (!left.isEmpty()) {
            submit(frame, chain, queue, left, List.of());
        }
    }

    private static boolean submit(
            Frame frame,
            SubmissionChain chain,
            GpuQueue queue,
            List<ExternalPoint> waits,
            List<ExternalPoint> signals) {
        try {
            chain.submitAfterAll(
                    queue,
                    new Submission("semaphores of frame " + frame.number(), List.of(), List.of()).with(waits, signals));
            return true;
        } catch (Throwable failure) {
            frame.fail(failure);
            return false;
        }
    }
}
