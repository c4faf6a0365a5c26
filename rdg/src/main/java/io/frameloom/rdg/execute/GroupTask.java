package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.Counting;
import io.frameloom.rdg.declare.NativePassBody;
import io.frameloom.rdg.declare.PartedBody;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.rdg.jfr.RecordGroupEvent;
import io.frameloom.taskgraph.TaskBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records one recording group of the slot's frame into one command list. Runs on a worker, or on the RENDER thread for
 * groups that must not run elsewhere; writes only its own entries of the slot.
 */
final class GroupTask implements TaskBody {
    /** Everything before it on this queue comes first. */
    static final BarrierBatch FRAME_BOUNDARY =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final FrameSlot slot;
    private final int group;
    private final RecordingPassContext context;
    private final PartRecording parts;
    private final ScopeLabels labels = new ScopeLabels();
    /** What the passes of a render pass use that are not left out. */
    private final RenderPassUses running = new RenderPassUses();
    /** Whether a pass of the current render pass has begun it. */
    private boolean open;
    /** The attachments that none of the passes writes that run in the current render pass. */
    private int kept;
    /** Whether all passes of the current render pass run. */
    private boolean whole;
    /** Those of the frame. */
    private RdgDiagnostics diagnostics = RdgDiagnostics.none();
    /** Which pass of the group begins the current render pass. */
    private int head;

    GroupTask(FrameSlot slot, int group) {
        this.slot = slot;
        this.group = group;
        this.context = new RecordingPassContext(slot, slot.uploads("group " + group));
        this.parts = new PartRecording(slot, group);
    }

    /** Takes the upload memory of the former frame back. */
    void resetUploads() {
        context.uploads().reset();
        parts.resetUploads();
    }

    void closeUploads() {
        context.uploads().close();
        parts.closeUploads();
    }

    /**
     * Records the group; does nothing if the frame has failed, since its passes are not submitted.
     *
     * @throws Exception the failure of the frame, if the group fails
     */
    @Override
    public void run() throws Exception {
        Frame frame = slot.frame();
        if (frame.failure() != null) {
            return;
        }
        frame.enter();
        if (frame.plan().hasSetups()) {
            for (PassRealisation pass : frame.realisation().group(group).passes()) {
                requireSetups(frame, pass, "recorded");
            }
        }
        long start = System.nanoTime();
        PlanRealisation.GroupRealisation members = frame.realisation().group(group);
        diagnostics = frame.plan().options().diagnostics();
        PassRealisation current = members.passes().get(0);
        RecordGroupEvent event = RdgEvents.recordGroup();
        try {
            CommandList list = slot.context().beginCommands(members.queue(), members.label());
            if (diagnostics.serialise()) {
                list.barrier(FRAME_BOUNDARY);
            }
            labels.begin(frame.plan().scopes());
            boolean labelled = diagnostics.labels();
            for (int i = 0; i < members.passes().size(); i++) {
                PassRealisation pass = members.passes().get(i);
                current = pass;
                if (pass.begins() && labelled) {
                    labels.enter(list, pass.plan().scope());
                }
                recordPass(frame, list, members.passes(), i);
            }
            labels.enter(list, -1);
            list.end();
            slot.lists[group] = list;
        } catch (Throwable failure) {
            RdgException named = new RdgException(
                    "recording pass '" + current.plan().name() + "'"
                            + frame.plan().siteOf(current.plan()) + " of plan '" + frame.planName() + "' (frame "
                            + frame.number() + ") failed",
                    failure);
            Exception first = frame.fail(named);
            if (event != null) {
                event.failed(named);
            }
            throw first;
        } finally {
            context.letGo();
            slot.recordNanos[group] = System.nanoTime() - start;
            if (event != null) {
                event.end(
                        frame.number(),
                        frame.submitThread(),
                        frame.plan(),
                        group,
                        members.passes().get(0).plan().name(),
                        members.passes().size(),
                        members.queue().name());
            }
        }
    }

    /** Fails the frame if a setup task of a pass has failed; they are complete by now, one way or another. */
    static void requireSetups(Frame frame, PassRealisation pass, String done) throws Exception {
        for (RdgSetupTask setup : frame.plan().setups(pass.plan().index())) {
            Throwable failure = setup.event().failure();
            if (failure != null) {
                Throwable original = Failures.original(failure);
                RdgException named = new RdgException(
                        "pass '" + pass.plan().name() + "'" + frame.plan().siteOf(pass.plan()) + " of plan '"
                                + frame.planName() + "' (frame " + frame.number() + ") is not " + done
                                + ": setup task " + setup + " failed",
                        original);
                throw frame.fail(named);
            }
        }
    }

    /**
     * Records what the group still owes to others when its frame has failed: its barriers, without the commands of its
     * passes. The submit thread, when the group is recorded or has failed.
     */
    CommandList recordBarriers() {
        Frame frame = slot.frame();
        PlanRealisation.GroupRealisation members = frame.realisation().group(group);
        CommandList list = slot.context().beginCommands(members.queue(), "barriers of " + members.label());
        for (PassRealisation pass : members.passes()) {
            recordBefore(list, pass);
            // A range that a pass discards belongs to the family of its queue from then on, without a transfer. It
            // counts as written: later frames may read what they have registered, whatever it is.
            List<ResourceUse> taken = pass.allUses().command().stream()
                    .filter(use -> use.discard() && use.resource().isExclusive())
                    .toList();
            if (!taken.isEmpty()) {
                list.beginPass(pass.label(), taken);
                list.endPass();
            }
            recordAfter(list, pass);
        }
        list.end();
        return list;
    }

    private void recordPass(Frame frame, CommandList list, List<PassRealisation> members, int index) {
        PassRealisation pass = members.get(index);
        recordBefore(list, pass);
        if (!pass.barriersOnly()) {
            recordCommands(frame, list, members, index);
        }
        recordAfter(list, pass);
    }

    private void recordBefore(CommandList list, PassRealisation pass) {
        barrier(list, slot.boundary().barrier(pass.plan().index()));
        barrier(list, pass.before());
        for (int i = 0; i < pass.awaited().size(); i++) {
            PassRealisation.Half half = pass.awaited().get(i);
            list.waitEvent(slot.events(), half.event(), half.batch());
        }
    }

    /** Barriers of one command have no order: those that change what others let be read follow these. */
    private void recordAfter(CommandList list, PassRealisation pass) {
        barrier(list, pass.stored());
        for (int i = 0; i < pass.begun().size(); i++) {
            PassRealisation.Half half = pass.begun().get(i);
            list.setEvent(slot.events(), half.event(), half.batch());
        }
        barrier(list, pass.after());
    }

    private static void barrier(CommandList list, @Nullable RepeatedCommand<BarrierBatch> barrier) {
        if (barrier != null) {
            ((PassParts) list).barrier(barrier);
        }
    }

    private void recordCommands(Frame frame, CommandList list, List<PassRealisation> members, int index) {
        PassRealisation pass = members.get(index);
        RdgWatch watch = diagnostics.watch();
        if (watch.breaksAtPass(Breakpoint.EXECUTE, frame.planName(), pass.plan().name())) {
            watch.listener()
                    .reached(Breakpoint.EXECUTE, frame.planName(), pass.plan().name());
        }
        if (pass.begins()) {
            open = false;
            head = index;
            takeForLeftOut(frame, list, members, index);
        }
        PassBody body = frame.plan().body(pass.plan().index());
        boolean runs = !(body instanceof ConditionalPass conditional)
                || slot.conditions().holds(conditional);
        boolean begins = runs && !open;
        TimestampSet timestamps = slot.timestamps();
        if (begins) {
            beginPass(frame, list, members, index);
        }
        if (timestamps != null) {
            list.writeTimestamp(timestamps, 2 * pass.plan().index());
        }
        if (runs) {
            recordBody(frame, list, pass, body, begins);
            open = true;
        }
        boolean ends = open && pass.ends();
        if (ends && pass.rendering() != null) {
            list.endRendering();
        }
        boolean counts = pass.ends() && frame.plan().hasCountings();
        if (ends && counts) {
            resolveCounts(frame, list, members, index, true);
        }
        if (timestamps != null) {
            list.writeTimestamp(timestamps, 2 * pass.plan().index() + 1);
        }
        if (ends) {
            list.endPass();
        }
        if (counts) {
            resolveCounts(frame, list, members, index, false);
        }
    }

    /** Writes what the passes of a render pass that ends have counted, or zeros for those that are left out. */
    private void resolveCounts(
            Frame frame, CommandList list, List<PassRealisation> members, int last, boolean recorded) {
        int first = last;
        while (!members.get(first).begins()) {
            first--;
        }
        for (int i = first; i <= last; i++) {
            PassRealisation pass = members.get(i);
            if (runs(frame, pass) != recorded) {
                continue;
            }
            if (recorded) {
                slot.queries().copy(list, frame, pass.plan().index());
            } else {
                slot.queries().clear(list, frame, pass);
            }
        }
    }

    /** What a pass that is left out would have written first belongs to its queue's family all the same. */
    private void takeForLeftOut(Frame frame, CommandList list, List<PassRealisation> members, int first) {
        for (int i = first; ; i++) {
            PassRealisation pass = members.get(i);
            if (!pass.taken().isEmpty() && !runs(frame, pass)) {
                ((PassParts) list).discard(pass.taken());
            }
            if (pass.ends()) {
                return;
            }
        }
    }

    private void recordBody(Frame frame, CommandList list, PassRealisation pass, PassBody body, boolean begins) {
        RepeatedCommand<RenderingInfo> rendering = pass.rendering();
        if (rendering != null) {
            if (!begins) {
                pass.resetViewport(list);
            } else if (whole) {
                ((PassParts) list).beginRendering(rendering);
            } else {
                RenderingInfo info = rendering.command();
                list.beginRendering(kept == 0 ? info : TargetTranslation.keeping(info, kept));
            }
        }
        if (body instanceof PartedBody parted) {
            boolean parallel = !slot.isSerial()
                    && diagnostics.recording() != RecordingMode.SERIAL
                    && !pass.plan().flags().contains(PassFlag.NEVER_PARALLEL);
            parts.record(frame, list, pass, parted, parallel);
            return;
        }
        context.begin(frame, pass, list);
        try {
            PassParts part = (PassParts) list;
            QuerySet statistics = statisticsOf(frame, pass);
            if (statistics != null) {
                list.beginQuery(statistics, pass.plan().index());
            }
            part.beginPart();
            if (pass.kept() != 0) {
                part.keep(pass.kept());
            }
            body.record(context);
            part.endPart();
            if (statistics != null) {
                list.endQuery(statistics);
            }
            if (diagnostics.validation()) {
                context.reportUntaken();
            }
        } finally {
            context.end();
        }
    }

    /**
     * Returns what counts the statistics of a pass: null where nobody asks. A pass may count them
     * itself, and one with native commands or render passes of its own may do what no open query allows.
     */
    private @Nullable QuerySet statisticsOf(Frame frame, PassRealisation pass) {
        QuerySet statistics = slot.statistics();
        if (statistics == null
                || pass.plan().kind() != PassKind.RASTER
                || pass.plan().flags().contains(PassFlag.MULTIVIEW)
                || pass.plan().flags().contains(PassFlag.SKIP_RENDER_PASS)
                || NativePassBody.isNative(frame.plan().body(pass.plan().index()))) {
            return null;
        }
        List<Counting> countings = frame.plan().countings(pass.plan().index());
        for (int i = 0; i < countings.size(); i++) {
            if (countings.get(i).kind() == QueryKind.STATISTICS) {
                return null;
            }
        }
        return statistics;
    }

    /**
     * Begins the pass of a render pass with what its passes use, from the first that runs on: one that is left out uses
     * nothing.
     */
    private void beginPass(Frame frame, CommandList list, List<PassRealisation> members, int first) {
        int last = first;
        boolean all = members.get(first).begins();
        while (!members.get(last).ends()) {
            last++;
            all &= runs(frame, members.get(last));
        }
        whole = all;
        String label = members.get(head).label();
        if (all) {
            ((PassParts) list).beginPass(label, members.get(first).allUses());
            return;
        }
        running.clear();
        kept = ~0;
        for (int i = first; i <= last; i++) {
            if (runs(frame, members.get(i))) {
                kept &= members.get(i).kept();
                running.add(members.get(i).uses());
            }
        }
        list.beginPass(label, running.all());
    }

    private boolean runs(Frame frame, PassRealisation pass) {
        return slot.conditions().runs(frame.plan(), pass.plan().index());
    }
}
