package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.explain.SwapchainUse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The acquired images that one frame renders to. Bound on the RENDER thread, used by the submit chain; any thread may
 * ask for a status.
 */
final class FrameImages {
    private static final @Nullable SwapchainStatus[] NOT_PRESENTED = {};

    /** Those of a plan without any: never written to. */
    private static final FrameImages NONE = new FrameImages(List.of(), List.of());

    private final List<SwapchainUse> uses;
    private final List<SwapchainImage> images;
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
        if (uses.isEmpty() && given.isEmpty()) {
            return NONE;
        }
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
     * Presents all that were brought to presentation; one that cannot be presented is the frame's failure.
     *
     * @param submitted how many batches of the frame are submitted
     */
    void present(Frame frame, int submitted) {
        if (images.isEmpty()) {
            return;
        }
        @Nullable SwapchainStatus[] presented = new SwapchainStatus[images.size()];
        for (int i = 0; i < presented.length; i++) {
            if (uses.get(i).lastBatch() < submitted) {
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
