package io.frameloom.taskgraph.named;

import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.function.BooleanSupplier;

/** How an attached thread works off the queues of its lane. Static procedures of the attached thread. */
public final class LanePump {
    private LanePump() {}

    public static int untilIdle(NamedLane lane) {
        ThreadContext context = lane.requireContext();
        boolean nested = lane.isConsumer();
        if (!nested && !lane.tryBecomeConsumer()) {
            return 0;
        }
        int executed = 0;
        try {
            for (Task task = lane.take(false, false); task != null; task = lane.take(false, false)) {
                context.execute(task);
                executed++;
                context.graph.requireRunning();
            }
        } finally {
            if (!nested) {
                lane.endConsumer();
            }
        }
        return executed;
    }

    public static void untilReturnRequested(NamedLane lane) {
        ThreadContext context = lane.requireContext();
        boolean nested = lane.isConsumer();
        if (!nested && !lane.tryBecomeConsumer()) {
            return;
        }
        Pump pump = null;
        boolean returned = false;
        try {
            pump = lane.enterPump();
            while (true) {
                context.graph.requireRunning();
                if (pump.returns > 0) {
                    returned = true;
                    return;
                }
                Task task = lane.take(false, true);
                if (task != null) {
                    context.execute(task);
                } else if (pump.returns == 0) {
                    if (context.graph.isClosing()) {
                        return;
                    }
                    idle(context, lane);
                }
            }
        } finally {
            if (pump != null) {
                lane.exitPump(pump, returned);
            }
            if (!nested) {
                lane.endConsumer();
            }
        }
    }

    private static void idle(ThreadContext context, NamedLane lane) {
        GraphCore graph = context.graph;
        if (spinUntil(context, lane.readyOrClosing)) {
            return;
        }
        context.parker.prepare();
        if (lane.isEmpty(false) && !graph.isClosing()) {
            context.park();
            graph.wakeLatency().record(context.parker.lastWakeLatencyNanos());
        } else {
            context.parker.cancel();
        }
    }

    /** Waits actively for as long as the idle policy allows. */
    public static boolean spinUntil(ThreadContext context, BooleanSupplier condition) {
        long budget = context.spinNanos();
        if (budget <= 0) {
            return false;
        }
        long start = System.nanoTime();
        do {
            for (int i = 0; i < 16; i++) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - start < budget);
        return false;
    }
}
