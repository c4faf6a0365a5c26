package io.frameloom.gpu.vulkan.driver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The steps made so far of something that is closed as a whole. One thread at a time. */
public final class UndoStack {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /** Adds what is undone before everything else. */
    public void push(Runnable step) {
        steps.push(step);
    }

    /** Adds what is undone after everything else. */
    public void pushLast(Runnable step) {
        steps.addLast(step);
    }

    /** Undoes everything, also the steps after a failure, and returns the failures. */
    public List<Throwable> all() {
        List<Throwable> failures = new ArrayList<>();
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException | Error failure) {
                failures.add(failure);
            }
        }
        return failures;
    }
}
