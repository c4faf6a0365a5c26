package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.AsyncCompute;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Ctrl-C does to a demo that has not begun to render. */
final class StopSignalTest {
    private static final String LINE = "frameloom demo: stopped before it was done";

    @TempDir
    private Path dir;

    private final StringWriter err = new StringWriter();

    private int during(StopSignal.Work work) throws Exception {
        return StopSignal.during("frameloom demo", work, new PrintWriter(err, true));
    }

    @Test
    void aFailureAfterTheRequestEndsTheLine() throws Exception {
        assertThat(during(stop -> {
                    stop.request();
                    throw new ExceptionInInitializerError(new IllegalStateException("Shutdown\nin progress"));
                }))
                .isEqualTo(130);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(LINE + ": java.lang.IllegalStateException: Shutdown in progress\n");
    }

    @Test
    void aFailureWithoutOneIsThrown() {
        assertThatThrownBy(() -> during(stop -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whatWasDoneAllTheSameIsDone() throws Exception {
        assertThat(during(stop -> {
                    stop.request();
                    return 0;
                }))
                .isZero();
        assertThat(err.toString()).isEmpty();
    }

    /** Its device would be refused. */
    @Test
    void aRequestWhileTheSceneIsLoadedOpensNoDeviceAndLeavesNothing() throws Exception {
        DemoOptions options = new DemoOptions(
                null,
                null,
                1,
                null,
                64,
                64,
                dir.resolve("a/b"),
                List.of(new DeviceSelector.Named("no such device")),
                AsyncCompute.TAGGED,
                List.of(),
                false,
                false,
                false,
                null,
                null);
        PrintWriter errors = new PrintWriter(err, true);
        assertThat(during(stop -> {
                    stop.request();
                    return new DemoRunner(options, errors, errors, stop).run();
                }))
                .isEqualTo(130);
        assertThat(err.toString()).isEqualToNormalizingNewlines(LINE + "\n");
        assertThat(dir).isEmptyDirectory();
    }
}
