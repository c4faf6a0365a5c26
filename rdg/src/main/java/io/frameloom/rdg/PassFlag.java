package io.frameloom.rdg;

/** What is special about a pass. */
public enum PassFlag {
    /**
     * The pass may run on a compute queue beside the graphics queue; not for raster passes. It stays on the graphics
     * queue if it copies to a texture of depth or stencil, which takes one.
     */
    ASYNC_COMPUTE,
    /**
     * The pass may run on a copy queue beside the others, where the device has one; only for copy passes. It stays
     * where it would be without the flag if it copies to a texture of depth or stencil, which takes a graphics queue.
     * Together with {@link #ASYNC_COMPUTE} it runs on a compute queue where there is no copy queue. A copy queue clears
     * no textures, copies at offsets in buffers that are multiples of 4, and regions of textures as its family's
     * granularity says.
     */
    ASYNC_COPY,
    /** The pass and what it needs are kept even if no output of the frame depends on it. */
    NEVER_CULL,
    /** A copy whose result the host reads: only for copy passes, and never culled. */
    READBACK,
    /** A raster pass that begins and ends its render passes itself. */
    SKIP_RENDER_PASS,
    /** The pass never shares a render pass with another one. */
    NEVER_MERGE,
    /**
     * The pass touches resources that it does not declare. It is never culled, as its writes may be needed. Nothing is
     * moved across it: passes that are declared before or after it execute before or after it, also on other queues and
     * in the order UNORDERED. Not together with {@link #ASYNC_COMPUTE} or {@link #ASYNC_COPY}: it stays on the graphics
     * queue.
     */
    UNTRACKED_ACCESS,
    /**
     * A raster pass each of whose draws goes to all layers of its targets at once, as for both eyes of a headset. {@link
     * io.frameloom.gpu.command.RenderingInfo#withMultiview} says what that takes. It never shares a render
     * pass with another one, since no timestamp may lie inside.
     */
    MULTIVIEW,
    /** The pass is recorded alone, by the thread that executes the frame's serial part. */
    NEVER_PARALLEL
}
