package io.frameloom.gpu.cache;

/** The known status of a program, without compiling it. No failure is among them: the disk never remembers one. */
public enum ProgramStatus {
    /** It compiled, and will compile again if it is no longer kept. */
    SUCCESS,
    /** Nothing is known. */
    UNKNOWN
}
