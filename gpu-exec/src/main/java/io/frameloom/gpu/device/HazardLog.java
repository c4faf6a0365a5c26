package io.frameloom.gpu.device;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
     * The device executes what is submitted even if the application's observer throws, so the checker judges it first.
     */
    @Override
    public synchronized void submitted(SubmissionRecord record) {
        checker.submitted(record);
        writeNew();
        if (application != null) {
            application.submitted(record);
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
    public synchronized void hostWaited(TimelinePoint point) {
        checker.hostWaited(point);
        if (application != null) {
            application.hostWaited(point);
        }
    }

    @Override
    public synchronized void hostBegan(HostAccess access) {
        checker.hostBegan(access);
        writeNew();
        if (application != null) {
            application.hostBegan(access);
        }
    }

    @Override
    public synchronized void hostEnded(HostAccess access) {
        checker.hostEnded(access);
        if (application != null) {
            application.hostEnded(access);
        }
    }

    @Override
    public synchronized void closed(Resource resource) {
        checker.closed(resource);
        writeNew();
        if (application != null) {
            application.closed(resource);
        }
    }

    @Override
    public synchronized void takenBack(DeviceEventSet events) {
        checker.takenBack(events);
        if (application != null) {
            application.takenBack(events);
        }
    }
}
