package io.frameloom.rdg;

/** Which passes may leave the graphics queue for a compute queue. */
public enum AsyncCompute {
    /** None. */
    OFF,
    /** Those with {@link PassFlag#ASYNC_COMPUTE}. */
    TAGGED,
    /**
     * Those, and every compute pass that declares what it uses, as far as a compute queue can execute it: passes without uses
     * and those with {@link PassFlag#UNTRACKED_ACCESS} stay.
     */
    ALL
}
