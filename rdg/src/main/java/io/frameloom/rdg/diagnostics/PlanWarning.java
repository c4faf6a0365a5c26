package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.RdgOptions;
import java.util.List;

/**
 * Something in a graph that is allowed but looks like a mistake. Immutable; any thread.
 *
 * @param subject name of the pass for {@link Code#CULLED_PASS}, of the graph for {@link Code#UNMEASURED_ASYNC}, else of
 *     the resource
 * @param message one line that says it
 * @param sites where the pieces concerned were declared; empty unless {@link RdgOptions#debug} was on
 */
public record PlanWarning(Code code, String subject, String message, List<String> sites) {
    public PlanWarning {
        sites = List.copyOf(sites);
    }

    /** A warning that names no lines. */
    public PlanWarning(Code code, String subject, String message) {
        this(code, subject, message, List.of());
    }

    /** What looks like a mistake. */
    public enum Code {
        /** A pass was removed. */
        CULLED_PASS,
        /** No pass uses a resource, not even one that was removed. */
        UNUSED_RESOURCE,
        /** A transient is written by passes that run, and read by none. */
        NEVER_READ,
        /** A transient, or what a frame writes of a history, is read where all that wrote it may have been left out. */
        CONDITIONAL_CONTENTS,
        /**
         * A pass reads or loads what no pass wrote, all of a use or single mips and layers of it. It is of a transient,
         * or of a texture that comes into the frame in layout UNDEFINED. An error with {@link
         * RdgDiagnostics#validation}.
         */
        UNDEFINED_CONTENTS,
        /** The first pass that writes a transient keeps what another transient left in the same memory. */
        ALIASED_CONTENTS,
        /** A pass declares a resource and does not take it; only with {@link RdgDiagnostics#validation}. */
        NOT_TAKEN,
        /**
         * A {@linkplain RdgDiagnostics#captures capture} has transients in other memory than without it, so it may hide
         * a mistake of shared memory, or show other bytes. {@link RdgDiagnostics#withCaptureAliasing} switches sharing
         * off.
         */
        CAPTURE_MOVES_MEMORY,
        /** Passes beside graphics are to be decided by measurement, and frames of the graph end without times. */
        UNMEASURED_ASYNC
    }
}
