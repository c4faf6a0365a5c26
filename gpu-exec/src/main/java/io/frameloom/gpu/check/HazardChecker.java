package io.frameloom.gpu.check;

import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubmissionObserver;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges submissions to any backend from their records alone, and reports every race, wrong layout, wrong owner, read of
 * undefined contents and use after close, each distinct one once.
 *
 * <p>Give one to {@link io.frameloom.gpu.DeviceOptions#observer} when the device is opened, so that it sees everything.
 * Any thread may call any method; calls are serialised. One checker judges one device.
 *
 * <h2>What is correct</h2>
 *
 * <p>The rules are those of the Vulkan specification ("Synchronization and Cache Control"). Two accesses to overlapping
 * bytes or subresources, one of them a write, need an execution dependency: a barrier on their queue from the stages of
 * the first to the stages of the second, a timeline wait, or a chain of such whose scopes overlap in a stage. After a
 * write the dependency must also make the write available (source access, or a signal) and then visible (destination
 * access of a barrier, or a wait). Submission order alone orders nothing. A layout transition is a write that happens
 * between the two scopes of its barrier. What the host has waited for happens before, and is visible to, everything
 * submitted afterwards.
 *
 * <p>Placed resources whose bytes overlap alias: a write to, or a transition of, one of them must be ordered after the
 * accesses to the others, and leaves those without contents. Buffers alias by bytes, textures with all of their
 * placement.
 *
 * <p>Contents are undefined at creation, after a transition from UNDEFINED and after a write to an alias, and defined by
 * any declared write of the same region; mapped buffers are always defined, since the host writes them unseen. A use as
 * {@link io.frameloom.gpu.Access#HOST_WRITE} happens on the host before the submission: the host must have waited for
 * earlier accesses, and everything submitted later sees it. A use as {@link io.frameloom.gpu.Access#HOST_READ} needs a
 * barrier to the host stage, and its reading is over only when the host has waited for the submission. Uses of one pass
 * are not judged against each other.
 *
 * <h2>How it works</h2>
 *
 * <p>Happens-before race detection with vector clocks (Lamport: "Time, clocks, and the ordering of events in a distributed
 * system"; Mattern: "Virtual time and global states of distributed systems"). A source scope is always a prefix of its
 * queue's submission order cut by stages, so one number per queue and stage describes it exactly: clocks have one
 * component per queue and stage, and each queue has one clock per stage of its later work, with separate clocks for
 * execution, availability and visibility. Each region of a resource keeps its last write, with the memory operations that
 * barriers of this resource applied to it, and the newest read per queue and stage since; older accesses are implied by
 * these, as in FastTrack (Flanagan, Freund: "FastTrack: efficient and precise dynamic race detection"). So an access costs
 * a few comparisons, whatever was before.
 *
 * <p>Memory is bounded by the live resources, their regions and the timeline points that the host has not waited for:
 * whatever the host has seen complete is forgotten.
 */
public final class HazardChecker implements SubmissionObserver {
    private static final int SWEEP_INTERVAL = 256;

    private final HazardReport report = new HazardReport();
    private final ResourceTable resources = new ResourceTable();
    private final Clock host = new Clock();
    private final List<QueueClocks> queues = new ArrayList<>();
    private final PassJudge passJudge = new PassJudge(resources, host, report);
    private final BarrierJudge barrierJudge = new BarrierJudge(resources, host, report);
    private long submissions;
    private long passes;

    /** A checker that has seen nothing. */
    public HazardChecker() {}

    @Override
    public synchronized void submitted(SubmissionRecord record) {
        QueueClocks clocks = clocks(record.queue());
        for (Submission.Wait wait : record.waits()) {
            QueueClocks.Signal signal =
                    clocks(wait.point().queue()).signalOf(wait.point().value());
            if (signal != null) {
                clocks.waitFor(signal, wait.stages());
            }
        }
        for (int i = 0; i < record.commands().size(); i++) {
            SubmissionRecord.Command command = record.commands().get(i);
            Submitted at = new Submitted(record, i, clocks, clocks.next());
            if (command instanceof SubmissionRecord.Pass pass) {
                passes++;
                passJudge.judge(at, pass);
            } else if (command instanceof SubmissionRecord.Barrier barrier) {
                barrierJudge.judge(at, barrier.batch());
            }
        }
        clocks.signal(record.value(), record.signalStages());
        if (++submissions % SWEEP_INTERVAL == 0) {
            resources.retire(host);
        }
    }

    @Override
    public synchronized void hostWaited(TimelinePoint point) {
        clocks(point.queue()).hostWaited(point.value(), host);
        queues.forEach(queue -> queue.forgetSeen(host));
        resources.retire(host);
    }

    /** Returns the distinct hazards found so far, at most 10,000, in the order in which they were found. */
    public synchronized List<Hazard> hazards() {
        return report.hazards();
    }

    /** Returns how often a hazard of {@link #hazards} was found. */
    public synchronized long occurrences(Hazard hazard) {
        return report.occurrences(hazard);
    }

    /** Returns how many hazards were found, repeated ones included. */
    public synchronized long total() {
        return report.total();
    }

    /** Returns the number of submissions judged. */
    public synchronized long submissionsChecked() {
        return submissions;
    }

    /** Returns the number of passes judged. */
    public synchronized long passesChecked() {
        return passes;
    }

    /** Returns the number of resources whose history is kept. */
    synchronized int trackedResources() {
        return resources.size();
    }

    private QueueClocks clocks(GpuQueue queue) {
        while (queues.size() <= queue.index()) {
            queues.add(new QueueClocks(queues.size()));
        }
        return queues.get(queue.index());
    }
}
