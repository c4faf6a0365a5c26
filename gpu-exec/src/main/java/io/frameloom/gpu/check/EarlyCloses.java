package io.frameloom.gpu.check;

import java.util.IdentityHashMap;

/**
 * Finds resources that were closed while submitted work may still use them.
 *
 * <p>Nobody tells when a resource is closed, and what the host has seen is told only at the next submission. So a resource
 * that is found closed in use is reported one submission later, when all that the host had seen by then is known.
 */
final class EarlyCloses {
    private static final long TOLD = Long.MAX_VALUE;

    private final IdentityHashMap<TrackedResource, Long> foundAt = new IdentityHashMap<>();

    /** Looks for closed resources; {@code submissions} counts those judged so far. */
    void find(ResourceTable resources, Clock host, long submissions) {
        foundAt.keySet().removeIf(tracked -> tracked.pendingPass(host) == null);
        resources.forEachBusy(tracked -> {
            if (tracked.resource().isClosed() && tracked.pendingPass(host) != null) {
                foundAt.putIfAbsent(tracked, submissions);
            }
        });
    }

    /** Reports what was found before the newest submission, when another one comes. */
    void report(Clock host, long submissions, HazardSink report) {
        if (foundAt.isEmpty()) {
            return;
        }
        foundAt.replaceAll((tracked, at) -> {
            String pass = tracked.pendingPass(host);
            if (at >= submissions || pass == null) {
                return at;
            }
            String name = tracked.resource().name();
            report.add(
                    Hazard.Kind.USE_AFTER_FREE,
                    name,
                    pass,
                    "",
                    () -> "'" + name + "' was closed while pass '" + pass + "' may still use it; close it when the host"
                            + " has waited for the submission of that pass");
            return TOLD;
        });
    }
}
