package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything known of the submissions so far, by which the next one is judged. */
public final class Judge {
    private final ResourceTable resources;
    private final HostView host;
    private final List<QueueClocks> queues;
    private final SetEvents events;
    private final ExternalSignals externals;
    private final EarlyCloses earlyCloses;
    private final HazardSink sink;
    private final HostJudge hosts;
    private final PassJudge passes;
    private final BarrierJudge barriers;
    private final PresentationJudge presentation;
    private final BindingJudge bindings;
    /** Null in a fork: what is taken from tables is found once. */
    private final @Nullable TableJudge tables;

    private long submissions;

    public Judge(HazardSink sink) {
        this.resources = new ResourceTable();
        this.host = new HostView();
        this.queues = new ArrayList<>();
        this.events = new SetEvents();
        this.externals = new ExternalSignals();
        this.earlyCloses = new EarlyCloses();
        this.sink = sink;
        this.hosts = new HostJudge(resources, host, sink, List.of());
        this.passes = new PassJudge(resources, host, hosts, sink);
        this.barriers = new BarrierJudge(resources, host, sink);
        this.presentation = new PresentationJudge(resources, host, sink, 0);
        this.bindings = new BindingJudge(resources, host, sink);
        this.tables = new TableJudge(resources, host, hosts, sink);
    }

    private Judge(Judge from, HazardSink sink) {
        this.resources = from.resources.fork();
        this.host = from.host.copy();
        this.queues = new ArrayList<>(from.queues.size());
        from.queues.forEach(queue -> queues.add(queue.copy()));
        this.events = from.events.copy();
        this.externals = from.externals.copy();
        this.earlyCloses = from.earlyCloses.fork();
        this.submissions = from.submissions;
        this.sink = sink;
        this.hosts = new HostJudge(resources, host, sink, from.hosts.open());
        this.passes = new PassJudge(resources, host, hosts, sink);
        this.barriers = new BarrierJudge(resources, host, sink);
        this.presentation = new PresentationJudge(resources, host, sink, from.presentation.acquisitions());
        this.bindings = new BindingJudge(resources, host, sink);
        this.tables = null;
    }

    /**
     * Returns a judge that begins with the knowledge of this one, and judges everything that this one does from here
     * on, each time after this one. A fork that has judged nothing can be forked itself.
     */
    Judge fork(HazardSink sink) {
        return new Judge(this, sink);
    }

    /** Judges a submission; returns the number of its passes. */
    public int judge(SubmissionRecord record) {
        earlyCloses.report(resources, host, submissions++, sink);
        QueueClocks clocks = clocks(record.queue());
        for (Submission.Wait wait : record.waits()) {
            Signal signal = clocks(wait.point().queue()).signalOf(wait.point().value());
            if (signal != null) {
                clocks.waitFor(signal, wait.stages());
            }
        }
        for (ExternalPoint point : record.externalWaits()) {
            Signal signal = externals.reachedBy(point);
            if (signal != null) {
                clocks.waitFor(signal, point.stages());
            }
        }
        for (Submission.Acquire acquire : record.acquires()) {
            presentation.acquire(clocks, acquire);
        }
        int count = 0;
        long began = 0;
        boolean binds = false;
        for (int i = 0; i < record.commands().size(); i++) {
            SubmissionRecord.Command command = record.commands().get(i);
            long at = clocks.next();
            if (command instanceof SubmissionRecord.Pass pass) {
                count += pass.continued() ? 0 : 1;
                began = pass.continued() ? began : at;
                passes.judge(new Submitted(record, i, clocks, at, began), pass);
            } else if (command instanceof SubmissionRecord.Barrier barrier) {
                barriers.judge(new Submitted(record, i, clocks, at, at), barrier.batch());
            } else if (command instanceof SubmissionRecord.SetEvent half) {
                events.set(half.events(), half.index(), clocks.half(at, host));
            } else if (command instanceof SubmissionRecord.WaitEvent half) {
                FirstHalf first = events.take(half.events(), half.index(), clocks.queue(), host);
                barriers.judgeSplit(new Submitted(record, i, clocks, at, at), half.batch(), first);
            } else if (command instanceof SubmissionRecord.Undeclared use) {
                undeclared(record, use);
                ResourceUse.OfBuffer read = use.read();
                if (read != null) {
                    checkUndeclared(new Submitted(record, i, clocks, at, began), use, read);
                }
            } else if (command instanceof SubmissionRecord.TableUse use) {
                if (tables != null) {
                    tables.submitted(new Submitted(record, i, clocks, at, use.pass() == null ? at : began), use);
                }
            } else if (command instanceof SubmissionRecord.Undefined left) {
                undefined(left);
            } else if (command instanceof SubmissionRecord.Discard taken) {
                discard(record, taken.use());
            } else if (command instanceof SubmissionRecord.Bind bind) {
                bindings.judge(new Submitted(record, i, clocks, at, at), bind);
                binds = true;
            }
        }
        Signal everything = clocks.signal(record.value(), record.signalStages());
        if (binds) {
            clocks.waitFor(everything, PipelineStage.ALL_COMMANDS.bit());
        }
        for (AcquiredImage image : record.presents()) {
            presentation.hand(record, everything, image);
        }
        externals.begin();
        for (ExternalPoint point : record.externalSignals()) {
            externals.signal(point, clocks.signalAfter(point.stages()));
        }
        return count;
    }

    /** Contents that a render pass loses count as never written; the accesses remain. */
    private void undefined(SubmissionRecord.Undefined left) {
        TrackedResource tracked = resources.of(left.texture());
        Box box = tracked.clip(Box.of(left.range()));
        if (box != null) {
            tracked.select(box).forEach(region -> region.defined = false);
        }
    }

    private void discard(SubmissionRecord record, ResourceUse use) {
        TrackedResource tracked = resources.of(use.resource());
        Box box = tracked.clip(Box.of(use));
        if (box != null) {
            tracked.select(box).forEach(region -> {
                region.discardedBy(record.queue().family());
                region.defined = false;
            });
        }
    }

    private void undeclared(SubmissionRecord record, SubmissionRecord.Undeclared use) {
        String pass = use.pass();
        String name = use.resource().name();
        sink.undeclared(
                use.resource(),
                pass == null ? "submission '" + record.label() + "'" : pass,
                () -> pass == null
                        ? "submission '" + record.label() + "' has commands outside of any pass that use '" + name
                                + "', so that nothing is known of their accesses; record them in a pass that declares"
                                + " it"
                        : use.use() != null
                                ? "pass '" + pass + "' " + use.use() + ", of which it declares something else, so that"
                                        + " what it does is not judged; add the use to those of the pass"
                                : "pass '" + pass + "' has commands that use '" + name
                                        + "', which it does not declare, so that nothing is known of their accesses;"
                                        + " add the use to those of the pass");
    }

    /** A read that nothing declares has to come after earlier writes, and before later ones, all the same. */
    private void checkUndeclared(Submitted at, SubmissionRecord.Undeclared use, ResourceUse.OfBuffer read) {
        String pass = Objects.requireNonNull(use.pass());
        HazardSink explaining = (found, words) -> sink.add(
                found,
                () -> words.get() + "; pass '" + pass + "' does not declare that it uses '"
                        + use.resource().name() + "' as " + read.access()
                        + (isAllOfDraw(read) ? " (all of it, as far as the draw says)" : "")
                        + ": declare it, and the barrier follows");
        new PassJudge(resources, host, hosts, explaining).judgeUndeclared(at, pass, read);
    }

    /** Returns whether a draw reads a whole buffer, or it is unknown which part. */
    private static boolean isAllOfDraw(ResourceUse.OfBuffer read) {
        return (read.access() == Access.VERTEX || read.access() == Access.INDEX)
                && read.bytes() == read.resource().description().bytes();
    }

    /** Notes that the host has seen a point; {@link #forgetSeen} is to follow. */
    public void hostWaited(TimelinePoint point) {
        host.waited();
        clocks(point.queue()).hostWaited(point.value(), host);
    }

    /** Judges that a kernel of the virtual GPU takes a slot of a bindless table. */
    public void taken(SubmissionRecord.TableContents contents, String slot, ResourceUse read, boolean freed) {
        if (tables != null) {
            tables.taken(contents, slot, read, freed);
        }
    }

    public void hostBegan(HostAccess access) {
        hosts.began(access);
    }

    public void hostEnded(HostAccess access) {
        hosts.ended(access);
    }

    public void closed(Resource resource) {
        earlyCloses.closed(resources, resource, host, sink);
    }

    /** Forgets the signals, and whatever else no later access can conflict with, because the host has seen it. */
    public void forgetSeen() {
        queues.forEach(queue -> queue.forgetSeen(host));
        externals.forgetSeen(host);
        if (tables != null) {
            tables.forgetSeen();
        }
        retire();
    }

    public void takenBack(DeviceEventSet set) {
        events.forget(set);
    }

    /** Forgets what no later access can conflict with, and looks for resources that were closed too early. */
    public void retire() {
        resources.retire(host, events.seenByAll(host));
        earlyCloses.find(resources, host, submissions);
    }

    /**
     * Returns whether the submission judged last signals the same to the owners of other timelines: the same work is
     * done, and their resources are in the same state.
     */
    boolean signalsOthersAs(Judge actual) {
        return externals.signalledAs(host, actual.externals) && (!externals.hasSignalled() || leavesImportedAs(actual));
    }

    /** Returns whether the owners of imported resources find them in the same layouts and with the same families. */
    boolean leavesImportedAs(Judge actual) {
        return resources.leavesImportedAs(actual.resources);
    }

    /** Returns whether the owner of a resource finds it in the same layout and with the same family. */
    boolean leavesAs(Resource resource, Judge actual) {
        return resources.leavesAs(resource, actual.resources);
    }

    /** Returns whether a resource was closed too early by what the host has seen here, but not by what it has there. */
    boolean closesMoreThan(Judge actual) {
        return resources.anyMatch(tracked -> {
            TrackedResource theirs = actual.resources.known(tracked.resource());
            return tracked.isGivenBack()
                    && tracked.pendingPass(host) != null
                    && (theirs == null || theirs.pendingPass(actual.host) == null);
        });
    }

    /** Returns whether there is something that the host may read there and not here. */
    boolean hidesMoreThan(Judge actual) {
        Shown known = host.shown();
        Shown there = actual.host.shown();
        return resources.anyReadback(actual.resources, (mine, theirs) -> mine.hidesMoreThan(theirs, known, there));
    }

    /** As {@link #hidesMoreThan}, when the host has waited for everything. */
    boolean leavesMoreHiddenThan(Judge actual) {
        Shown known = shownAtLast();
        Shown there = actual.shownAtLast();
        return resources.anyReadback(
                actual.resources, (mine, theirs) -> mine.leavesMoreHiddenThan(theirs, known, there));
    }

    private Shown shownAtLast() {
        Shown all = host.shown().copy();
        for (QueueClocks queue : queues) {
            all.raise(queue.shown());
            all.reached(queue.queue(), Long.MAX_VALUE);
        }
        return all;
    }

    /** Makes this fork independent of what its original forgets next, if the host has seen less here than there. */
    void keepWhatOnly(Judge actual) {
        if (!host.sameAs(actual.host)) {
            resources.keepPending();
            queues.forEach(QueueClocks::keepSignals);
        }
    }

    public ResourceTable resources() {
        return resources;
    }

    /** Returns the number of events that were set, and neither waited for nor taken back. */
    public int setEvents() {
        return events.size();
    }

    /** Returns whether this one and {@code actual}, which has seen the same, judge everything later alike. */
    boolean agreesWith(Judge actual) {
        if (!host.sameAs(actual.host) || queues.size() != actual.queues.size()) {
            return false;
        }
        for (int i = 0; i < queues.size(); i++) {
            if (!queues.get(i).sameAbove(host, actual.queues.get(i))) {
                return false;
            }
        }
        return events.sameAs(actual.events) && resources.sameAbove(events.seenByAll(host), actual.resources);
    }

    private QueueClocks clocks(GpuQueue queue) {
        while (queues.size() <= queue.index()) {
            queues.add(new QueueClocks(queues.size()));
        }
        return queues.get(queue.index());
    }
}
