package io.frameloom.gpu.virtual;

import io.frameloom.gpu.GpuException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The thread of the virtual GPU.
 *
 * <p>It takes messages in the order in which they were posted: a submission adds its work and then lets a random number
 * of ready pieces run; a demand (somebody waits for a timeline value) runs pieces until the value is reached. What runs
 * in which order is so a function of the seed and of the order of submissions and waits, not of the timing of threads.
 */
final class VirtualExecutor {
    private final VirtualQueues queues;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final WorkGraph graph;
    private final SubmissionBuilder builder;
    private final Thread thread;
    private final long loseAt;
    private long submissions;

    private sealed interface Message {
        record Submit(PendingSubmission submission) implements Message {}

        record Demand(VirtualQueue queue, long value) implements Message {}

        record Task(Runnable body) implements Message {}

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

    void submit(PendingSubmission submission) {
        inbox.add(new Message.Submit(submission));
    }

    void demand(VirtualQueue queue, long value) {
        inbox.add(new Message.Demand(queue, value));
    }

    /** Runs {@code body} on the thread of the virtual GPU between two messages. */
    void post(java.util.function.Consumer<WorkGraph> body) {
        inbox.add(new Message.Task(() -> body.accept(graph)));
    }

    /** Ends the thread after the messages posted so far. */
    void stop() {
        inbox.add(new Message.Stop());
    }

    /** Waits for the end of the thread. */
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
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean handle(Message message) {
        if (message instanceof Message.Stop) {
            return false;
        }
        try {
            dispatch(message);
        } catch (RuntimeException | Error failure) {
            graph.clear();
            queues.lose(failure);
        }
        return true;
    }

    private void dispatch(Message message) {
        if (message instanceof Message.Task task) {
            task.body().run();
        } else if (queues.isLost()) {
            return;
        } else if (message instanceof Message.Submit submit) {
            if (++submissions == loseAt) {
                throw new GpuException("its options say that submission " + loseAt + " loses it, which is '"
                        + submit.submission().submission().label() + "'");
            }
            int nodes = builder.build(submit.submission());
            for (int steps = graph.stepsAfterSubmission(nodes); steps > 0 && graph.hasReady(); steps--) {
                graph.step();
            }
        } else if (message instanceof Message.Demand demand) {
            while (demand.queue().timeline().peekCompleted() < demand.value()) {
                graph.step();
            }
        }
    }
}
