package io.frameloom.rdg.jfr;

import org.jspecify.annotations.Nullable;

/**
 * Begins events that a recording has enabled. No other class may name an event's constructor or superclass, so that all
 * runs where the module {@code jdk.jfr} is missing. Any thread.
 *
 * <p>Whether an event is enabled is asked of an object that never leaves its method, which costs no allocation.
 */
public final class RdgEvents {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private RdgEvents() {}

    /** Begins the event of a frame, or returns null if no recording wants it. */
    public static @Nullable FrameEvent frame() {
        if (!PRESENT || !new FrameEvent().isEnabled()) {
            return null;
        }
        FrameEvent event = new FrameEvent();
        event.begin();
        return event;
    }

    /** Begins the event of a compilation, or returns null if no recording wants it. */
    public static @Nullable CompileEvent compile() {
        if (!PRESENT || !new CompileEvent().isEnabled()) {
            return null;
        }
        CompileEvent event = new CompileEvent();
        event.begin();
        return event;
    }

    /** Begins the event of a recording group, or returns null if no recording wants it. */
    public static @Nullable RecordGroupEvent recordGroup() {
        if (!PRESENT || !new RecordGroupEvent().isEnabled()) {
            return null;
        }
        RecordGroupEvent event = new RecordGroupEvent();
        event.begin();
        return event;
    }

    /** Begins the event of a pass of the host, or returns null if no recording wants it. */
    public static @Nullable HostPassEvent hostPass() {
        if (!PRESENT || !new HostPassEvent().isEnabled()) {
            return null;
        }
        HostPassEvent event = new HostPassEvent();
        event.begin();
        return event;
    }

    /** Begins the event of a submission, or returns null if no recording wants it. */
    public static @Nullable SubmissionEvent submission() {
        if (!PRESENT || !new SubmissionEvent().isEnabled()) {
            return null;
        }
        SubmissionEvent event = new SubmissionEvent();
        event.begin();
        return event;
    }
}
