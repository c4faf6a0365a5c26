package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The two buffers of {@code streamed.glsl}: what is in memory, and what shaders ask for. Guarded by the streamer. */
final class StreamedBuffers {
    private static final int FIRST_CAPACITY = 256;
    private static final int NOT_WISHED = -1;
    private static final int RESIDENCY_BYTES = 8;

    private final GpuDevice device;
    private Buffer residency;
    private Buffer feedback;
    /** Whether no frame is known to have given the feedback its first contents. */
    private boolean isFeedbackNew = true;

    StreamedBuffers(GpuDevice device) {
        this.device = device;
        this.residency = residency(device, FIRST_CAPACITY);
        this.feedback = feedback(device, FIRST_CAPACITY, residency);
    }

    private static Buffer residency(GpuDevice device, int capacity) {
        return device.createBuffer(
                "streamed residency",
                BufferDescription.device((long) capacity * RESIDENCY_BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST));
    }

    /** Makes the second buffer, or closes the first. */
    private static Buffer feedback(GpuDevice device, int capacity, Buffer first) {
        try {
            return device.createBuffer(
                    "streaming feedback",
                    BufferDescription.device(
                            (long) capacity * Integer.BYTES,
                            BufferUsage.STORAGE,
                            BufferUsage.COPY_DST,
                            BufferUsage.COPY_SRC));
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    Buffer residency() {
        return residency;
    }

    Buffer feedback() {
        return feedback;
    }

    /** Makes places for a number of textures. */
    void grow(int count, FrameLedger ledger) {
        if ((long) count * Integer.BYTES <= feedback.description().bytes()) {
            return;
        }
        Buffer larger = residency(device, 2 * count);
        Buffer largerFeedback = feedback(device, 2 * count, larger);
        ledger.atEnd(residency::close);
        ledger.atEnd(feedback::close);
        residency = larger;
        feedback = largerFeedback;
        isFeedbackNew = true;
    }

    /** Notes that a frame with a buffer for feedback has succeeded. */
    void succeeded(Buffer used) {
        isFeedbackNew &= used != feedback;
    }

    /** Returns what shaders read: of each texture its slot and its finest level. */
    static int[] words(List<@Nullable StreamedTexture> textures, ResidentImage placeholder) {
        int[] words = new int[2 * textures.size()];
        for (int i = 0; i < textures.size(); i++) {
            StreamedTexture texture = textures.get(i);
            ResidentImage image = texture == null ? null : texture.image;
            BindlessSlot slot = image == null ? placeholder.slot() : image.slot();
            words[2 * i] = slot == null ? 0 : slot.index();
            words[2 * i + 1] = texture == null ? 0 : texture.residency.resident;
        }
        return words;
    }

    /** Adds the passes that read what the frame before wished, and that write what shaders of this one read. */
    CompletableFuture<ByteBuffer> declare(
            RenderGraph graph, RdgBuffer residencyOfGraph, RdgBuffer feedbackOfGraph, int[] words) {
        if (isFeedbackNew) {
            ClearPasses.buffer(graph, feedbackOfGraph, NOT_WISHED);
        }
        CompletableFuture<ByteBuffer> wishes =
                ReadbackPasses.buffer(graph, feedbackOfGraph).unwatchedBytes();
        graph.addPass("stream textures", PassKind.COPY)
                .overwrites(residencyOfGraph, Access.COPY_DST)
                .overwrites(feedbackOfGraph, Access.COPY_DST)
                .record(context ->
                        record(context, words, context.buffer(residencyOfGraph), context.buffer(feedbackOfGraph)));
        return wishes;
    }

    private static void record(PassContext context, int[] words, Buffer residency, Buffer feedback) {
        CommandList list = context.commands();
        if (words.length > 0) {
            BufferSlice slice = context.upload((long) words.length * Integer.BYTES, Integer.BYTES);
            slice.data().asIntBuffer().put(words);
            list.copyBuffer(slice.buffer(), slice.offset(), residency, 0, slice.bytes());
        }
        list.fillBuffer(feedback, 0, feedback.description().bytes(), NOT_WISHED);
    }

    void close() {
        residency.close();
        feedback.close();
    }
}
