package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The thread of the virtual GPU.
 *
 * <p>It takes messages in the order in which they were posted. A submission adds its work and then lets a random number
 * of ready pieces run. A demand (a thread waits for a timeline value) runs pieces until the value is reached, or
 * nothing is ready because the application has to signal a timeline of its own first. A question is answered with the
 * value reached at its turn. So the order of work, and what a program learns of it, is a function of the seed and of
 * the order of submissions, waits and questions, not of the timing of threads.
 */
final class VirtualExecutor {
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private final VirtualQueues queues;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final WorkGraph graph;
    private final SubmissionBuilder builder;
    private final Thread thread;
    private final long loseAt;
    /** The demands of each queue that wait for a timeline of the application's. */
    private final Map<VirtualQueue, Long> demanded = new LinkedHashMap<>();

    private long submissions;
    /** Under the lock of this object. */
    private boolean ended;

    /**
     * A submission.
     *
     * @param submission what was submitted
     * @param value timeline value that it reaches
     * @param nanos host time of the submission
     * @param binding happens after everything so far and before everything later; null for none
     */
    record Submitted(
            VirtualQueue queue,
            Submission submission,
            long value,
            List<VirtualCommandList> lists,
            long nanos,
            WorkNode.@Nullable Action binding)
            implements Message {}

    private sealed interface Message {
        record Demand(VirtualQueue queue, long value) implements Message {}

        record Task(Runnable body) implements Message {}

        record Ask(VirtualQueue queue, CompletableFuture<Long> answer) implements Message {}

        record Stop() implements Message {}
    }

    VirtualExecutor(VirtualQueues queues, VirtualGpuOptions options) {
        this.queues = queues;
        this.loseAt = options.loseAt();
        this.graph = new WorkGraph(options);
        this.builder = new SubmissionBuilder(graph);
        this.thread = new Thread(this::loop, "virtual-gpu");
        thread.setDaemon(true);
        thread.start();
    }

    void submit(Submitted submission) {
        inbox.add(submission);
    }

    void demand(VirtualQueue queue, long value) {
        inbox.add(new Message.Demand(queue, value));
    }

    /** Runs {@code body} on the thread of the virtual GPU between two messages. */
    void post(java.util.function.Consumer<WorkGraph> body) {
        inbox.add(new Message.Task(() -> body.accept(graph)));
    }

    /** Returns whether the calling thread is that of the virtual GPU. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Returns the value that a queue has reached when the messages posted so far are handled, so it does not depend on
     * the timing of threads. Work that runs for longer than a second is not waited for: it may be a kernel that waits
     * for the calling thread.
     */
    long ask(VirtualQueue queue) {
        if (isCurrent()) {
            return queue.timeline().reachedByDevice();
        }
        CompletableFuture<Long> answer = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                return queue.timeline().reachedByDevice();
            }
            inbox.add(new Message.Ask(queue, answer));
        }
        return await(answer, queue);
    }

    private static long await(CompletableFuture<Long> answer, VirtualQueue queue) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return queue.timeline().reachedByDevice();
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the thread after the messages posted so far. */
    void stop() {
        inbox.add(new Message.Stop());
    }

    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        boolean running = true;
        boolean interrupted = false;
        while (running) {
            try {
                running = handle(inbox.take());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        synchronized (this) {
            ended = true;
        }
        for (Message message = inbox.poll(); message != null; message = inbox.poll()) {
            if (message instanceof Message.Ask ask) {
                answer(ask);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(Message.Ask ask) {
        ask.answer().complete(ask.queue().timeline().reachedByDevice());
    }

    private boolean handle(Message message) {
        if (message instanceof Message.Stop) {
            if (!demanded.isEmpty() && !queues.isLost()) {
                queues.lose(new GpuException("it was closed while its work waited for a timeline of the application's,"
                        + " which is never signalled"));
            }
            return false;
        }
        try {
            dispatch(message);
        } catch (Throwable failure) {
            graph.clear();
            demanded.clear();
            queues.lose(failure);
        }
        return true;
    }

    private void dispatch(Message message) {
        if (message instanceof Message.Task task) {
            task.body().run();
        } else if (message instanceof Message.Ask ask) {
            answer(ask);
        } else if (queues.isLost()) {
            return;
        } else if (message instanceof Submitted submit) {
            if (++submissions == loseAt) {
                beginFirst(submit.lists());
                throw new GpuException("its options say that submission " + loseAt + " loses it, which is '"
                        + submit.submission().label() + "'");
            }
            int nodes = builder.build(submit);
            for (int steps = graph.stepsAfterSubmission(nodes); steps > 0 && graph.hasReady(); steps--) {
                graph.step();
            }
        } else if (message instanceof Message.Demand demand) {
            demanded.merge(demand.queue(), demand.value(), Math::max);
        }
        meetDemands();
    }

    /** Begins the first pass that there is, which is then the one that loses the device. */
    private static void beginFirst(List<VirtualCommandList> lists) {
        if (!lists.isEmpty()) {
            VirtualCommandList first = lists.get(0);
            first.marks().beginFirst(first.ops().stream().anyMatch(op -> op instanceof Op.PassBegin));
        }
    }

    private void meetDemands() {
        demanded.entrySet().removeIf(demand -> {
            VirtualTimeline timeline = demand.getKey().timeline();
            while (timeline.reachedByDevice() < demand.getValue() && graph.hasReady()) {
                graph.step();
            }
            return timeline.reachedByDevice() >= demand.getValue();
        });
    }
}
