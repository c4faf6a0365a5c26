package io.frameloom.rdg;

/**
 * What a plan is made to be good at, where several plans mean the same frame; an immutable value.
 *
 * @param waitStageScope which stages wait for another queue
 * @param schedule which order passes are executed in
 */
public record PlanPolicy(WaitStageScope waitStageScope, PassSchedule schedule) {
    /** Returns waits of all commands and the program's order. */
    public static PlanPolicy defaults() {
        return new PlanPolicy(WaitStageScope.ALL, PassSchedule.PROGRAM);
    }

    /** Returns the same policy with other stages waiting. */
    public PlanPolicy withWaitStageScope(WaitStageScope value) {
        return new PlanPolicy(value, schedule);
    }

    /** Returns the same policy with another order of passes. */
    public PlanPolicy withSchedule(PassSchedule value) {
        return new PlanPolicy(waitStageScope, value);
    }

    /** Returns this policy with the system properties applied. */
    PlanPolicy withSystemProperties() {
        return new PlanPolicy(
                OptionProperties.constant("waitStageScope", waitStageScope),
                OptionProperties.parsed("schedule", schedule, PassSchedule::parse));
    }
}
