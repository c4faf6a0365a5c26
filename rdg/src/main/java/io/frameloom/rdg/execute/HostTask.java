package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.HostPassBody;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.jfr.HostPassEvent;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import java.util.List;

/**
 * Runs a pass of the host, the one of its batch. Runs on a worker, after the points of the queues that the pass waits
 * for and after the pass of the host before it, over all frames. Does nothing once the frame has failed or was not
 * launched.
 *
 * @param batch index of the pass's batch
 * @param reached the event of the device having done what the pass waits for
 */
record HostTask(GpuDevice device, Frame frame, FrameSlot slot, int batch, GraphEvent reached) implements TaskBody {
    @Override
    public void run() throws Exception {
        if (!frame.isLaunched()) {
            return;
        }
        frame.enter();
        Throwable lost = reached.failure();
        if (lost != null) {
            frame.fail(Failures.original(lost));
        }
        PlanRealisation realisation = frame.realisation();
        List<Integer> groups = realisation.batch(batch).groups();
        for (int g = 0; g < groups.size() && frame.failure() == null; g++) {
            PassRealisation pass = realisation.group(groups.get(g)).passes().get(0);
            HostPassEvent event = RdgEvents.hostPass();
            try {
                run(pass, groups.get(g));
            } catch (Throwable failure) {
                if (event != null) {
                    event.failed(failure);
                }
                frame.fail(new RdgException(
                        "running pass '" + pass.plan().name() + "'"
                                + frame.plan().siteOf(pass.plan()) + " of plan '" + frame.planName() + "' (frame "
                                + frame.number() + ") on the host failed",
                        failure));
            } finally {
                if (event != null) {
                    event.end(
                            frame.number(),
                            frame.submitThread(),
                            frame.plan(),
                            pass.plan().name());
                }
            }
        }
        Exception failure = frame.failure();
        if (failure != null) {
            throw failure;
        }
    }

    private void run(PassRealisation pass, int group) throws Exception {
        GroupTask.requireSetups(frame, pass, "run");
        RdgWatch watch = frame.plan().options().diagnostics().watch();
        if (watch.breaksAtPass(Breakpoint.EXECUTE, frame.planName(), pass.plan().name())) {
            watch.listener()
                    .reached(Breakpoint.EXECUTE, frame.planName(), pass.plan().name());
        }
        PassBody body = frame.plan().body(pass.plan().index());
        if (body instanceof ConditionalPass conditional) {
            if (!slot.conditions().holds(conditional)) {
                return;
            }
            body = conditional.commands();
        }
        if (!(body instanceof HostPassBody work)) {
            throw new IllegalStateException("a pass of the host has the body " + body);
        }
        HostPassContext context = new HostPassContext(frame, pass.plan());
        HostAccess access = device.beginHostAccess(pass.plan().name(), pass.uses());
        slot.hostSpans[2 * group] = System.nanoTime();
        try {
            work.run(context);
            context.reportUntaken();
        } finally {
            slot.hostSpans[2 * group + 1] = System.nanoTime();
            context.end();
            device.endHostAccess(access);
        }
    }
}
