package io.frameloom.rdg;

import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.options.PrintableText;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * One thing that is wrong with a declared graph.
 *
 * @param code stable code
 * @param pass name of the pass, empty if none is concerned
 * @param resource name of the resource, empty if none is concerned
 * @param message what is wrong, in one sentence
 * @param fix what to do about it
 * @param sites where the pieces concerned were declared; empty unless {@link RdgOptions#debug} was on
 * @param passes names of all passes concerned where there are several, else empty
 * @param handle name in a file of the external resource that is registered twice, else empty
 */
public record RdgError(
        Code code,
        String pass,
        String resource,
        String message,
        String fix,
        List<String> sites,
        List<String> passes,
        String handle) {
    public RdgError {
        sites = List.copyOf(sites);
        passes = List.copyOf(passes);
    }

    /** An error that concerns no outside resource. */
    public RdgError(
            Code code,
            String pass,
            String resource,
            String message,
            String fix,
            List<String> sites,
            List<String> passes) {
        this(code, pass, resource, message, fix, sites, passes, "");
    }

    /** An error that concerns one pass at most. */
    public RdgError(Code code, String pass, String resource, String message, String fix, List<String> sites) {
        this(code, pass, resource, message, fix, sites, List.of(), "");
    }

    /** What can be wrong. */
    public enum Code {
        /** A transient is read although no earlier pass wrote it. */
        READ_UNWRITTEN,
        /** A pass reads or loads what has no contents; only with {@link RdgDiagnostics#validation}. */
        UNDEFINED_CONTENTS,
        /** An access that writes was declared with {@code reads}. */
        WRITE_DECLARED_AS_READ,
        /** An access that only reads was declared with {@code writes} or {@code overwrites}. */
        READ_DECLARED_AS_WRITE,
        /** A raster pass has no render target. */
        NO_TARGETS,
        /** The render targets of a pass differ in extent. */
        TARGET_EXTENT,
        /** A pass that is not a raster pass uses attachments. */
        ATTACHMENT_OUTSIDE_RASTER,
        /** A flag does not fit the kind of the pass. */
        FLAG_INVALID,
        /** A range is not within its resource. */
        RANGE,
        /** The queue of the pass cannot execute one of its accesses. */
        QUEUE_CAPABILITY,
        /** A pass uses the same range in two ways that exclude each other. */
        CONFLICTING_USES,
        /** An access does not fit the resource's format, kind or usage. */
        USAGE,
        /** A resource is extracted although no pass wrote it. */
        EXTRACT_UNWRITTEN,
        /** A pass has no body. */
        NO_BODY,
        /** A handle belongs to another graph, or to a frame before the graph was reset. */
        FOREIGN_RESOURCE,
        /** A pass with undeclared accesses runs on another queue than graphics. */
        UNTRACKED_ASYNC,
        /** Two passes have one name where names are identities. */
        DUPLICATE_PASS,
        /** One resource of the application is registered under two names. */
        DUPLICATE_EXTERNAL,
        /** Passes wait for each other in a circle. */
        CYCLE,
        /** Two passes write the same version of a resource, and no order between them is declared. */
        MULTI_WRITER,
        /** A pass is declared to come after one that is declared later. */
        ORDER,
        /** The graph goes beyond what is compiled in bounded memory and time. */
        LIMIT,
        /** The device has no such resource, or no pass with so many render targets. */
        UNSUPPORTED,
        /** A file does not hold a graph. */
        INPUT
    }

    /** Returns one line, with control characters written as escapes, and one for each different place of declaration. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(code.name()).append(": ").append(PrintableText.of(message));
        if (!fix.isEmpty()) {
            text.append("; ").append(PrintableText.of(fix));
        }
        for (String site : new LinkedHashSet<>(sites)) {
            text.append("\n    declared at ").append(site);
        }
        return text.toString();
    }
}
