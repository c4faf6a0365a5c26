package io.frameloom.gpu.resource;

import io.frameloom.gpu.command.BarrierBatch;

/** Which queue families may use a texture or buffer that Frameloom makes. An enum so that descriptions are equal by value. */
public enum QueueSharing {
    /** The families of all queues share it, so nothing is handed over between them. The default. */
    CONCURRENT,

    /**
     * It belongs to one queue family at a time: to the first that uses it, and from then on it is handed over by two
     * barriers that say the same, a release on the one family and an acquire on the other
     * ({@link BarrierBatch.OwnershipTransfer}). A family that needs none of the contents takes it without. On some GPUs this
     * makes attachments and storage textures faster, which stay compressed in it; between queues of one family it costs
     * nothing.
     */
    EXCLUSIVE
}
