package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.SubmissionRecord;

/**
 * Judges that levels of sparse textures get memory and lose it. A binding follows all that its queue was given before
 * and what it waits for, and is a write of the levels, which leaves nothing of their contents.
 */
final class BindingJudge {
    private final ResourceTable resources;
    private final HostView host;
    private final HazardSink report;

    BindingJudge(ResourceTable resources, HostView host, HazardSink report) {
        this.resources = resources;
        this.host = host;
        this.report = report;
    }

    void judge(Submitted at, SubmissionRecord.Bind bind) {
        TrackedResource tracked = resources.of(bind.texture());
        Box box = tracked.clip(Box.of(bind.range()));
        if (box == null) {
            return;
        }
        String who = "binding '" + at.record().label() + "'";
        Past before = at.clocks().signalAfter(PipelineStage.ALL_COMMANDS.bit()).past();
        for (Region region : tracked.select(box)) {
            check(at, bind, region, before, who);
            region.forgetAccesses();
            region.addWrite(new MemoryWrite(at.queue(), 1 << Scopes.TRANSITION, at.at(), who), null);
            region.defined = false;
            region.bound = bind.isResident();
        }
    }

    private void check(Submitted at, SubmissionRecord.Bind bind, Region region, Past before, String who) {
        String what = who + " on queue '" + at.record().queue().name() + "' "
                + (bind.isResident() ? "gives memory to '" : "takes the memory of '")
                + bind.texture().name() + "' " + region.box();
        for (MemoryWrite write : region.allWrites()) {
            if (!host.hasSeen(write) && !before.hasAvailable(write)) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_WRITE, bind.texture(), write.pass(), who),
                        () -> what + ", which '" + write.pass() + "' on queue " + write.queue()
                                + " may still write; add a wait for that queue");
            }
        }
        for (Region.Read read : region.last().reads()) {
            if (!read.seenBy(host) && !read.isBefore(before.executed())) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_READ, bind.texture(), read.pass(), who),
                        () -> what + " while pass '" + read.pass() + "' on queue " + read.queue()
                                + " may still read it in " + PipelineStage.describe(1 << read.stage())
                                + "; add a wait for that queue");
            }
        }
    }
}
