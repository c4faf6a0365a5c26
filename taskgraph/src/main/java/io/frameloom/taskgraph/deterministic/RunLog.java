package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.SchedulingPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decisions of one run and what the threads were about to do. Belongs to the thread that has the baton. */
final class RunLog {
    private record Entry(
            ControlledThread thread,
            String verb,
            @Nullable SchedulingPoint point,
            @Nullable String subject) {}

    private final List<Entry> entries = new ArrayList<>();
    private int[] decisions = new int[256];
    private int length;

    /** The thread is about to do something. */
    void add(ControlledThread thread, String verb, @Nullable SchedulingPoint point, @Nullable String subject) {
        entries.add(new Entry(thread, verb, point, subject));
    }

    void decide(ControlledThread next) {
        if (length == decisions.length) {
            decisions = Arrays.copyOf(decisions, 2 * length);
        }
        decisions[length++] = next.id;
    }

    int length() {
        return length;
    }

    Schedule schedule() {
        return new Schedule(decisions, length);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            StringBuilder line = new StringBuilder();
            line.append(entry.thread.id).append(' ').append(entry.thread.name());
            line.append(": ").append(entry.verb);
            if (entry.point != null) {
                line.append(' ').append(entry.point);
            }
            if (entry.subject != null) {
                line.append(" '").append(entry.subject).append('\'');
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
