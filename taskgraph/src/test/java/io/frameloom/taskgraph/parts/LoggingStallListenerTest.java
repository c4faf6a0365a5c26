package io.frameloom.taskgraph.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.StallListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the log says of long waits. */
final class LoggingStallListenerTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> lines = new ArrayList<>();
    private final StallListener listener = new LoggingStallListener("engine", new System.Logger() {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
            lines.add(level + " " + text);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, Object... values) {
            lines.add(level + " " + text);
        }
    });

    private static StallExplanation explanation(int cycleStart, String... names) {
        List<StallExplanation.Step> steps = new ArrayList<>();
        for (String name : names) {
            steps.add(new StallExplanation.Step(name, "waits", null, List.of()));
        }
        return new StallExplanation(names[0], steps, cycleStart);
    }

    private void stalled(Duration waited, StallExplanation why) {
        listener.stalled(Thread.currentThread(), waited, why);
    }

    @Test
    void threadsThatOneThingHoldsUpAreOneWarning() {
        stalled(LONG, explanation(-1, "frame", "draw", "load"));
        stalled(LONG, explanation(-1, "sound", "load"));
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("WARNING thread " + Thread.currentThread().getName()
                        + " has waited for 3600000 ms in task graph 'engine': 'frame' is not complete\n")
                .endsWith("load waits");
        stalled(LONG, explanation(-1, "sound", "mix"));
        assertThat(lines).as("something else").hasSize(2);
    }

    @Test
    void oneCycleIsOneWarningWhereverItIsEntered() {
        stalled(LONG, explanation(1, "frame", "RENDER", "submit", "RHI"));
        stalled(LONG, explanation(0, "RHI", "RENDER", "submit"));
        assertThat(lines).hasSize(1);
    }

    @Test
    void aWaitThatGoesOnIsLoggedAgain() {
        stalled(Duration.ZERO, explanation(-1, "frame"));
        stalled(Duration.ZERO, explanation(-1, "frame"));
        assertThat(lines).hasSize(2);
    }
}
