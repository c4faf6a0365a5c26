package io.frameloom.gpu.check;

import io.frameloom.gpu.SubmissionObserver;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.TimelinePoint;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges submissions to any backend from their records alone, and reports every race, wrong layout, wrong owner, read of
 * undefined contents, use after close and use without an acquisition, each distinct one once.
 *
 * <p>Give one to {@link io.frameloom.gpu.DeviceOptions#withObserver} when the device is opened, so that it sees everything.
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
 * barrier to the host stage, and its reading is over only when the host has waited for the submission, or for a point behind
 * it: no barrier and no wait of a queue ends it. Uses of one pass are not judged against each other, nor writes of one {@linkplain io.frameloom.gpu.ResourceUse#overlapGroup group} that
 * have nothing but writes of that group between them. A resource is closed only when the host has waited for all that uses
 * it.
 *
 * <p>A pass may use what it declares from its begin to its end. So a barrier inside of a pass orders what the pass does
 * itself, which is not judged, and nothing that it has in common with others: they need barriers before its begin and behind
 * its end.
 *
 * <p>A wait for a point of an {@link io.frameloom.gpu.ExternalTimeline} follows the submissions that were told to signal it
 * or a lower one, if they were submitted before; what the owner of the timeline does is unknown. Resources with one
 * {@linkplain io.frameloom.gpu.Resource#nativeHandle native handle} are one.
 *
 * <p>Images of swapchains belong to the presentation engine, whose reading counts as a write by one more queue: it happens
 * before the acquisition, and the wait for the acquisition makes it visible to its stages alone, so a transition of the
 * image needs these as source stages. Contents are undefined after an acquisition. A submission that hands the image over
 * must come after all accesses to it, and leave it in {@link io.frameloom.gpu.TextureLayout#PRESENT}; from then to the next
 * acquisition no work may use it ("WSI Swapchain" in the Vulkan specification).
 *
 * <h2>What is not needed</h2>
 *
 * <p>Asked to, the checker also finds {@linkplain #unneeded waits and barriers} without which the submissions would be as
 * correct: each is left out in a judgement of its own, and is not needed exactly if that finds no hazard that is not there
 * anyway, and if nobody else can tell: what is done when an external timeline is signalled, and the layouts and owners of
 * imported resources at that time, have to stay. Barriers inside of passes are not tried. What a wait or barrier is needed for may come much later, so it is reported when nothing can need it any more:
 * at once if something else does the same, else when the host has waited for all that it could concern, and at last by
 * {@link #finish}.
 *
 * <h2>How it works</h2>
 *
 * <p>Happens-before race detection with vector clocks (Lamport: "Time, clocks, and the ordering of events in a distributed
 * system"; Mattern: "Virtual time and global states of distributed systems"). A source scope is always a prefix of its
 * queue's submission order cut by stages, so one number per queue and stage describes it exactly: clocks have one
 * component per queue and stage, and each queue has one clock per stage of its later work, with separate clocks for
 * execution, availability and visibility. Each region of a resource keeps its last write, with the memory operations that
 * barriers of this resource applied to it, and the newest read per queue and stage since; of writes that need no order
 * among each other it keeps the newest per queue and stages, and what was before them. Older accesses are implied by
 * these, as in FastTrack (Flanagan, Freund: "FastTrack: efficient and precise dynamic race detection"). So an access costs
 * a few comparisons, whatever was before.
 *
 * <p>Memory is bounded by the live resources, their regions and the timeline points that the host has not waited for:
 * whatever the host has seen complete is forgotten.
 */
public final class HazardChecker implements SubmissionObserver {
    private static final int SWEEP_INTERVAL = 256;

    private final HazardReport report = new HazardReport();
    private final UnneededReport unneeded = new UnneededReport();
    private final Judge judge = new Judge(report);
    private final @Nullable UnneededSearch search;
    private long submissions;
    private long passes;

    /** A checker that has seen nothing and looks for hazards alone. */
    public HazardChecker() {
        this(UnneededSync.Search.NONE);
    }

    /** A checker that has seen nothing and also looks for waits and barriers that are not needed. */
    public HazardChecker(UnneededSync.Search search) {
        this.search = search == UnneededSync.Search.NONE ? null : new UnneededSearch(search, unneeded);
    }

    /** A checker that tells somebody else what is not needed. */
    HazardChecker(UnneededSync.Search search, UnneededSearch.Findings findings) {
        this.search = new UnneededSearch(search, findings);
    }

    @Override
    public synchronized void submitted(SubmissionRecord record) {
        Judge before = search == null ? null : search.before(record, judge);
        passes += judge.judge(record);
        Set<HazardReport.Key> hazards = report.takeRecent();
        if (search != null) {
            search.submitted(record, before, hazards, judge);
        }
        if (++submissions % SWEEP_INTERVAL == 0) {
            judge.retire();
            if (search != null) {
                search.retire();
            }
        }
    }

    @Override
    public synchronized void hostWaited(TimelinePoint point) {
        judge.hostWaited(point);
        if (search != null) {
            search.hostWaited(point, judge);
        }
        judge.forgetSeen();
        if (search != null) {
            search.forgetSeen(judge);
        }
    }

    /**
     * Says that nothing is submitted any more, or nothing that has to do with what was: waits and barriers that nothing
     * has needed so far are reported.
     */
    public synchronized void finish() {
        if (search != null) {
            search.finish(judge);
        }
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

    /**
     * Returns the distinct waits and barriers, and bits of their masks, that are known not to be needed, at most 10,000, in
     * the order in which that became known; empty unless they are looked for.
     */
    public synchronized List<UnneededSync> unneeded() {
        return unneeded.findings();
    }

    /** Returns how often a finding of {@link #unneeded} was made. */
    public synchronized long occurrences(UnneededSync finding) {
        return unneeded.occurrences(finding);
    }

    /**
     * Returns how many waits, barriers and bits are still undecided because more were open at a time than are kept; they
     * are not reported.
     */
    public synchronized long undecided() {
        return search == null ? 0 : search.undecided();
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
        return judge.resources().size();
    }
}
