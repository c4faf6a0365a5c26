package io.frameloom.gpu.cache.program;

import java.util.Locale;

/** What a program is, and what it depends on besides its own source. The order is part of the file format. */
public enum ProgramKind {
    /** A shader in portable code (SPIR-V): depends on the shader compiler, not on a device. */
    SHADER,
    /** A pipeline in the code of one driver: depends on device and driver. */
    PIPELINE;

    /** Returns the name by which folders of its programs begin. */
    String folderName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether drivers have been known to crash on a damaged or foreign one. */
    boolean isGivenToDriver() {
        return this == PIPELINE;
    }
}
