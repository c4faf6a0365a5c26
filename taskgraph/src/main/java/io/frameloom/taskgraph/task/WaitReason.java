package io.frameloom.taskgraph.task;

import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an event waits for beyond events that must all complete; for reports.
 *
 * @param state the rest of a sentence that begins with the name of the event
 * @param anyOf incomplete events of which one is enough; empty if it is no event that is waited for
 */
public record WaitReason(String state, List<CoreEvent> anyOf) {
    private static final int MOST_NAMES = 8;

    public WaitReason {
        anyOf = List.copyOf(anyOf);
    }

    /** Something other than an event. */
    public static WaitReason of(String state) {
        return new WaitReason(state, List.of());
    }

    /** What the application says of its own wait, or that it threw instead. */
    static String said(Supplier<String> reason) {
        try {
            return reason.get();
        } catch (Throwable e) {
            return "has not come; the reason cannot be told, as the code that knows it has thrown " + e;
        }
    }

    /** The names as a part of a sentence, as many as a person would read. */
    public static String names(Iterable<? extends CoreEvent> events) {
        StringBuilder text = new StringBuilder();
        Iterator<? extends CoreEvent> left = events.iterator();
        int named = 0;
        while (left.hasNext() && named < MOST_NAMES) {
            CoreEvent event = left.next();
            String separator = named == 0 ? "" : left.hasNext() ? ", " : " and ";
            text.append(separator).append('\'').append(event.name()).append('\'');
            named++;
        }
        int more = 0;
        for (; left.hasNext(); left.next()) {
            more++;
        }
        return more == 0 ? text.toString() : text + " and " + more + " more";
    }
}
