package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds waits and barriers that are not needed, by leaving each out: a {@link Trial} judges the same submissions
 * without it, from the submission that has it on. The first hazard that the submissions do not have anyway shows that
 * it is needed, and ends the trial. It is not needed once the trial {@linkplain Judge#agreesWith knows the same} as the
 * checker, for then no later submission is judged differently; or when nothing comes any more.
 */
public final class UnneededSearch {
    private static final int MAX_OPEN = 4_096;

    private final UnneededSync.Search detail;
    private final Findings findings;
    private final Deque<Candidate> open = new ArrayDeque<>();
    private int openTrials;

    /** Takes what is found. */
    @FunctionalInterface
    public interface Findings {
        /**
         * Called for each wait, barrier or bit.
         *
         * @param implied whether it was clear at once: something else does the same
         */
        void unneeded(SubmissionRecord record, SyncElement element, boolean implied);
    }

    public UnneededSearch(UnneededSync.Search detail, Findings findings) {
        this.detail = detail;
        this.findings = findings;
    }

    /** A whole wait or barrier, and its bits, which are only worth a word if the whole is needed. */
    private static final class Candidate {
        private final SubmissionRecord record;
        private @Nullable Trial whole;
        private final List<Trial> parts = new ArrayList<>(0);
        private final List<SyncElement> unneededParts = new ArrayList<>(0);

        Candidate(SubmissionRecord record, Trial whole) {
            this.record = record;
            this.whole = whole;
        }

        int trials() {
            return parts.size() + (whole == null ? 0 : 1);
        }
    }

    /**
     * Returns the knowledge of the time before a submission that trials need, before {@code actual} judges it; null if
     * none.
     */
    public @Nullable Judge before(SubmissionRecord record, Judge actual) {
        if (detail == UnneededSync.Search.NONE) {
            return null;
        }
        beginning(actual);
        boolean barriers = record.commands().stream().anyMatch(command -> SyncElement.batchOf(command) != null);
        return barriers || !record.waits().isEmpty() ? actual.fork((found, explanation) -> {}) : null;
    }

    /** Notes that {@code actual} is about to judge something: trials need what it touches as it was before. */
    public void beginning(Judge actual) {
        if (detail != UnneededSync.Search.NONE) {
            actual.resources().remember();
        }
    }

    /**
     * Judges a submission in all trials, and begins those of its own waits and barriers.
     *
     * @param actual what is known after it
     */
    public void submitted(
            SubmissionRecord record, @Nullable Judge before, Set<HazardReport.Found> hazards, Judge actual) {
        forEachTrial(trial -> trial.submitted(record, hazards, actual));
        settle(trial -> false);
        if (before != null) {
            SyncElement.whole(record, element -> {
                if (!element.mayServeOwners(record)) {
                    begin(record, element, before, hazards, actual);
                }
            });
        }
        while (openTrials > MAX_OPEN) {
            Candidate oldest = open.removeFirst();
            openTrials -= oldest.trials();
        }
    }

    private void begin(
            SubmissionRecord record, SyncElement element, Judge before, Set<HazardReport.Found> hazards, Judge actual) {
        Trial whole = new Trial(record, element, before);
        whole.begin(hazards, actual);
        if (!whole.isBroken() && whole.judge().agreesWith(actual)) {
            findings.unneeded(record, element, true);
            return;
        }
        Candidate candidate = new Candidate(record, whole);
        if (detail == UnneededSync.Search.PARTS) {
            element.parts(record, part -> {
                Trial trial = new Trial(record, part, before);
                trial.begin(hazards, actual);
                candidate.parts.add(trial);
            });
        }
        if (!settle(candidate, trial -> trial != whole && trial.judge().agreesWith(actual), true)) {
            open.addLast(candidate);
            openTrials += candidate.trials();
        }
    }

    /** Notes what the host has seen, after the actual judge has and before it forgets anything. */
    public void hostWaited(TimelinePoint point, Judge actual) {
        forEachTrial(trial -> {
            trial.judge().hostWaited(point);
            trial.judge().keepWhatOnly(actual);
        });
    }

    /**
     * Notes an access to mapped memory that the host begins, which has some hazards anyway, after the actual judge has.
     */
    public void hostBegan(HostAccess access, Set<HazardReport.Found> hazards) {
        forEachTrial(trial -> trial.hostBegan(access, hazards));
        settle(trial -> false);
    }

    public void hostEnded(HostAccess access) {
        forEachTrial(trial -> trial.judge().hostEnded(access));
    }

    /** Notes that a resource is about to be closed, before the actual judge does. */
    public void closing(Resource resource, Judge actual) {
        forEachTrial(trial -> trial.closing(resource, actual));
    }

    /** Notes that a resource is closed, which has some hazards anyway. */
    public void closed(Resource resource, Set<HazardReport.Found> hazards) {
        forEachTrial(trial -> trial.closed(resource, hazards));
        settle(trial -> false);
    }

    public void takenBack(DeviceEventSet events) {
        forEachTrial(trial -> trial.judge().takenBack(events));
    }

    /** Forgets what the host has seen, after the actual judge has, and ends the trials that this decides. */
    public void forgetSeen(Judge actual) {
        forEachTrial(trial -> {
            trial.judge().forgetSeen();
            trial.seen(actual);
        });
        settle(trial -> trial.judge().agreesWith(actual));
    }

    private void forEachTrial(Consumer<Trial> action) {
        for (Candidate candidate : open) {
            if (candidate.whole != null) {
                action.accept(candidate.whole);
            }
            candidate.parts.forEach(action);
        }
    }

    /** Decides everything: nothing comes any more. */
    public void finish(Judge actual) {
        forEachTrial(trial -> trial.finish(actual));
        settle(trial -> true);
    }

    /** Ends the trials that are decided, by a hazard or because they are known to agree with the actual judge. */
    private void settle(Predicate<Trial> agrees) {
        openTrials = 0;
        for (Iterator<Candidate> all = open.iterator(); all.hasNext(); ) {
            Candidate candidate = all.next();
            if (settle(candidate, agrees, false)) {
                all.remove();
            } else {
                openTrials += candidate.trials();
            }
        }
    }

    private boolean settle(Candidate candidate, Predicate<Trial> agrees, boolean implied) {
        Trial whole = candidate.whole;
        if (whole != null && whole.isBroken()) {
            candidate.whole = null;
        } else if (whole != null && agrees.test(whole)) {
            findings.unneeded(candidate.record, whole.element(), implied);
            return true;
        }
        candidate.parts.removeIf(part -> {
            boolean unneeded = !part.isBroken() && agrees.test(part);
            if (unneeded) {
                candidate.unneededParts.add(part.element());
            }
            return unneeded || part.isBroken();
        });
        if (candidate.whole == null) {
            candidate.unneededParts.forEach(part -> findings.unneeded(candidate.record, part, implied));
            candidate.unneededParts.clear();
        }
        return candidate.trials() == 0;
    }

    /** Forgets what no later access can conflict with. */
    public void retire() {
        forEachTrial(trial -> trial.judge().retire());
    }
}
