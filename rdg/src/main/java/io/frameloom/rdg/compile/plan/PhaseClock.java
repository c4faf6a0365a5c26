package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Notes how long the phases of one compilation take, or does nothing. One thread. */
public final class PhaseClock {
    private static final PhaseClock OFF = new PhaseClock(null);

    private final @Nullable Map<CompilePhase, Long> nanos;
    private long last;

    private PhaseClock(@Nullable Map<CompilePhase, Long> nanos) {
        this.nanos = nanos;
        this.last = nanos == null ? 0 : System.nanoTime();
    }

    public static PhaseClock start(boolean on) {
        return on ? new PhaseClock(new EnumMap<>(CompilePhase.class)) : OFF;
    }

    public void end(CompilePhase phase) {
        if (nanos != null) {
            long now = System.nanoTime();
            nanos.merge(phase, now - last, Long::sum);
            last = now;
        }
    }

    public Map<CompilePhase, Long> nanos() {
        return nanos == null ? Map.of() : Collections.unmodifiableMap(nanos);
    }
}
