package io.frameloom.gpu.device;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes hazards to a log when a hazard checker finds them, each message once: the application's checker, or one
 * beside its observer. Any thread.
 */
final class HazardLog implements SubmissionObserver {
    private final System.Logger log;
    private final HazardChecker checker;
    private final @Nullable SubmissionObserver application;
    private final String device;
    private long total;
    private int distinct;
    /** Resources of one name, as those of the frames in flight, have hazards in the same words. */
    private final Set<String> written = new HashSet<>();

    HazardLog(System.Logger log, String device, @Nullable SubmissionObserver application) {
        this.log = log;
        this.device = device;
        this.checker = application instanceof HazardChecker own ? own : new HazardChecker();
        this.application = application == checker ? null : application;
        this.total = checker.total();
        this.distinct = checker.hazards().size();
    }

    /**
     * Hands a call on. The device executes what is submitted even if the application's observer throws, so the checker
     * judges it first.
     */
    private synchronized void each(Consumer<SubmissionObserver> call) {
        call.accept(checker);
        writeNew();
        if (application != null) {
            call.accept(application);
        }
    }

    private void writeNew() {
        if (checker.total() == total) {
            return;
        }
        total = checker.total();
        List<Hazard> hazards = checker.hazards();
        for (Hazard hazard : hazards.subList(distinct, hazards.size())) {
            if (written.add(hazard.kind() + hazard.explanation())) {
                log.log(
                        System.Logger.Level.ERROR,
                        "device of ''{0}'': {1}: {2}",
                        device,
                        hazard.kind(),
                        hazard.explanation());
            }
        }
        distinct = hazards.size();
    }

    @Override
    public void submitted(SubmissionRecord record) {
        each(observer -> observer.submitted(record));
    }

    @Override
    public void hostWaited(TimelinePoint point) {
        each(observer -> observer.hostWaited(point));
    }

    @Override
    public void hostBegan(HostAccess access) {
        each(observer -> observer.hostBegan(access));
    }

    @Override
    public void hostEnded(HostAccess access) {
        each(observer -> observer.hostEnded(access));
    }

    @Override
    public void closed(Resource resource) {
        each(observer -> observer.closed(resource));
    }

    @Override
    public void takenBack(DeviceEventSet events) {
        each(observer -> observer.takenBack(events));
    }

    @Override
    public void taken(SubmissionRecord.TableContents contents, String slot, ResourceUse read, boolean freed) {
        each(observer -> observer.taken(contents, slot, read, freed));
    }
}
