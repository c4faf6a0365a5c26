package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.options.RdgProperties;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is done to graphs and frames to find a mistake in them. The part of {@link RdgOptions} that costs time or
 * changes the plan. Immutable; the system properties are named at {@link RdgOptions}.
 *
 * @param immediate whether the passes of {@link FrameExecutor#beginGraph} run while they are declared, each to its end
 * @param serialise whether each pass is a submission of its own after a barrier of everything, and the submit thread
 *     waits until the device has done it; switches async compute and merging off
 * @param clobber what transients are filled with before their first use
 * @param recording how passes are distributed to recording tasks
 * @param labels whether scopes get labels, which passes always do, for GPU debuggers
 * @param validation whether to watch which of its declared resources a pass takes. What it never takes becomes a
 *     warning of {@link FrameHandle#warnings}. A pass that reads undefined contents is refused
 * @param compileTimes whether the compiler notes how long each of its phases took: {@link FramePlan#compileTimes}
 * @param captures textures to read back, see {@link FrameHandle#captures}
 * @param captureFolder where the pictures of all captures are also written, or an empty path for nowhere. Then those of
 *     the system property are written to {@code rdg-captures}
 * @param captureAliasing whether transients share memory also in a graph with captures. A texture lives until it is
 *     copied, so a capture may change which transients share memory ({@link PlanWarning.Code#CAPTURE_MOVES_MEMORY}). If
 *     off, none do. Pictures that are right only then show that sharing is to blame
 * @param watch what is reported and drawn, and the graphs, passes and resources that all of this is limited to
 */
public record RdgDiagnostics(
        boolean immediate,
        boolean serialise,
        Clobber clobber,
        RecordingMode recording,
        boolean labels,
        boolean validation,
        boolean compileTimes,
        List<Capture> captures,
        Path captureFolder,
        boolean captureAliasing,
        RdgWatch watch) {
    public RdgDiagnostics {
        captures = List.copyOf(captures);
    }

    /** Returns diagnostics that change nothing: parallel recording, labels on, everything else off. */
    public static RdgDiagnostics none() {
        return new RdgDiagnostics(
                false,
                false,
                Clobber.OFF,
                RecordingMode.PARALLEL,
                true,
                false,
                false,
                List.of(),
                Path.of(""),
                true,
                RdgWatch.none());
    }

    /** The diagnostics while one of them is changed. */
    private static final class Draft {
        private boolean immediate;
        private boolean serialise;
        private Clobber clobber;
        private RecordingMode recording;
        private boolean labels;
        private boolean validation;
        private boolean compileTimes;
        private List<Capture> captures;
        private Path captureFolder;
        private boolean captureAliasing;
        private RdgWatch watch;

        Draft(RdgDiagnostics from) {
            immediate = from.immediate;
            serialise = from.serialise;
            clobber = from.clobber;
            recording = from.recording;
            labels = from.labels;
            validation = from.validation;
            compileTimes = from.compileTimes;
            captures = from.captures;
            captureFolder = from.captureFolder;
            captureAliasing = from.captureAliasing;
            watch = from.watch;
        }

        RdgDiagnostics diagnostics() {
            return new RdgDiagnostics(
                    immediate,
                    serialise,
                    clobber,
                    recording,
                    labels,
                    validation,
                    compileTimes,
                    captures,
                    captureFolder,
                    captureAliasing,
                    watch);
        }
    }

    private RdgDiagnostics with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.diagnostics();
    }

    /** Returns the same diagnostics with immediate mode on or off. */
    public RdgDiagnostics withImmediate(boolean value) {
        return with(draft -> draft.immediate = value);
    }

    /** Returns the same diagnostics with serialise mode on or off. */
    public RdgDiagnostics withSerialise(boolean value) {
        return with(draft -> draft.serialise = value);
    }

    /** Returns the same diagnostics with another filling of transients. */
    public RdgDiagnostics withClobber(Clobber value) {
        return with(draft -> draft.clobber = value);
    }

    /** Returns the same diagnostics with another way of recording. */
    public RdgDiagnostics withRecording(RecordingMode value) {
        return with(draft -> draft.recording = value);
    }

    /** Returns the same diagnostics with labels on or off. */
    public RdgDiagnostics withLabels(boolean value) {
        return with(draft -> draft.labels = value);
    }

    /** Returns the same diagnostics with watching what passes take on or off. */
    public RdgDiagnostics withValidation(boolean value) {
        return with(draft -> draft.validation = value);
    }

    /** Returns the same diagnostics with the times of the compiler's phases on or off. */
    public RdgDiagnostics withCompileTimes(boolean value) {
        return with(draft -> draft.compileTimes = value);
    }

    /** Returns the same diagnostics with other captures. */
    public RdgDiagnostics withCaptures(List<Capture> value) {
        return with(draft -> draft.captures = value);
    }

    /** Returns the same diagnostics with another folder for the pictures of captures. */
    public RdgDiagnostics withCaptureFolder(Path value) {
        return with(draft -> draft.captureFolder = value);
    }

    /** Returns the same diagnostics with memory that transients share, or do not share, in graphs with captures. */
    public RdgDiagnostics withCaptureAliasing(boolean value) {
        return with(draft -> draft.captureAliasing = value);
    }

    /** Returns the same diagnostics with something else reported and drawn. */
    public RdgDiagnostics withWatch(RdgWatch value) {
        return with(draft -> draft.watch = value);
    }

    /** Returns these options with the system properties that are set applied. */
    public RdgDiagnostics withSystemProperties() {
        return new RdgDiagnostics(
                RdgProperties.GROUP.flag("immediate", immediate),
                RdgProperties.GROUP.flag("serialise", serialise),
                RdgProperties.GROUP.constant("clobber", clobber),
                RdgProperties.GROUP.constant("recording", recording),
                RdgProperties.GROUP.flag("labels", labels),
                RdgProperties.GROUP.flag("validation", validation),
                RdgProperties.GROUP.flag("compileTimes", compileTimes),
                RdgProperties.GROUP.parsed("capture", captures, RdgDiagnostics::captureList),
                folderWithSystemProperties(),
                RdgProperties.GROUP.flag("captureAliasing", captureAliasing),
                watch.withSystemProperties());
    }

    private Path folderWithSystemProperties() {
        Path folder = RdgProperties.GROUP.folder("captureFolder", captureFolder);
        boolean nowhere = folder.toString().isEmpty();
        // No code knows of captures of the property, so files are the only way to see them.
        return nowhere && RdgProperties.GROUP.text("capture") != null ? Path.of("rdg-captures") : folder;
    }

    private static List<Capture> captureList(String expressions) {
        return Arrays.stream(expressions.split(";", -1))
                .map(String::strip)
                .map(Capture::parse)
                .toList();
    }
}
