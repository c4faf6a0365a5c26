package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.resource.Resource;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds imported resources that were closed, and so given back to their owner, while submitted work may still use them.
 * A device keeps the memory of its own until then.
 *
 * <p>A reported close follows the reports of what the host has seen by then, so it is judged at once. A close that is
 * not reported is found later: a resource that is closed in use is reported one submission later, when it is known what
 * the host had seen.
 *
 * <p>A fork reports what its original does not, because the host has seen less there.
 */
final class EarlyCloses {
    private static final long REPORTED = Long.MAX_VALUE;

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

    /** Returns a copy with the same findings so far. */
    EarlyCloses fork() {
        return new EarlyCloses(this);
    }

    /** Reports a resource that is closed now, if it is in use. */
    void closed(ResourceTable resources, Resource named, HostView host, HazardSink report) {
        TrackedResource tracked = resources.named(named);
        if (tracked != null && tracked.isGivenBack() && tracked.pendingPass(host) != null) {
            Resource resource = tracked.resource();
            long found = foundAt.getOrDefault(resource, 0L);
            foundAt.put(resource, found == REPORTED ? REPORTED : report(resources, resource, host, report, found));
        }
    }

    /** Looks for closed resources; {@code submissions} counts those judged so far. */
    void find(ResourceTable resources, HostView host, long submissions) {
        if (!foundAt.isEmpty()) {
            foundAt.keySet().removeIf(resource -> {
                TrackedResource tracked = resources.known(resource);
                return tracked == null || tracked.pendingPass(host) == null;
            });
        }
        resources.forEachBusy(tracked -> {
            if (tracked.isGivenBack() && tracked.pendingPass(host) != null) {
                foundAt.putIfAbsent(tracked.resource(), submissions);
            }
        });
    }

    /** Reports what was found before the newest submission, when another one comes. */
    void report(ResourceTable resources, HostView host, long submissions, HazardSink report) {
        if (foundAt.isEmpty()) {
            return;
        }
        foundAt.replaceAll((resource, at) -> at >= submissions ? at : report(resources, resource, host, report, at));
    }

    private long report(ResourceTable resources, Resource resource, HostView host, HazardSink report, long at) {
        TrackedResource tracked = resources.known(resource);
        String pass = tracked == null ? null : tracked.pendingPass(host);
        if (pass == null) {
            return at;
        }
        if (original == null || original.foundAt.getOrDefault(resource, 0L) != REPORTED) {
            String name = resource.name();
            report.add(
                    Found.of(Hazard.Kind.USE_AFTER_FREE, resource, pass, ""),
                    () -> "'" + name + "' was closed while pass '" + pass + "' may still use it; close it when the host"
                            + " has waited for the submission of that pass");
        }
        return REPORTED;
    }
}
