package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.SwapchainStatus;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.explain.SwapchainUse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The acquired images that one frame renders to. Bound on the RENDER thread, used by the submit chain; any thread may ask
 * for a status.
 */
final class FrameImages {
    private static final boolean[] NONE_KEPT = {};
    private static final @Nullable SwapchainStatus[] NOT_PRESENTED = {};

    private final List<SwapchainUse> uses;
    private final List<SwapchainImage> images;
    /** Which images could not be brought to presentation, or empty; the submit thread's. */
    private boolean[] kept = NONE_KEPT;

    private volatile @Nullable SwapchainStatus[] statuses = NOT_PRESENTED;

    private FrameImages(List<SwapchainUse> uses, List<SwapchainImage> images) {
        this.uses = uses;
        this.images = images;
    }

    /**
     * Finds the image of each use.
     *
     * @throws RdgException if one is missing, or one is not the plan's
     */
    static FrameImages bind(FramePlan plan, List<SwapchainUse> uses, List<SwapchainImage> given) {
        List<SwapchainImage> images = new ArrayList<>(uses.size());
        for (SwapchainUse use : uses) {
            SwapchainImage image = of(use, given);
            if (image == null) {
                throw new RdgException("plan '" + plan.name() + "' renders to the swapchain image '"
                        + use.texture().name() + "', but no acquisition of it was given; acquire it, and name it when"
                        + " the plan is executed");
            }
            images.add(image);
        }
        for (SwapchainImage image : given) {
            if (!images.contains(image)) {
                throw new RdgException("plan '" + plan.name() + "' does not render to " + image
                        + ", which was given to its execution; each plan takes the images that it has registered, each"
                        + " once");
            }
        }
        return new FrameImages(uses, List.copyOf(images));
    }

    private static @Nullable SwapchainImage of(SwapchainUse use, List<SwapchainImage> given) {
        for (SwapchainImage image : given) {
            if (image.texture() == use.texture()) {
                return image;
            }
        }
        return null;
    }

    /** Returns what a batch waits for. */
    List<Submission.Acquire> acquires(int batch) {
        List<Submission.Acquire> result = List.of();
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).firstBatch() == batch) {
                result = result.isEmpty() ? new ArrayList<>(1) : result;
                result.add(new Submission.Acquire(images.get(i), uses.get(i).stages()));
            }
        }
        return result;
    }

    /** Returns what may be presented behind a batch. */
    List<SwapchainImage> presents(int batch) {
        List<SwapchainImage> result = List.of();
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).lastBatch() == batch) {
                result = result.isEmpty() ? new ArrayList<>(1) : result;
                result.add(images.get(i));
            }
        }
        return result;
    }

    /**
     * Brings the images to presentation that the submitted batches have not brought there, since a swapchain has as many
     * as it needs and no more: takes over the acquisition that nothing waits for, and the signal that nothing gives. What
     * they show is unknown. One submission each, so that one which is refused keeps no other; it is the frame's failure.
     */
    void settle(Frame frame, FrameSlot slot, SubmissionChain chain, GpuQueue queue) {
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i).lastBatch() >= chain.submitted()) {
                try {
                    settle(i, frame, slot, chain, queue);
                } catch (Throwable failure) {
                    frame.fail(failure);
                    keep(i);
                }
            }
        }
    }

    private void keep(int image) {
        if (kept.length == 0) {
            kept = new boolean[images.size()];
        }
        kept[image] = true;
    }

    private void settle(int index, Frame frame, FrameSlot slot, SubmissionChain chain, GpuQueue queue) {
        SwapchainUse use = uses.get(index);
        SwapchainImage image = images.get(index);
        String label = "settle " + use.texture().name() + " of frame " + frame.number();
        CommandList list = slot.context().beginCommands(queue, label);
        list.barrier(new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        use.texture(),
                        SubresourceRange.all(use.texture().description()),
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        TextureLayout.UNDEFINED,
                        TextureLayout.PRESENT,
                        null)),
                List.of(),
                List.of()));
        list.end();
        List<Submission.Acquire> acquires = use.firstBatch() >= chain.begun()
                ? List.of(new Submission.Acquire(image, PipelineStage.ALL_COMMANDS.bit()))
                : List.of();
        chain.submitBehindAll(
                queue, new Submission(label, List.of(list), List.of()).presenting(acquires, List.of(image)));
    }

    /** Presents all that were brought to presentation; one that cannot be presented is the frame's failure. */
    void present(Frame frame) {
        if (images.isEmpty()) {
            return;
        }
        @Nullable SwapchainStatus[] presented = new SwapchainStatus[images.size()];
        for (int i = 0; i < presented.length; i++) {
            if (kept.length == 0 || !kept[i]) {
                SwapchainImage image = images.get(i);
                try {
                    presented[i] = image.swapchain().present(image);
                } catch (Throwable failure) {
                    frame.fail(failure);
                }
            }
        }
        statuses = presented;
    }

    /** Returns what became of presenting an image, or null if it is not presented. */
    @Nullable
    SwapchainStatus status(SwapchainImage image) {
        int index = images.indexOf(image);
        @Nullable SwapchainStatus[] known = statuses;
        return index < 0 || index >= known.length ? null : known[index];
    }
}
