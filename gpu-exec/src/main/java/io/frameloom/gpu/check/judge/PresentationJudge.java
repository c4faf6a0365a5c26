package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.TextureLayout;

/**
 * Judges how images of swapchains come from the presentation engine and go to it. The engine is one more queue: what it
 * does with an image up to an acquisition is a write there, which the wait for the acquisition orders and makes
 * visible.
 */
final class PresentationJudge {
    private static final String ENGINE = "the presentation engine";

    private final ResourceTable resources;
    private final HostView host;
    private final HazardSink report;
    private long acquisitions;

    PresentationJudge(ResourceTable resources, HostView host, HazardSink report, long acquisitions) {
        this.resources = resources;
        this.host = host;
        this.report = report;
        this.acquisitions = acquisitions;
    }

    long acquisitions() {
        return acquisitions;
    }

    static String notAcquired(String what) {
        return what
                + ", but the presentation engine has the image: no submission has waited for its acquisition since it"
                + " was made or handed to presentation; acquire it, and wait for that with Submission.presenting";
    }

    /** Gives an image to the work after a wait. */
    void acquire(QueueClocks clocks, Submission.Acquire acquire) {
        acquisitions++;
        TrackedResource tracked = resources.of(acquire.image().texture());
        tracked.acquired(true);
        for (Region region : tracked.regions()) {
            region.forgetAccesses();
            region.addWrite(new MemoryWrite(Clock.PRESENTATION, 1 << Scopes.TRANSITION, acquisitions, ENGINE), null);
            region.defined = false;
        }
        Clock done = new Clock();
        done.raise(Clock.column(Clock.PRESENTATION, Scopes.TRANSITION), acquisitions);
        clocks.waitFor(new Signal(new Past(done, done), new Shown(), acquisitions), acquire.stages());
    }

    /** Hands an image over after everything that a submission's signal follows. */
    void hand(SubmissionRecord record, Signal signal, AcquiredImage image) {
        TrackedResource tracked = resources.of(image.texture());
        String name = image.texture().name();
        String who = "submission '" + record.label() + "'";
        if (tracked.isPresentationEngines()) {
            report.add(
                    Found.of(Hazard.Kind.NOT_ACQUIRED, image.texture(), who),
                    () -> notAcquired(who + " hands '" + name + "' to presentation"));
        }
        for (Region region : tracked.regions()) {
            if (region.layout != TextureLayout.PRESENT) {
                TextureLayout actual = region.layout;
                report.add(
                        Found.of(Hazard.Kind.WRONG_LAYOUT, image.texture(), who),
                        () -> who + " hands '" + name + "' to presentation in layout " + actual
                                + "; add a transition to PRESENT at the end");
            }
            accesses(record, signal, region, image, who);
        }
        tracked.acquired(false);
    }

    private void accesses(SubmissionRecord record, Signal signal, Region region, AcquiredImage image, String who) {
        String name = image.texture().name();
        for (MemoryWrite write : region.allWrites()) {
            if (!host.hasSeen(write) && !signal.past().hasAvailable(write)) {
                report.add(
                        Found.of(Hazard.Kind.READ_AFTER_WRITE, image.texture(), write.pass(), who),
                        () -> who + " on queue '" + record.queue().name() + "' hands '" + name
                                + "' to presentation without waiting for the write of '" + write.pass() + "' on queue "
                                + write.queue() + "; add a wait for that queue");
            }
        }
        for (Region.Read read : region.last().reads()) {
            if (!read.seenBy(host) && !read.isBefore(signal.past().executed())) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_READ, image.texture(), read.pass(), who),
                        () -> who + " hands '" + name + "' to presentation while pass '" + read.pass() + "' on queue "
                                + read.queue() + " may still read it in " + PipelineStage.describe(1 << read.stage())
                                + "; add a wait for that queue");
            }
        }
    }
}
