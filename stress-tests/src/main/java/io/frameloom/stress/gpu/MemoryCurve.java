package io.frameloom.stress.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Samples of the process's memory over time, and whether they are flat. Flat means that the straight line through the
 * samples after warm-up, fitted by least squares, rises over their whole length by less than an allowance. Warm-up is the
 * first third, at least half a minute; what is left must be a minute.
 */
public final class MemoryCurve {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final double WARM_UP_SHARE = 1.0 / 3;
    private static final double WARM_UP_SECONDS = 30;
    private static final double SHORTEST_SECONDS = 60;
    /** Of what is in use, from which garbage and what was freed are gone. */
    private static final Allowance IN_USE = new Allowance(4 << 20, 0.01);
    /** The C library and the driver keep pages of what was freed, more of them as time goes on. */
    private static final Allowance RESIDENT = new Allowance(24 << 20, 0.02);

    private final List<Sample> samples = new ArrayList<>();

    /**
     * One moment.
     *
     * @param seconds since the start
     * @param heap bytes of the Java heap that the last collection left, which garbage does not blur
     * @param nativeInUse bytes that the C library has handed out, 0 where it does not say
     * @param resident bytes of the process in memory, with what the C library keeps for later; 0 where the system does not
     *     say
     * @param device bytes of device memory that resources have
     */
    public record Sample(double seconds, long heap, long nativeInUse, long resident, long device) {}

    /** How much a curve may rise: some bytes and a share of its mean. */
    private record Allowance(double bytes, double share) {
        double over(double mean) {
            return bytes + share * mean;
        }
    }

    /**
     * Takes a sample and returns it; of the heap that is what the last full collection has left.
     *
     * @param device bytes of device memory that resources have
     */
    public Sample take(double seconds, long device) {
        long heap = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage afterCollection = pool.getCollectionUsage();
            if (pool.getType() == MemoryType.HEAP && afterCollection != null) {
                heap += afterCollection.getUsed();
            }
        }
        Sample sample = new Sample(seconds, heap, NativeHeap.now().inUse(), resident(), device);
        samples.add(sample);
        return sample;
    }

    private static long resident() {
        if (!Files.exists(STATUS)) {
            return 0;
        }
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what rises, each in a line; empty if the curves are flat, or too short to tell. */
    public List<String> rising() {
        List<String> rising = new ArrayList<>();
        if (isTooShort()) {
            return rising;
        }
        double warm = warmUp();
        List<Sample> settled =
                samples.stream().filter(sample -> sample.seconds() >= warm).toList();
        rise(
                "the Java heap after collections",
                settled,
                settled.stream().mapToDouble(Sample::heap).toArray(),
                IN_USE,
                rising);
        rise(
                "native memory in use",
                settled,
                settled.stream().mapToDouble(Sample::nativeInUse).toArray(),
                IN_USE,
                rising);
        rise(
                "resident memory",
                settled,
                settled.stream().mapToDouble(Sample::resident).toArray(),
                RESIDENT,
                rising);
        rise(
                "device memory",
                settled,
                settled.stream().mapToDouble(Sample::device).toArray(),
                RESIDENT,
                rising);
        return rising;
    }

    /** Returns whether nothing can be said. */
    public boolean isTooShort() {
        return samples.isEmpty() || samples.get(samples.size() - 1).seconds() - warmUp() < SHORTEST_SECONDS;
    }

    private double warmUp() {
        return Math.max(WARM_UP_SECONDS, samples.get(samples.size() - 1).seconds() * WARM_UP_SHARE);
    }

    /** Adds a sample taken elsewhere. */
    void add(Sample sample) {
        samples.add(sample);
    }

    private static void rise(
            String what, List<Sample> settled, double[] bytes, Allowance allowance, List<String> rising) {
        int count = bytes.length;
        double meanTime =
                settled.stream().mapToDouble(Sample::seconds).average().orElse(0);
        double mean = 0;
        for (double value : bytes) {
            mean += value / count;
        }
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < count; i++) {
            double time = settled.get(i).seconds() - meanTime;
            covariance += time * (bytes[i] - mean);
            variance += time * time;
        }
        double length = settled.get(count - 1).seconds() - settled.get(0).seconds();
        double rise = variance == 0 ? 0 : covariance / variance * length;
        if (rise > allowance.over(mean)) {
            rising.add(String.format(
                    "%s rises by %.1f MiB in %.0f s, from a mean of %.1f MiB",
                    what, rise / (1 << 20), length, mean / (1 << 20)));
        }
    }
}
