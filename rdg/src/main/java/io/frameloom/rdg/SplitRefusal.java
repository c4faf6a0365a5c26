package io.frameloom.rdg;

/** Why a barrier is issued whole though {@link PlanPolicy#splitBarriers} is on. */
public enum SplitRefusal {
    /** It is for the first use, which has no producer in the frame. */
    FIRST_USE("it is for a first use"),
    /** It is for the use of the resource after the frame. */
    END_OF_FRAME("it is for the end of the frame"),
    /** It is one half of a transfer between queue families; the other half is on another queue. */
    OWNERSHIP("it hands over between queue families"),
    /** The host takes part, and it neither sets events nor waits for them. */
    HOST("the host takes part"),
    /** The passes on both sides are not all of one queue, but an event belongs to one. */
    CROSS_QUEUE("an event orders one queue, and the passes on both sides are on several"),
    /** Its queue copies alone, and such queues have no events. */
    COPY_QUEUE("a queue that only copies has no events"),
    /** {@link PlanPolicy#hoistBarriers} has moved it, or another one to its place, so that they go as one command. */
    HOISTED("it goes with others that were hoisted"),
    /** No pass lies between its halves, those that share a render pass being one. */
    ADJACENT("no pass lies between"),
    /**
     * Only a pass with {@link PassFlag#UNTRACKED_ACCESS} lies between, and no resource may be in transition across it.
     */
    UNTRACKED("the only pass between has untracked accesses");

    private final String words;

    SplitRefusal(String words) {
        this.words = words;
    }

    /** Returns it in words. */
    public String words() {
        return words;
    }
}
