package io.frameloom.gpu.record;

import io.frameloom.gpu.command.RenderingInfo;
import org.jspecify.annotations.Nullable;

/** Where in a list something was begun that must end there. Used for one thing after another. */
final class Place {
    private @Nullable RenderingInfo rendering;
    private boolean inPass;
    private boolean inPart;

    void take(RecordingRules rules) {
        rendering = rules.rendering();
        inPass = rules.pass() != null;
        inPart = rules.isInPart();
    }

    /** Returns whether a list is there again. */
    @SuppressWarnings("ReferenceEquality") // one of equal contents is another render pass
    boolean isAt(RecordingRules rules) {
        return rendering == rules.rendering() && inPart == rules.isInPart() && inPass == (rules.pass() != null);
    }

    boolean isInRendering() {
        return rendering != null;
    }

    boolean isInPart() {
        return inPart;
    }

    boolean isInPass() {
        return inPass;
    }
}
