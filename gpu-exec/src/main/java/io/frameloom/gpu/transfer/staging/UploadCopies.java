package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The copies of a batch as data until it is submitted, since a command whose target was closed cannot be taken out of a
 * list. Guarded by the uploader's lock.
 */
public final class UploadCopies {
    private List<Copy> copies = new ArrayList<>();

    /** A copy to a buffer or a texture, given a list and the ring. */
    private static final class Copy {
        private final Resource target;
        private final BiConsumer<CommandList, Buffer> recording;
        /** Whether a barrier comes before it, since it overwrites what the batch has copied before. */
        private boolean afterCopies;

        private Copy(Resource target, boolean afterCopies, BiConsumer<CommandList, Buffer> recording) {
            this.target = target;
            this.afterCopies = afterCopies;
            this.recording = recording;
        }
    }

    /** Adds a copy to a buffer, after a barrier if it overwrites what the batch has copied before. */
    public void add(int from, Buffer target, long offset, int bytes, boolean afterCopies) {
        copies.add(new Copy(
                target, afterCopies, (list, ring) -> UploadRecorder.copy(list, ring, from, target, offset, bytes)));
    }

    /** Adds a copy to a region of a texture, which is in a layout and is left in another. */
    public void add(int from, Texture target, TextureRegion region, TextureLayout before, TextureLayout after) {
        copies.add(new Copy(
                target, false, (list, ring) -> UploadRecorder.upload(list, ring, from, target, region, before, after)));
    }

    /** Records all of them. */
    void record(CommandList list, Buffer ring) {
        for (Copy copy : copies) {
            if (copy.afterCopies) {
                UploadRecorder.afterEarlierCopies(list);
            }
            copy.recording.accept(list, ring);
        }
    }

    /**
     * Takes out those whose target is closed. A barrier before one of them moves to the next copy to a buffer, whether
     * that needs it or not.
     *
     * @param dropped receives each such target, once for each of its copies
     * @return whether there were any
     */
    boolean dropClosed(Consumer<String> dropped) {
        List<Copy> open = new ArrayList<>(copies.size());
        boolean barrier = false;
        for (Copy copy : copies) {
            boolean buffer = copy.target instanceof Buffer;
            if (copy.target.isClosed()) {
                barrier |= copy.afterCopies;
                dropped.accept((buffer ? "buffer '" : "texture '") + copy.target.name() + "'");
            } else {
                copy.afterCopies |= buffer && barrier;
                barrier &= !buffer;
                open.add(copy);
            }
        }
        boolean any = open.size() < copies.size();
        copies = open;
        return any;
    }

    /** Forgets all of them, and what they name. */
    void clear() {
        copies.clear();
    }
}
