package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.ResourceUse;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges the host's accesses to mapped memory: by what the host has waited for when an access begins, and submissions
 * until it ends by the access.
 */
final class HostJudge {
    private final ResourceTable resources;
    private final HostView host;
    private final HazardSink report;
    /** Begun and not ended. */
    private final List<HostAccess> open;

    HostJudge(ResourceTable resources, HostView host, HazardSink report, List<HostAccess> open) {
        this.resources = resources;
        this.host = host;
        this.report = report;
        this.open = new ArrayList<>(open);
    }

    List<HostAccess> open() {
        return open;
    }

    void began(HostAccess access) {
        for (ResourceUse use : access.uses()) {
            requireNotOpen(access.name(), use);
            check(access, use);
        }
        for (ResourceUse use : access.uses()) {
            if (use.access() == Access.HOST_WRITE) {
                noteWrite(use);
            }
        }
        open.add(access);
    }

    void ended(HostAccess access) {
        open.remove(access);
    }

    /** Checks a use that begins now, of the host or of a submission, against the host's open accesses. */
    void requireNotOpen(String pass, ResourceUse use) {
        for (HostAccess access : open) {
            for (ResourceUse other : access.uses()) {
                if (conflict(other, use)) {
                    Hazard.Kind kind = !use.access().writes()
                            ? Hazard.Kind.READ_AFTER_WRITE
                            : other.access().writes() ? Hazard.Kind.WRITE_AFTER_WRITE : Hazard.Kind.WRITE_AFTER_READ;
                    report.add(
                            Found.of(kind, use.resource(), access.name(), pass),
                            () -> "pass '" + pass + "' uses '" + use.resource().name() + "' as " + use.access()
                                    + " while pass '" + access.name() + "' on the host is at it as " + other.access()
                                    + "; submit it when the host is through");
                }
            }
        }
    }

    private boolean conflict(ResourceUse one, ResourceUse two) {
        boolean together = one.overlapGroup() != null && one.overlapGroup() == two.overlapGroup();
        if (together
                || !(one.access().writes() || two.access().writes())
                || !(two instanceof ResourceUse.OfBuffer)
                || resources.of(one.resource()) != resources.of(two.resource())) {
            return false;
        }
        return Box.of(one).intersection(Box.of(two)) != null;
    }

    private void check(HostAccess access, ResourceUse use) {
        String name = use.resource().name();
        if (use.resource().isClosed()) {
            report.add(
                    Found.of(Hazard.Kind.USE_AFTER_FREE, use.resource(), access.name()),
                    () -> "pass '" + access.name() + "' uses '" + name + "' as " + use.access()
                            + ", but it was closed before; close it when the host is through");
        }
        HostNeed need = HostNeed.of(use);
        for (Region region : resources.of(use.resource()).select(Box.of(use))) {
            if (need != null) {
                checkWritten(access, use, region, need);
            }
            if (use.access().writes()) {
                checkRead(access, use, region);
            }
        }
    }

    private void checkWritten(HostAccess access, ResourceUse use, Region region, HostNeed need) {
        for (MemoryWrite write : region.lastBefore(use).writes()) {
            if (use.access().writes() ? !host.hasSeen(write) : !host.hasExecuted(write)) {
                unseen(access, use, write);
            } else if (!write.isShown(host.shown(), use.resource(), Clock.HOST, need)) {
                notShown(access, use, write, need);
            }
        }
        for (Region.Hidden hidden : region.hiddenFrom(use)) {
            if (!hidden.isShown(host.shown(), use.resource(), Clock.HOST, need)) {
                notShown(access, use, hidden.write(), need);
            }
        }
    }

    private void checkRead(HostAccess access, ResourceUse use, Region region) {
        for (Region.Read read : region.lastBefore(use).reads()) {
            if (!read.seenBy(host)) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_READ, use.resource(), read.pass(), access.name()),
                        () -> what(access, use) + ", but pass '" + read.pass() + "' on queue " + read.queue()
                                + " may still read it, since the host has not waited for that; wait for its timeline"
                                + " value before writing");
            }
        }
    }

    private void unseen(HostAccess access, ResourceUse use, MemoryWrite write) {
        report.add(
                Found.of(afterWrite(use), use.resource(), write.pass(), access.name()),
                () -> what(access, use) + ", written before by '" + write.pass() + "' on queue " + write.queue()
                        + ", but the host has not waited for that; wait for its timeline value before");
    }

    private void notShown(HostAccess access, ResourceUse use, MemoryWrite write, HostNeed need) {
        report.add(
                Found.of(afterWrite(use), use.resource(), write.pass(), access.name()),
                () -> what(access, use) + ", written before by '" + write.pass() + "' on queue " + write.queue()
                        + need.missing(write.stages()));
    }

    static Hazard.Kind afterWrite(ResourceUse use) {
        return use.access().writes() ? Hazard.Kind.WRITE_AFTER_WRITE : Hazard.Kind.READ_AFTER_WRITE;
    }

    private static String what(HostAccess access, ResourceUse use) {
        return "pass '" + access.name() + "' uses '" + use.resource().name() + "' on the host as " + use.access();
    }

    private void noteWrite(ResourceUse use) {
        TrackedResource tracked = resources.of(use.resource());
        for (Region region : tracked.select(Box.of(use))) {
            if (use.overlapGroup() == null) {
                region.forgetAccesses();
            }
            region.defined = true;
        }
    }
}
