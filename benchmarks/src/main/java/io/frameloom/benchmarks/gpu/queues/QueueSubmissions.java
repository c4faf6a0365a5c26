package io.frameloom.benchmarks.gpu.queues;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Submissions of nothing from a thread for each queue: how many a second, and how long until the host knows the end of one. */
final class QueueSubmissions {
    /** A queue is never further ahead of the host than this. */
    private static final int AHEAD = 64;

    private static final Submission NOTHING = new Submission("nothing", List.of(), List.of());
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ExecutorService pool;
    private final int submissions;

    /**
     * Measurements.
     *
     * @param submissions number of submissions to each queue
     */
    QueueSubmissions(ExecutorService pool, int submissions) {
        this.pool = pool;
        this.submissions = submissions;
    }

    /** Submits as fast as it goes; the samples are the calls. */
    QueueRow throughput(List<GpuQueue> queues) {
        return measure("submit", queues, (queue, samples) -> {
            for (int i = 0; i < samples.length; i++) {
                long start = System.nanoTime();
                long value = queue.submit(NOTHING).value();
                samples[i] = System.nanoTime() - start;
                if (i % AHEAD == AHEAD - 1) {
                    require(queue.timeline().await(value, LONG));
                }
            }
            require(queue.timeline().await(queue.timeline().submitted(), LONG));
        });
    }

    /** Awaits the event of each submission before the next; the samples are from submission to event. */
    QueueRow latency(List<GpuQueue> queues) {
        return measure("latency", queues, (queue, samples) -> {
            for (int i = 0; i < samples.length; i++) {
                long start = System.nanoTime();
                long value = queue.submit(NOTHING).value();
                require(queue.timeline().reached(value).await(LONG));
                samples[i] = System.nanoTime() - start;
            }
        });
    }

    @FunctionalInterface
    private interface Loop {
        void run(GpuQueue queue, long[] samples);
    }

    /** Runs twice, of which the first is to warm up. */
    private QueueRow measure(String what, List<GpuQueue> queues, Loop loop) {
        long[][] samples = new long[queues.size()][submissions];
        Crowd.run(pool, queues.size(), number -> loop.run(queues.get(number), samples[number]));
        long nanos = Crowd.run(pool, queues.size(), number -> loop.run(queues.get(number), samples[number]));
        long[] all =
                Arrays.stream(samples).flatMapToLong(Arrays::stream).sorted().toArray();
        return new QueueRow(
                what,
                QueueBench.name(queues.get(0).kind()),
                queues.size(),
                all.length / (nanos / 1e9),
                QueueBench.micros(all, 0.5),
                QueueBench.micros(all, 0.99),
                1);
    }

    private static void require(boolean inTime) {
        if (!inTime) {
            throw new GpuException("the device did not answer within " + LONG);
        }
    }
}
