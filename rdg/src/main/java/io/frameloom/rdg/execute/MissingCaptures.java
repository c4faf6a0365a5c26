package io.frameloom.rdg.execute;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.insert.CaptureUse;
import io.frameloom.rdg.options.NearestNames;
import io.frameloom.rdg.options.RdgProperties;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Remembers which captures that the system property asks for no executed plan had a texture for. The RENDER thread.
 */
public final class MissingCaptures {
    /** Names to offer; a program that makes up a new name each frame is not to fill the memory. */
    private static final int MOST_NAMES = 1_000;

    private final boolean byProperty = RdgProperties.GROUP.text("capture") != null;
    private final Map<Capture, RdgListener> missing = new LinkedHashMap<>();
    private final Set<Capture> found = new HashSet<>();
    private final Set<String> names = new TreeSet<>();

    public void executed(FramePlan plan) {
        RdgDiagnostics diagnostics = plan.options().diagnostics();
        if (!byProperty || diagnostics.captures().isEmpty()) {
            return;
        }
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            if (resource.extraction() instanceof CaptureUse use) {
                found.add(use.capture());
            }
        }
        for (Capture capture : diagnostics.captures()) {
            missing.put(capture, diagnostics.watch().listener());
        }
        boolean chosen = diagnostics.watch().graphs().matches(plan.name());
        if (chosen && !found.containsAll(diagnostics.captures())) {
            for (FramePlan.ResourcePlan resource : plan.resources()) {
                if (resource.texture() && names.size() < MOST_NAMES) {
                    names.add(resource.name());
                }
            }
        }
    }

    /** Reports to the listeners what was never found. One that throws does not stop the others. */
    public void report() {
        found.forEach(missing::remove);
        List<Throwable> failures = new ArrayList<>(0);
        for (Map.Entry<Capture, RdgListener> each : missing.entrySet()) {
            try {
                report(each.getKey(), each.getValue());
            } catch (Throwable failure) {
                failures.add(failure);
            }
        }
        missing.clear();
        Failures.throwAll(failures);
    }

    private void report(Capture capture, RdgListener listener) {
        listener.notCaptured(
                capture,
                names.isEmpty()
                        ? "nor any other that frameloom.rdg.graphFilter leaves"
                        : "the nearest are " + NearestNames.of(capture.texture(), List.copyOf(names)));
    }
}
