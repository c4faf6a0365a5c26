package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an event is not complete: the chain of what it waits for, down to what holds everything up, or the
 * cycle of tasks, queues and threads that wait for each other. Immutable; a snapshot that was not atomic, so that
 * a graph that is making progress may have gone on meanwhile.
 */
public final class StallExplanation {
    private static final int DEEPEST_STACK = 16;

    private final String event;
    private final List<Step> steps;
    private final int cycleStart;

    /**
     * One link of the chain.
     *
     * @param name name of the task, event or thread
     * @param state what it does or lacks, in words
     * @param thread name of the thread that holds it up, or null if no thread does
     * @param stack stack of that thread; empty without a thread
     */
    public record Step(String name, String state, @Nullable String thread, List<StackTraceElement> stack) {
        public Step {
            Arguments.required(name, "name", "StallExplanation.Step");
            Arguments.required(state, "state", "StallExplanation.Step");
            stack = List.copyOf(Arguments.required(stack, "stack", "StallExplanation.Step"));
        }
    }

    /**
     * An explanation.
     *
     * @param event name of what is explained
     * @param steps from the event to what holds it up
     * @param cycleStart index of the step that the last one waits for, or -1
     */
    public StallExplanation(String event, List<Step> steps, int cycleStart) {
        this.event = Arguments.required(event, "event", "StallExplanation");
        this.steps = List.copyOf(Arguments.required(steps, "steps", "StallExplanation"));
        this.cycleStart = cycleStart;
    }

    /**
     * The event that is explained.
     *
     * @return its name
     */
    public String event() {
        return event;
    }

    /**
     * The chain, beginning with the event. The last step is what holds everything up, or, in a cycle, what
     * waits for an earlier step.
     *
     * @return the steps; empty if the event is complete
     */
    public List<Step> steps() {
        return steps;
    }

    /**
     * Whether the event can never complete, because what it waits for waits for itself.
     *
     * @return true if there is a cycle
     */
    public boolean isCycle() {
        return cycleStart >= 0;
    }

    /**
     * The part of the chain that waits for itself.
     *
     * @return the steps of the cycle; empty if there is none
     */
    public List<Step> cycle() {
        return isCycle() ? steps.subList(cycleStart, steps.size()) : List.of();
    }

    /** Several lines of text. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append('\'').append(event).append("' is ");
        if (steps.isEmpty()) {
            return text.append("complete").toString();
        }
        text.append(isCycle() ? "not complete and never will be: it waits for a cycle" : "not complete");
        for (Step step : steps) {
            text.append("\n  ").append(step.name()).append(' ').append(step.state());
            int lines = 0;
            for (StackTraceElement frame : step.stack()) {
                if (lines++ == DEEPEST_STACK) {
                    text.append("\n      ...");
                    break;
                }
                text.append("\n      at ").append(frame);
            }
        }
        if (isCycle()) {
            text.append("\n  and that is where it closes: back to ")
                    .append(steps.get(cycleStart).name());
        }
        return text.toString();
    }
}
