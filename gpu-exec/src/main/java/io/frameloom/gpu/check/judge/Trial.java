package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Resource;
import java.util.Set;
import java.util.function.Supplier;

/** What the submissions would be without one wait, barrier or bit of either. */
final class Trial implements HazardSink {
    private final SubmissionRecord record;
    private final SyncElement element;
    private final Judge judge;
    private Set<HazardReport.Found> excused = Set.of();
    private boolean broken;

    /**
     * Leaves something out.
     *
     * @param before what was known before the submission, never to judge itself
     */
    Trial(SubmissionRecord record, SyncElement element, Judge before) {
        this.record = record;
        this.element = element;
        this.judge = before.fork(this);
        Resource resource = element.resource(record);
        if (resource != null) {
            // The effect of the barrier on the resource and its aliases is missed here, so they have to be compared.
            judge.resources().aliasesOf(judge.resources().of(resource));
        }
    }

    SyncElement element() {
        return element;
    }

    /** Returns whether something is wrong without the element that is right with it. */
    boolean isBroken() {
        return broken;
    }

    Judge judge() {
        return judge;
    }

    /**
     * Judges the submission without the element.
     *
     * @param actual what is known after the submission with it
     */
    void begin(Set<HazardReport.Found> hazards, Judge actual) {
        submitted(element.without(record), hazards, actual);
    }

    /** Judges a submission, which has some hazards anyway. */
    void submitted(SubmissionRecord submission, Set<HazardReport.Found> hazards, Judge actual) {
        excused = hazards;
        judge.judge(submission);
        // What an external owner does after a signal is unknown, and may need whatever the signal follows.
        broken |= !judge.signalsOthersAs(actual);
    }

    /** Judges an access to mapped memory that the host begins, which has some hazards anyway. */
    void hostBegan(HostAccess access, Set<HazardReport.Found> hazards) {
        excused = hazards;
        judge.hostBegan(access);
    }

    /** A resource is about to be closed: an imported one goes back to its owner as it is. */
    void closing(Resource resource, Judge actual) {
        broken |= resource.imported() != null && !judge.leavesAs(resource, actual);
    }

    /** A resource is closed, which has some hazards anyway. */
    void closed(Resource resource, Set<HazardReport.Found> hazards) {
        excused = hazards;
        judge.closed(resource);
    }

    /** The host has waited for something, which it may read now. */
    void seen(Judge actual) {
        broken |= judge.hidesMoreThan(actual);
    }

    /** Nothing comes any more. */
    void finish(Judge actual) {
        broken |= judge.closesMoreThan(actual) || judge.leavesMoreHiddenThan(actual) || !judge.leavesImportedAs(actual);
    }

    @Override
    public void add(HazardReport.Found found, Supplier<String> explanation) {
        broken |= !excused.contains(found);
    }

    /** Undeclared commands may need all earlier work on the same memory. */
    @Override
    public void undeclared(Resource used, String pass, Supplier<String> explanation) {
        Resource resource = element.resource(record);
        broken |= resource == null || judge.resources().share(resource, used);
    }
}
