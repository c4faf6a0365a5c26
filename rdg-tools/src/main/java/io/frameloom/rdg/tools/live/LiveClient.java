package io.frameloom.rdg.tools.live;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A page that looks. Its own thread writes to it what others {@link #offer}, who never wait. One that takes longer than
 * there is room for is dropped: its thread is interrupted, which closes the connection that it is stuck in.
 */
final class LiveClient {
    /** Messages that wait for a page. They are the same objects for all pages. */
    static final int MOST_PENDING = 64;

    private static final byte[] STILL_THERE = ": still there\n\n".getBytes(StandardCharsets.UTF_8);
    private static final long SECONDS_OF_SILENCE = 5;

    private final BlockingQueue<byte[]> pending = new ArrayBlockingQueue<>(MOST_PENDING);
    /** Of the thread that made it, which serves the page. */
    private final Deadline deadline = new Deadline();

    private volatile boolean dropped;

    /** Queues a message, or drops the page. */
    void offer(byte[] message) {
        if (!dropped && !pending.offer(message)) {
            drop();
        }
    }

    /** Ends it, also if its thread is stuck. */
    void drop() {
        dropped = true;
        pending.clear();
        deadline.pass();
    }

    /** Lets the calling thread, which has served the page, go on with others. */
    void leave() {
        deadline.lift();
    }

    /** Writes until the page is gone or dropped. */
    void serve(OutputStream out) throws IOException {
        try {
            while (!dropped) {
                byte[] message = pending.poll(SECONDS_OF_SILENCE, TimeUnit.SECONDS);
                // What writes to a page that is gone finds that out.
                out.write(message == null ? STILL_THERE : message);
                out.flush();
            }
        } catch (InterruptedException e) {
            dropped = true;
        }
    }
}
