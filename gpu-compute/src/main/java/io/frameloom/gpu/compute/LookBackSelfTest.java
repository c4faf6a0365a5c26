package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.taskgraph.BlockingScope;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether scans of {@link ScanVariant#LOOK_BACK} give right results on a device. Each kind of them is judged
 * by itself, once for a device: words of an element, whether in segments, threads of a workgroup, elements of a thread,
 * subgroups. The test runs the shipped shader, over more tiles than two looks reach, and with half of its tiles stuck.
 * It takes a tenth or two of a second on a GPU and most of one on a software driver, with the compilation of its
 * shader.
 *
 * <p>The operator is one of the test's own for the number of words: associative, not commutative, and with a result
 * that shows every tile that is missing, taken twice or in another place. It stands for all others. Operators differ
 * only in a function of two values in registers, which knows neither memory nor other invocations. The tiles exchange
 * halves of words, whatever they mean. A driver's error in that function alone would be the same in a scan of the other
 * variant.
 *
 * <p>A late test is no verdict: the device may be busy. It has five seconds from the end of the work submitted before
 * it, for which it waits as long. The answer is then false, and a later call tries again; after three times the kind
 * has failed.
 *
 * <p>Any thread. Threads that ask for a kind that is being tested wait for that. On a worker they do so in a
 * {@linkplain io.frameloom.taskgraph.TaskGraph#beginBlocking blocking region}.
 */
final class LookBackSelfTest {
    static final int MOST_ATTEMPTS = 3;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    /** The shipped form: waits by the clock. */
    private static final LookBackProbe.Waiting WAITING = (timeline, value) -> timeline.await(value, LONGEST);

    private final Map<ScanShape, Verdict> verdicts = new ConcurrentHashMap<>();

    private LookBackSelfTest() {}

    /** The verdict on a kind of scans. */
    private static final class Verdict {
        private volatile @Nullable Boolean passed;
        private int late;

        boolean passed(GpuDevice device, ScanShape kind, LookBackProbe.Waiting waiting) {
            Boolean known = passed;
            if (known != null) {
                return known;
            }
            try (BlockingScope region = device.taskGraph().beginBlocking("look-back self-test")) {
                Objects.requireNonNull(region, "region");
                return judge(device, kind, waiting);
            }
        }

        private synchronized boolean judge(GpuDevice device, ScanShape kind, LookBackProbe.Waiting waiting) {
            Boolean known = passed;
            if (known != null) {
                return known;
            }
            LookBackProbe.Outcome outcome = LookBackProbe.run(device, kind, waiting);
            if (outcome == LookBackProbe.Outcome.LATE) {
                late++;
            }
            if (outcome != LookBackProbe.Outcome.LATE || late == MOST_ATTEMPTS) {
                passed = outcome == LookBackProbe.Outcome.RIGHT;
            }
            return outcome == LookBackProbe.Outcome.RIGHT;
        }
    }

    /**
     * Returns whether a scan with look-back gives right results on a device. If that is not known yet, this tests it on
     * the device's first queue and waits for the result.
     *
     * @param operator operator of the scan, of which the number of words counts
     * @param segmented whether it scans in segments
     * @param options options of the scan; the variant does not count
     * @throws DeviceLostException if the device is lost meanwhile
     * @throws GpuOutOfMemoryException if there is too little memory for the test, which the next call tries again
     */
    static boolean passes(GpuDevice device, ScanOperator operator, boolean segmented, ScanOptions options) {
        return passes(device, operator, segmented, options, WAITING);
    }

    static boolean passes(
            GpuDevice device,
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            LookBackProbe.Waiting waiting) {
        ScanShape kind = kind(device, operator, segmented, options);
        return of(device).verdicts.computeIfAbsent(kind, any -> new Verdict()).passed(device, kind, waiting);
    }

    private static LookBackSelfTest of(GpuDevice device) {
        return device.once(LookBackSelfTest.class, any -> new LookBackSelfTest());
    }

    /** The shape that is tested in place of a scan. */
    static ScanShape kind(GpuDevice device, ScanOperator operator, boolean segmented, ScanOptions options) {
        return ScanShape.lookBack(
                ProbeOperators.of(operator.type().words()),
                segmented,
                options,
                device.capabilities().limits().compute());
    }

    /** Lets a kind of scans pass or fail untested. */
    static void decide(GpuDevice device, ScanShape kind, boolean passed) {
        of(device).verdicts.computeIfAbsent(kind, any -> new Verdict()).passed = passed;
    }
}
