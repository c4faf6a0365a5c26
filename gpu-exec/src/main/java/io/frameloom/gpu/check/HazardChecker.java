package io.frameloom.gpu.check;

import io.frameloom.gpu.check.judge.HazardReport;
import io.frameloom.gpu.check.judge.Judge;
import io.frameloom.gpu.check.judge.UnneededReport;
import io.frameloom.gpu.check.judge.UnneededSearch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.List;
import java.util.Set;

/**
 * Judges submissions to any backend from their records alone. Reports every race, wrong layout, wrong owner, read of
 * undefined contents, use after close, use without an acquisition, use without memory and use without a declaration;
 * each distinct one once.
 *
 * <p>Give one to {@link io.frameloom.gpu.DeviceOptions#withObserver} when the device is opened, so that it sees
 * everything. Any thread may call any method; calls are serialised. One checker judges one device.
 *
 * <h2>What is correct</h2>
 *
 * <p>The rules are those of the Vulkan specification ("Synchronization and Cache Control"). Two accesses to overlapping
 * bytes or subresources, one of them a write, need an execution dependency. That is a barrier on their queue from the
 * stages of the first to those of the second, or a timeline wait. A chain of such is one, too, if their scopes overlap
 * in a stage. Submission order alone orders nothing.
 *
 * <p>After a write the dependency must also make the write available (source access, or a signal). For a read it must
 * then be made visible, too (destination access of a barrier, or a wait). A write after a write needs no visibility: "X
 * is a write and Y is a write, and X-&gt;AV-&gt;DOM-&gt;Y" ("Location-Ordered" in the memory model of the
 * specification). So a barrier of execution alone is enough after one that has made the first write available; write
 * accesses of a destination matter at most for accesses that both read and write.
 *
 * <p>A layout transition is a write that happens between the two scopes of its barrier. What the host has waited for
 * happens before, and is visible to, everything submitted afterwards. A point that is reached after some stages follows
 * the earlier stages, too, and makes available what these stages themselves wrote: the specification limits the access
 * scope of whatever names source stages to the stages named ("Pipeline Stages"). Its words on semaphores can be read in
 * two ways; the checker takes the narrower one, for the host as for a queue that waits.
 *
 * <p>Placed resources whose bytes overlap alias: a write to, or a transition of, one of them must be ordered after the
 * accesses to the others, and leaves those without contents. Buffers alias by bytes, textures with all of their
 * placement.
 *
 * <p>Contents are undefined at creation, after a transition from UNDEFINED and after a write to an alias. Any declared
 * write of the same region defines them. Mapped buffers are always defined, since the host writes them unseen. What a
 * load operation clears is not read, whatever is declared. A pass may read what it declares to write, for its reads may
 * come after a barrier inside of it.
 *
 * <p>A use as {@link io.frameloom.gpu.command.Access#HOST_WRITE} happens on the host before the submission: the host
 * must have waited for earlier accesses, and everything submitted later sees it. One that does not discard also needs
 * the barrier to the host stage that a read needs. A use as {@link io.frameloom.gpu.command.Access#HOST_READ} needs a
 * barrier to the host stage, whatever the host has waited for. Its reading is over only when the host has waited for
 * the submission, or for a later point: no barrier and no wait of a queue ends it.
 *
 * <p>Uses of one pass are not judged against each other. Nor are writes of one {@linkplain
 * io.frameloom.gpu.command.ResourceUse#overlapGroup group} that have only writes of that group between them.
 *
 * <p>When a {@linkplain io.frameloom.gpu.GpuDevice#beginHostAccess host access} begins, the host must have waited for
 * earlier accesses; it sees what a barrier to the host stage has made visible to it. Work that is submitted before it
 * ends must not touch what it writes, nor write what it reads. An imported resource is closed only when the host has
 * waited for all its uses, for its owner may destroy it then. The device keeps its own resources as long as it needs
 * them.
 *
 * <p>A command may read a buffer that its pass does not declare, such as vertices that are never written any more. It
 * is judged as if it were declared, except for the contents, so a missing declaration is found where it matters. An
 * indexed or indirect draw does not say which part of its buffers it reads. So all of a buffer counts that the pass
 * does not declare, and writes to another part are reported, too: declare the part. Other commands with a resource,
 * part or access that their pass does not declare are not judged, nor are commands outside of passes. {@link
 * #undeclared} lists all of them, except reads of upload buffers: a test asserts that it is empty, too. Of shaders it
 * is known whether they may write, and not which part.
 *
 * <p>What the kernels of the virtual GPU take from a {@linkplain io.frameloom.gpu.pipeline.BindlessTable bindless
 * table} must be declared where it changes. A read of what the pass does not declare is judged as if it did, except
 * for the contents. So what was made visible once may be taken for ever. Writes without a declaration are not judged. A
 * number must be of a slot that was open at the submission. The virtual GPU gives a freed number again only when it has
 * no other left, so its next use is found.
 *
 * <p>A pass may use what it declares from its beginning to its end. So a barrier inside of a pass orders only the
 * pass's own commands, which are not judged. Whatever the pass shares with others needs barriers before its beginning
 * and after its end.
 *
 * <p>A split barrier has its first scope where its event is set and its second where that is waited for. Its transition
 * of a texture happens anywhere between the two. So no use in between is ordered with it, even if the host has waited
 * for that use in between.
 *
 * <p>A wait for a point of an {@link io.frameloom.gpu.command.ExternalTimeline} follows the submissions that signal it
 * or a lower one, if they were submitted before; what the owner of the timeline does is unknown. Resources with one
 * {@linkplain io.frameloom.gpu.resource.Resource#nativeHandle native handle} are one.
 *
 * <p>The family that an imported resource belongs to is unknown: it may be used on any, and the first transfer may
 * acquire it, the engine having released it. What was released to a family may be acquired from there again, in
 * whatever layout, for the engine had it in between.
 *
 * <p>Images of swapchains belong to the presentation engine, whose reading counts as a write by one more queue: it
 * happens before the acquisition. The wait for the acquisition makes it visible to its stages alone, so a transition of
 * the image needs these as source stages. Contents are undefined after an acquisition. A submission that hands the
 * image over must come after all accesses to it, and leave it in {@link
 * io.frameloom.gpu.resource.TextureLayout#PRESENT}; from then to the next acquisition no work may use it ("WSI
 * Swapchain" in the Vulkan specification).
 *
 * <p>A {@linkplain io.frameloom.gpu.command.GpuQueue#bind binding} is a write of the levels that it names, ordered with
 * all of its queue. It leaves nothing of their contents. A pass must not use a level of a sparse texture that has no
 * memory; a barrier may name it.
 *
 * <h2>What is not needed</h2>
 *
 * <p>On request the checker also finds {@linkplain #unneeded waits and barriers} without which the submissions would be
 * as correct. Each is left out in a judgement of its own. It is not needed exactly if that finds no further hazard and
 * no other owner can notice. So the work that is complete when an external timeline is signalled has to stay. So do the
 * layouts and owners of imported resources at that time and at their close. What the device writes to memory for
 * {@linkplain io.frameloom.gpu.resource.MemoryUsage#READBACK reading back} the host reads when it has waited for that,
 * whether a pass declares it or not.
 *
 * <p>Not tried are barriers inside of passes, and waits and barriers before the first pass of a submission that uses an
 * imported resource: they may be for its owner. Those that may be for {@linkplain #undeclared undeclared} commands are
 * not reported. The work that needs a wait or barrier may come much later. So it is reported when nothing can need it
 * any more: at once if something else does the same, else when the host has waited for all that it could concern, and
 * at last by {@link #finish}.
 *
 * <h2>How it works</h2>
 *
 * <p>Happens-before race detection with vector clocks (Lamport: "Time, clocks, and the ordering of events in a
 * distributed system"; Mattern: "Virtual time and global states of distributed systems"). A source scope is always a
 * prefix of its queue's submission order cut by stages, so one number per queue and stage describes it exactly. Clocks
 * have one component per queue and stage. Each queue has one clock per stage of its later work, with separate clocks
 * for execution, availability and visibility.
 *
 * <p>Each region of a resource keeps its last write, and the newest read per queue and stage since. With the write it
 * keeps the memory operations that barriers of this resource applied to it. Of writes that need no order among each
 * other it keeps the newest per queue and stages, and what was before them. Older accesses are implied by these, as in
 * FastTrack (Flanagan, Freund: "FastTrack: efficient and precise dynamic race detection"). Regions are sorted. So are
 * the resources of a heap; those that have neither accesses nor contents are passed over. So an access costs a few
 * comparisons for each region that it touches, whatever was before.
 *
 * <p>Memory is bounded by the live resources, their regions and the timeline points that the host has not waited for:
 * whatever the host has seen complete is forgotten.
 */
public final class HazardChecker implements SubmissionObserver {
    private static final int SWEEP_INTERVAL = 256;

    private final HazardReport report = new HazardReport();
    private final UnneededReport unneeded = new UnneededReport();
    private final Judge judge = new Judge(report);
    private final UnneededSearch search;
    private long submissions;
    private long passes;
    /** Submissions to judge before the next sweep, which forgets finished work even if no thread waits. */
    private int untilSweep = SWEEP_INTERVAL;

    /** A checker that has seen nothing and looks for hazards alone. */
    public HazardChecker() {
        this(UnneededSync.Search.NONE);
    }

    /** A checker that has seen nothing and also looks for waits and barriers that are not needed. */
    public HazardChecker(UnneededSync.Search search) {
        this.search = new UnneededSearch(search, unneeded);
    }

    /** A checker that reports what is not needed to a receiver of findings. */
    HazardChecker(UnneededSync.Search search, UnneededSearch.Findings findings) {
        this.search = new UnneededSearch(search, findings);
    }

    @Override
    public synchronized void submitted(SubmissionRecord record) {
        Judge before = search.before(record, judge);
        passes += judge.judge(record);
        Set<HazardReport.Found> hazards = report.takeRecent();
        search.submitted(record, before, hazards, judge);
        submissions++;
        if (--untilSweep <= 0) {
            judge.retire();
            search.retire();
            // So a sweep costs each submission a few looks, however much is in progress.
            untilSweep = Math.max(SWEEP_INTERVAL, judge.resources().active());
        }
    }

    @Override
    public synchronized void hostWaited(TimelinePoint point) {
        judge.hostWaited(point);
        search.hostWaited(point, judge);
        judge.forgetSeen();
        search.forgetSeen(judge);
    }

    @Override
    public synchronized void hostBegan(HostAccess access) {
        search.beginning(judge);
        judge.hostBegan(access);
        Set<HazardReport.Found> hazards = report.takeRecent();
        search.hostBegan(access, hazards);
    }

    @Override
    public synchronized void hostEnded(HostAccess access) {
        judge.hostEnded(access);
        search.hostEnded(access);
    }

    @Override
    public synchronized void closed(Resource resource) {
        search.closing(resource, judge);
        judge.closed(resource);
        Set<HazardReport.Found> hazards = report.takeRecent();
        search.closed(resource, hazards);
    }

    @Override
    public synchronized void takenBack(DeviceEventSet events) {
        judge.takenBack(events);
        search.takenBack(events);
    }

    @Override
    public synchronized void taken(
            SubmissionRecord.TableContents contents, String slot, ResourceUse read, boolean freed) {
        judge.taken(contents, slot, read, freed);
        report.takeRecent();
    }

    /**
     * Ends the search: reports the waits and barriers that nothing has needed so far. Call it when nothing more is
     * submitted, or nothing that depends on earlier submissions.
     */
    public synchronized void finish() {
        search.finish(judge);
    }

    /** Returns the distinct hazards found so far, at most 10,000, in the order in which they were found. */
    public synchronized List<Hazard> hazards() {
        return report.hazards();
    }

    /**
     * Returns the uses by commands in no pass, or of passes that do not declare them so. They may be right, such as
     * draws from vertex buffers that are never written any more. Of these, only reads of buffers by commands of a pass
     * are judged. Each resource and pass once, at most 10,000.
     */
    public synchronized List<Hazard> undeclared() {
        return report.undeclared();
    }

    /** Returns how often a finding of {@link #hazards} or {@link #undeclared} was made; 0 for any other object. */
    public synchronized long occurrences(Hazard hazard) {
        return report.occurrences(hazard);
    }

    /** Returns how many hazards were found, repeated ones included. */
    public synchronized long total() {
        return report.total();
    }

    /**
     * Returns the distinct waits and barriers, and bits of their masks, that are known not to be needed. At most
     * 10,000, in the order in which that became known; empty unless they are looked for.
     */
    public synchronized List<UnneededSync> unneeded() {
        return unneeded.findings();
    }

    /** Returns how often a finding of {@link #unneeded} was made. */
    public synchronized long occurrences(UnneededSync finding) {
        return unneeded.occurrences(finding);
    }

    /** Returns the number of submissions judged. */
    public synchronized long submissionsChecked() {
        return submissions;
    }

    /** Returns the number of passes judged. */
    public synchronized long passesChecked() {
        return passes;
    }

    /** Returns the number of first halves of split barriers that are kept. */
    synchronized int setEvents() {
        return judge.setEvents();
    }

    /** Returns the number of resources whose history is kept. */
    synchronized int trackedResources() {
        return judge.resources().size();
    }
}
