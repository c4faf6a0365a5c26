package io.frameloom.gpu.check;

import io.frameloom.gpu.Resource;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds resources that were closed while submitted work may still use them.
 *
 * <p>Nobody tells when a resource is closed, and what the host has seen is told only at the next submission. So a resource
 * that is found closed in use is reported one submission later, when all that the host had seen by then is known.
 *
 * <p>A fork reports what its original does not, because the host has seen less there.
 */
final class EarlyCloses {
    private static final long TOLD = Long.MAX_VALUE;

    private final @Nullable EarlyCloses original;
    private final IdentityHashMap<Resource, Long> foundAt;

    EarlyCloses() {
        this.original = null;
        this.foundAt = new IdentityHashMap<>(0);
    }

    private EarlyCloses(EarlyCloses from) {
        this.original = from.original == null ? from : from.original;
        this.foundAt = new IdentityHashMap<>(from.foundAt);
    }

    /** Returns one that has found the same so far. */
    EarlyCloses fork() {
        return new EarlyCloses(this);
    }

    /** Looks for closed resources; {@code submissions} counts those judged so far. */
    void find(ResourceTable resources, Clock host, long submissions) {
        if (!foundAt.isEmpty()) {
            foundAt.keySet().removeIf(resource -> {
                TrackedResource tracked = resources.known(resource);
                return tracked == null || tracked.pendingPass(host) == null;
            });
        }
        resources.forEachBusy(tracked -> {
            if (tracked.isClosed() && tracked.pendingPass(host) != null) {
                foundAt.putIfAbsent(tracked.resource(), submissions);
            }
        });
    }

    /** Reports what was found before the newest submission, when another one comes. */
    void report(ResourceTable resources, Clock host, long submissions, HazardSink report) {
        if (foundAt.isEmpty()) {
            return;
        }
        foundAt.replaceAll((resource, at) -> at >= submissions ? at : tell(resources, resource, host, report, at));
    }

    private long tell(ResourceTable resources, Resource resource, Clock host, HazardSink report, long at) {
        TrackedResource tracked = resources.known(resource);
        String pass = tracked == null ? null : tracked.pendingPass(host);
        if (pass == null) {
            return at;
        }
        if (original == null || original.foundAt.getOrDefault(resource, 0L) != TOLD) {
            String name = resource.name();
            report.add(
                    Hazard.Kind.USE_AFTER_FREE,
                    name,
                    pass,
                    "",
                    () -> "'" + name + "' was closed while pass '" + pass + "' may still use it; close it when the host"
                            + " has waited for the submission of that pass");
        }
        return TOLD;
    }
}
