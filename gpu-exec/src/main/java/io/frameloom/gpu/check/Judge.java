package io.frameloom.gpu.check;

import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.List;

/** All that is known of what was submitted so far, by which the next submission is judged. */
final class Judge {
    private final ResourceTable resources;
    private final Clock host;
    private final List<QueueClocks> queues;
    private final PassJudge passes;
    private final BarrierJudge barriers;
    private final PresentationJudge presentation;

    /** A judge that has seen nothing. */
    Judge(HazardSink sink) {
        this(new ResourceTable(), new Clock(), new ArrayList<>(), 0, sink);
    }

    private Judge(ResourceTable resources, Clock host, List<QueueClocks> queues, long acquisitions, HazardSink sink) {
        this.resources = resources;
        this.host = host;
        this.queues = queues;
        this.passes = new PassJudge(resources, host, sink);
        this.barriers = new BarrierJudge(resources, host, sink);
        this.presentation = new PresentationJudge(resources, host, sink, acquisitions);
    }

    /**
     * Returns a judge that begins with the knowledge of this one, and judges everything that this one does from here on, each
     * time after this one. A fork that has judged nothing can be forked itself.
     */
    Judge fork(HazardSink sink) {
        List<QueueClocks> clocks = new ArrayList<>(queues.size());
        queues.forEach(queue -> clocks.add(queue.copy()));
        return new Judge(resources.fork(), host.copy(), clocks, presentation.acquisitions(), sink);
    }

    /** Judges a submission; returns the number of its passes. */
    int judge(SubmissionRecord record) {
        QueueClocks clocks = clocks(record.queue());
        for (Submission.Wait wait : record.waits()) {
            QueueClocks.Signal signal =
                    clocks(wait.point().queue()).signalOf(wait.point().value());
            if (signal != null) {
                clocks.waitFor(signal, wait.stages());
            }
        }
        for (Submission.Acquire acquire : record.acquires()) {
            presentation.acquire(clocks, acquire);
        }
        int count = 0;
        for (int i = 0; i < record.commands().size(); i++) {
            SubmissionRecord.Command command = record.commands().get(i);
            Submitted at = new Submitted(record, i, clocks, clocks.next());
            if (command instanceof SubmissionRecord.Pass pass) {
                count++;
                passes.judge(at, pass);
            } else if (command instanceof SubmissionRecord.Barrier barrier) {
                barriers.judge(at, barrier.batch());
            }
        }
        QueueClocks.Signal everything = clocks.signal(record.value(), record.signalStages());
        for (SwapchainImage image : record.presents()) {
            presentation.hand(record, everything, image);
        }
        return count;
    }

    /** Notes that the host has seen a point; {@link #forgetSeen} is to follow. */
    void hostWaited(TimelinePoint point) {
        clocks(point.queue()).hostWaited(point.value(), host);
    }

    /** Forgets the signals, and what else can meet nothing any more, because the host has seen them. */
    void forgetSeen() {
        queues.forEach(queue -> queue.forgetSeen(host));
        retire();
    }

    /** Forgets what can meet nothing any more. */
    void retire() {
        resources.retire(host);
    }

    /** Makes this fork independent of what its original forgets next, if the host has seen less here than there. */
    void keepWhatOnly(Judge actual) {
        if (!host.sameAbove(new Clock(), actual.host)) {
            resources.keepPending();
        }
    }

    /** Returns what the host has seen complete. */
    Clock host() {
        return host;
    }

    ResourceTable resources() {
        return resources;
    }

    /** Returns whether whatever comes is judged alike by this one and by {@code actual}, which has seen the same. */
    boolean agreesWith(Judge actual) {
        if (!host.sameAbove(new Clock(), actual.host) || queues.size() != actual.queues.size()) {
            return false;
        }
        for (int i = 0; i < queues.size(); i++) {
            if (!queues.get(i).sameAbove(host, actual.queues.get(i))) {
                return false;
            }
        }
        return resources.sameAbove(host, actual.resources);
    }

    private QueueClocks clocks(GpuQueue queue) {
        while (queues.size() <= queue.index()) {
            queues.add(new QueueClocks(queues.size()));
        }
        return queues.get(queue.index());
    }
}
