package io.frameloom.rdg;

/**
 * What a plan is made to be good at, where several plans mean the same frame; an immutable value.
 *
 * @param waitStageScope which stages wait for another queue
 */
public record PlanPolicy(WaitStageScope waitStageScope) {
    /** Returns waits of all commands. */
    public static PlanPolicy defaults() {
        return new PlanPolicy(WaitStageScope.ALL);
    }

    /** Returns the same policy with other stages waiting. */
    public PlanPolicy withWaitStageScope(WaitStageScope value) {
        return new PlanPolicy(value);
    }

    /** Returns this policy with the system properties applied. */
    PlanPolicy withSystemProperties() {
        return new PlanPolicy(OptionProperties.constant("waitStageScope", waitStageScope));
    }
}
