package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;

/**
 * Refuses what cannot be transferred before anything of it is recorded. Any thread.
 *
 * @param owner its name in messages
 * @param verb its operation on a resource, for messages
 */
public record TransferChecks(GpuDevice device, String owner, String verb) {
    public void buffer(Buffer buffer, BufferUsage usage, long offset, int bytes) {
        requireUsable("buffer", buffer);
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
    public void texture(Texture texture, TextureUsage usage, int mip, int layer, TextureLayout layout) {
        TextureDescription shape = texture.description();
        requireUsable("texture", texture);
        if (!shape.usage().contains(usage)) {
            throw refused(texture, ", which was not created for " + usage);
        }
        if (mip < 0 || mip >= shape.mips() || layer < 0 || layer >= shape.layers()) {
            throw refused(texture, ", which has no mip " + mip + " of layer " + layer);
        }
        if (shape.samples() != 1) {
            throw refused(
                    texture,
                    ", which has " + shape.samples()
                            + " samples; only textures of one sample are copied to and from buffers, resolve it first");
        }
        if (layout == TextureLayout.UNDEFINED) {
            throw refused(
                    texture, " in layout UNDEFINED, in which it has no contents; name the layout of its next use");
        }
        layout(texture, layout);
    }

    private IllegalArgumentException refused(Texture texture, String why) {
        return new IllegalArgumentException(what("texture", texture.name()) + why);
    }

    public void layout(Texture texture, TextureLayout layout) {
        // An engine's own images may be those of its own swapchain.
        if (layout == TextureLayout.PRESENT && !texture.isSwapchainImage() && texture.imported() == null) {
            throw refused(
                    texture,
                    " in layout " + layout + ", but it is no image of a swapchain; name the layout of its next use");
        }
        TextureUsage needed = layout.requiredUsage();
        if (needed != null && !texture.description().usage().contains(needed)) {
            throw refused(texture, " in layout " + layout + ", but it was created without usage " + needed);
        }
    }

    public void region(Texture texture, TextureRegion region, GpuQueue queue) {
        TextureDescription shape = texture.description();
        String misfit = TransferFit.region(texture.name(), shape, region);
        if (misfit == null) {
            misfit = TransferFit.units(texture.name(), shape, region, queue);
        }
        if (misfit != null) {
            throw new IllegalArgumentException(owner + " " + verb + " " + misfit);
        }
    }

    /** Checks that a queue can write depth or stencil ("Copying Data Between Buffers and Images"). */
    public void requireDepthQueue(Texture texture, GpuQueue queue) {
        if (texture.description().format().isDepth() && queue.kind() != QueueKind.GRAPHICS) {
            throw new IllegalArgumentException(what("texture", texture.name()) + " of "
                    + texture.description().format() + ", which takes a GRAPHICS queue, on " + queue.kind() + " queue '"
                    + queue.name() + "'; open an uploader for device.queues().get(0)");
        }
    }

    public void requireQueue(GpuQueue queue) {
        if (!device.queues().contains(queue)) {
            throw new IllegalArgumentException(owner + " would copy on queue '" + queue.name()
                    + "' of another device; take one of GpuDevice.queues");
        }
    }

    public Submission.Wait waitFor(TimelinePoint point) {
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
    public String what(String kind, String name) {
        return owner + " " + verb + " " + kind + " '" + name + "'";
    }

    private void requireUsable(String kind, Resource resource) {
        if (!device.owns(resource)) {
            throw new IllegalArgumentException(
                    what(kind, resource.name()) + " of another device; take one that was created by this");
        }
        if (resource.isClosed()) {
            throw new IllegalStateException(what(kind, resource.name()) + " after it was closed");
        }
    }
}
