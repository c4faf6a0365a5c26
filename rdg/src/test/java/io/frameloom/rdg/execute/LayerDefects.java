package io.frameloom.rdg.execute;

import io.frameloom.gpu.ValidationMessage;
import java.util.Set;

/**
 * What the validation layer 1.3.239 says of work that is right by the specification: each id that tests overlook stands here,
 * with the reason. All are about work of two submissions; hazards within one command list are never overlooked.
 */
final class LayerDefects {
    private static final String BETWEEN_SUBMISSIONS = "vkQueueSubmit2: Hazard ";

    /**
     * The layer keeps one signal of a semaphore: of two submissions to a queue that nothing waits for it forgets the second one's,
     * so that a wait for it orders nothing. The specification knows each value of a timeline. Queues wait for their own
     * timelines behind a frame that has failed.
     */
    private static final Set<String> LOST_SIGNAL =
            Set.of("SYNC-HAZARD-READ-AFTER-WRITE", "SYNC-HAZARD-WRITE-AFTER-READ", "SYNC-HAZARD-WRITE-AFTER-WRITE");

    /**
     * The layer keeps images of optimal tiling and buffers in two spaces of addresses, so of bytes that go from a buffer to an
     * image and on to a buffer it does not see that the image had them in between, nor does a barrier of the image go
     * into the chain from the first buffer to the second. By the specification the stages of any barrier order all commands, and
     * what the first buffer's writes need is made available by the barrier of all memory before the image.
     */
    private static final Set<String> IMAGE_IN_BETWEEN =
            Set.of("SYNC-HAZARD-WRITE-AFTER-READ", "SYNC-HAZARD-WRITE-AFTER-WRITE");

    private LayerDefects() {}

    /** Returns whether a message may come of a wait of a queue for its own timeline. */
    static boolean isOfALostSignal(ValidationMessage message) {
        return LOST_SIGNAL.contains(message.id()) && message.text().contains(BETWEEN_SUBMISSIONS);
    }

    /** Returns whether a message may come of bytes that an image had between two buffers. */
    static boolean isOfAnImageInBetween(ValidationMessage message) {
        return IMAGE_IN_BETWEEN.contains(message.id()) && message.text().contains(BETWEEN_SUBMISSIONS);
    }
}
