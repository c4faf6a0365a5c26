package io.frameloom.taskgraph.deterministic;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Writes what every thread of a run does, with stacks, and what the graphs say about it. */
final class StuckReport {
    private static final int DEEPEST_STACK = 40;

    private StuckReport() {}

    static String of(String headline, Collection<ControlledThread> threads, List<Supplier<String>> explanations) {
        StringBuilder text = new StringBuilder(headline);
        for (ControlledThread thread : threads) {
            text.append("\n  ").append(thread.id).append(' ').append(thread.name());
            text.append(": ").append(thread.describe());
            if (thread.state != ControlledThread.State.ENDED) {
                stack(text, thread.thread);
            }
        }
        explanations.forEach(waits -> text.append("\n").append(waits.get().strip()));
        return text.toString();
    }

    private static void stack(StringBuilder text, Thread thread) {
        boolean inside = true;
        int lines = 0;
        for (StackTraceElement frame : thread.getStackTrace()) {
            inside &= isMachinery(frame.getClassName());
            if (!inside && lines++ < DEEPEST_STACK) {
                text.append("\n      at ").append(frame);
            }
        }
    }

    private static boolean isMachinery(String className) {
        return className.startsWith("java.")
                || className.startsWith("jdk.")
                || className.equals(DeterministicScheduler.class.getName())
                || className.equals(StuckReport.class.getName());
    }
}
