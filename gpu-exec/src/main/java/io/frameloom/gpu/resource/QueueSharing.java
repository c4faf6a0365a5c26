package io.frameloom.gpu.resource;

import io.frameloom.gpu.command.BarrierBatch;

/** Which queue families may use a texture or buffer of Frameloom. An enum, so descriptions are equal by value. */
public enum QueueSharing {
    /** The families of all queues share it, so nothing is handed over between them. The default. */
    CONCURRENT,

    /**
     * It belongs to one queue family at a time. The first that uses it takes it. From then on two matching barriers
     * hand it over, a release on the one family and an acquire on the other ({@link BarrierBatch.OwnershipTransfer}). A
     * family that needs none of the contents takes it without barriers. On some GPUs attachments and storage textures
     * are faster so, since they stay compressed; between queues of one family it costs nothing.
     */
    EXCLUSIVE
}
