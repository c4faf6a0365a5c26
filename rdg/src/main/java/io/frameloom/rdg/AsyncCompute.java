package io.frameloom.rdg;

/** Which passes may leave the graphics queue for a compute queue. */
public enum AsyncCompute {
    /** None. */
    OFF,
    /** Those with {@link PassFlag#ASYNC_COMPUTE}. */
    TAGGED,
    /** Every compute pass whose accesses a compute queue can execute. */
    ALL
}
