package io.frameloom.gpu.cache;

/** What is known of a program without compiling it. There is no failure: what failed once is never remembered on disk. */
public enum ProgramStatus {
    /** It compiled, and if it is not at hand any more, it will compile again. */
    SUCCESS,
    /** Nothing is known. */
    UNKNOWN
}
