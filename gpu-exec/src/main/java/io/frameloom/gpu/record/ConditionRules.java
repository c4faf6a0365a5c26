package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;

/** The conditions of draws and dispatches of a command list: one at a time, each within one pass. One thread. */
final class ConditionRules {
    private final RecordingRules rules;
    private final Place begun = new Place();
    private boolean open;

    ConditionRules(RecordingRules rules) {
        this.rules = rules;
    }

    /** Takes another list, whose recording begins. */
    void clear() {
        open = false;
    }

    /** Notes that a condition begins; throws unless it may. */
    void begin(Buffer condition, long offset) {
        String command = "beginConditionalRendering";
        rules.requireRecording(command);
        rules.requireQueue(command, QueueKind.COMPUTE);
        if (!rules.capabilities().has(Capability.CONDITIONAL_RENDERING)) {
            throw new IllegalStateException(rules.where(command) + " needs "
                    + CapabilityRules.off(rules.capabilities(), Capability.CONDITIONAL_RENDERING)
                    + ", or draw indirectly with zero instances");
        }
        requireNone(command);
        Ranges.usage(rules, command, condition, BufferUsage.INDIRECT);
        Ranges.aligned(rules, command, condition, "offset", offset, Integer.BYTES);
        Ranges.range(rules, command, condition, offset, Integer.BYTES);
        rules.reports().uses(condition, offset, Integer.BYTES, Access.INDIRECT);
        begun.take(rules);
        open = true;
    }

    /** Notes that the open condition ends; throws unless it may. */
    void end() {
        String command = "endConditionalRendering";
        rules.requireRecording(command);
        if (!open) {
            throw new IllegalStateException(
                    rules.where(command) + ": no condition is open; call beginConditionalRendering first");
        }
        if (!begun.isAt(rules)) {
            throw new IllegalStateException(rules.where(command) + ": the condition was begun outside of the render"
                    + " pass or part that is open now; end it where it was begun");
        }
        open = false;
    }

    /** Throws if a condition is open. */
    void requireNone(String command) {
        require(command, false);
    }

    /** Throws if a condition is open that was begun in the open render pass. */
    void requireEndedRendering() {
        require("endRendering", !begun.isInRendering());
    }

    /** Throws if a condition is open that was begun in the open part of a pass. */
    void requireEndedPart() {
        require("endPart", !begun.isInPart());
    }

    private void require(String command, boolean stays) {
        if (open && !stays) {
            throw new IllegalStateException(
                    rules.where(command) + ": a condition is still open; call endConditionalRendering before");
        }
    }
}
