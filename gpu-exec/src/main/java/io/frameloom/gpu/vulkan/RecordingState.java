package io.frameloom.gpu.vulkan;

import org.jspecify.annotations.Nullable;

/** Where a command list stands, and the refusal of commands that do not belong there. One thread at a time. */
final class RecordingState {
    private enum Phase {
        RECORDING,
        ENDED,
        SUBMITTED,
        ABANDONED
    }

    private final String list;
    private Phase phase = Phase.RECORDING;
    private @Nullable String pass;
    private boolean rendering;

    RecordingState(String list) {
        this.list = list;
    }

    /** Opens a pass. */
    void beginPass(String name) {
        requireRecording();
        if (pass != null) {
            throw new IllegalStateException("command list '" + list + "' begins pass '" + name + "' inside pass '"
                    + pass + "'; end that one first");
        }
        pass = name;
    }

    /** Closes the open pass. */
    void endPass() {
        requireOutside("endPass");
        if (pass == null) {
            throw new IllegalStateException("command list '" + list + "' ends a pass, but none is open");
        }
        pass = null;
    }

    void rendering(boolean inside) {
        rendering = inside;
    }

    void ended() {
        phase = Phase.ENDED;
    }

    void submitted() {
        phase = Phase.SUBMITTED;
    }

    void abandon() {
        phase = Phase.ABANDONED;
    }

    void requireRecording() {
        if (phase != Phase.RECORDING) {
            throw new IllegalStateException("command list '" + list + "' is no longer recorded (" + phase
                    + "); begin another from the frame context");
        }
    }

    /** Throws unless recording inside of a render pass. */
    void requireInside(String command) {
        requireRecording();
        if (!rendering) {
            throw new IllegalStateException(where(command) + " is outside of a render pass; call beginRendering first");
        }
    }

    /** Throws unless recording outside of a render pass. */
    void requireOutside(String command) {
        requireRecording();
        if (rendering) {
            throw new IllegalStateException(where(command) + " is inside a render pass; call endRendering first");
        }
    }

    /** Throws if a pass or render pass is open. */
    void requireEndable() {
        requireOutside("end");
        if (pass != null) {
            throw new IllegalStateException(where("end") + ": pass '" + pass + "' is still open; end it first");
        }
    }

    /** Throws unless the list has ended and was not submitted yet. */
    void requireSubmittable(String submission) {
        if (phase != Phase.ENDED) {
            throw new IllegalStateException("submission '" + submission + "' has command list '" + list + "', which "
                    + switch (phase) {
                        case RECORDING -> "is still being recorded; end it first";
                        case SUBMITTED -> "was submitted before; record a new one";
                        default -> "was recycled by its frame context; record a new one";
                    });
        }
    }

    String where(String command) {
        return command + " in command list '" + list + "'";
    }
}
