package io.frameloom.gpu.transfer;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimelinePoint;

/** Refuses what cannot be transferred before anything of it is recorded. Any thread. */
final class TransferChecks {
    private final GpuDevice device;
    private final String owner;
    private final String verb;

    /**
     * Checks for an uploader or readbacks.
     *
     * @param owner what they are called in messages
     * @param verb what they do with a resource
     */
    TransferChecks(GpuDevice device, String owner, String verb) {
        this.device = device;
        this.owner = owner;
        this.verb = verb;
    }

    void buffer(Buffer buffer, BufferUsage usage, long offset, int bytes) {
        requireOpen("buffer", buffer.name(), buffer.isClosed());
        if (!buffer.description().usage().contains(usage)) {
            throw new IllegalArgumentException(what("buffer", buffer.name()) + ", which was not created for " + usage);
        }
        long size = buffer.description().bytes();
        if (bytes < 1 || offset < 0 || bytes > size - offset) {
            throw new IllegalArgumentException(what("buffer", buffer.name()) + " of " + size + " bytes: " + bytes
                    + " bytes at offset " + offset + " do not fit or are none");
        }
    }

    /** Checks one mip of one layer, plane 0, and the layout that it is left in. */
    void texture(Texture texture, TextureUsage usage, int mip, int layer, TextureLayout layout) {
        String what = what("texture", texture.name());
        TextureDescription shape = texture.description();
        requireOpen("texture", texture.name(), texture.isClosed());
        if (!shape.usage().contains(usage)) {
            throw new IllegalArgumentException(what + ", which was not created for " + usage);
        }
        if (mip < 0 || mip >= shape.mips() || layer < 0 || layer >= shape.layers()) {
            throw new IllegalArgumentException(what + ", which has no mip " + mip + " of layer " + layer);
        }
        if (shape.samples() != 1) {
            throw new IllegalArgumentException(what + ", which has " + shape.samples()
                    + " samples; only textures of one sample are copied to and from buffers, resolve it first");
        }
        if (layout == TextureLayout.UNDEFINED) {
            throw new IllegalArgumentException(
                    what + " in layout UNDEFINED, in which it has no contents; name the layout of its next use");
        }
        TextureUsage needed = layout.requiredUsage();
        if (needed != null && !shape.usage().contains(needed)) {
            throw new IllegalArgumentException(
                    what + " in layout " + layout + ", but it was created without usage " + needed);
        }
    }

    /** Checks that a texture of depth or stencil is written by a queue that can ("Copying Data Between Buffers and Images"). */
    void requireDepthQueue(Texture texture, GpuQueue queue) {
        if (texture.description().format().isDepth() && queue.kind() != QueueKind.GRAPHICS) {
            throw new IllegalArgumentException(what("texture", texture.name()) + " of "
                    + texture.description().format() + ", which takes a GRAPHICS queue, on " + queue.kind() + " queue '"
                    + queue.name() + "'; open an uploader for device.queues().get(0)");
        }
    }

    /** Checks that a queue is one of the device. */
    void requireQueue(GpuQueue queue) {
        if (!device.queues().contains(queue)) {
            throw new IllegalArgumentException(owner + " would copy on queue '" + queue.name()
                    + "' of another device; take one of GpuDevice.queues");
        }
    }

    /** Returns the wait of a submission for a point of the device. */
    Submission.Wait waitFor(TimelinePoint point) {
        if (!device.queues().contains(point.queue())) {
            throw new IllegalArgumentException(owner + " would wait for queue '"
                    + point.queue().name() + "' of another device; wait for that one on the host");
        }
        long submitted = point.queue().timeline().submitted();
        if (point.value() < 0 || point.value() > submitted) {
            throw new IllegalArgumentException(owner + " would wait for value " + point.value() + " of queue '"
                    + point.queue().name() + "', which has submitted up to " + submitted
                    + "; submit what is waited for first");
        }
        return new Submission.Wait(point, PipelineStage.ALL_COMMANDS.bit());
    }

    /** Returns the beginning of a message about a resource. */
    String what(String kind, String name) {
        return owner + " " + verb + " " + kind + " '" + name + "'";
    }

    private void requireOpen(String kind, String name, boolean closed) {
        if (closed) {
            throw new IllegalStateException(what(kind, name) + " after it was closed");
        }
    }
}
