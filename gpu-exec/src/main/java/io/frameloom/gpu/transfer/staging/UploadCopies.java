package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a batch as data until it is submitted, since a command whose target was closed cannot be taken out of a
 * list. Guarded by the uploader's lock.
 */
final class UploadCopies {
    /**
     * The most copies of a batch that are kept for the next one, with their targets. A batch that repeats the last one
     * makes none if it has no more, and a huge one leaves little.
     */
    static final int KEPT = 1024;

    /** Those of the batch; after them some of former batches. */
    private final ArrayList<Copy> copies = new ArrayList<>();

    private int count;

    /** A copy from a place in the ring. */
    private static final class Copy {
        private int from;
        private UploadTarget target;
        /** Whether a barrier comes before it, since it overwrites what the batch has copied before. */
        private boolean afterCopies;

        private Copy(UploadTarget target) {
            this.target = target;
        }
    }

    /** Adds a copy to a buffer, after a barrier if it overwrites what the batch has copied before. */
    void add(int from, Buffer target, long offset, int bytes, boolean afterCopies) {
        UploadTarget into = former() instanceof UploadTarget.OfBuffer former && former.is(target, offset, bytes)
                ? former
                : new UploadTarget.OfBuffer(target, offset, bytes);
        add(from, into, afterCopies);
    }

    void add(int from, Texture target, TextureRegion region, TextureLayout before, TextureLayout after) {
        UploadTarget into =
                former() instanceof UploadTarget.OfTexture former && former.is(target, region, before, after)
                        ? former
                        : new UploadTarget.OfTexture(target, region, before, after);
        add(from, into, false);
    }

    /** Returns the target of the copy in the same place of a former batch, or null. */
    private @Nullable UploadTarget former() {
        return count < copies.size() ? copies.get(count).target : null;
    }

    private void add(int from, UploadTarget target, boolean afterCopies) {
        if (count == copies.size()) {
            copies.add(new Copy(target));
        }
        Copy copy = copies.get(count++);
        copy.from = from;
        copy.target = target;
        copy.afterCopies = afterCopies;
    }

    void record(CommandList list, Buffer ring) {
        for (int i = 0; i < count; i++) {
            Copy copy = copies.get(i);
            if (copy.afterCopies) {
                UploadRecorder.afterEarlierCopies(list);
            }
            copy.target.record(list, ring, copy.from);
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
        int open = 0;
        boolean barrier = false;
        for (int i = 0; i < count; i++) {
            Copy copy = copies.get(i);
            Resource target = copy.target.resource();
            boolean buffer = target instanceof Buffer;
            if (target.isClosed()) {
                barrier |= copy.afterCopies;
                dropped.accept((buffer ? "buffer '" : "texture '") + target.name() + "'");
            } else {
                copy.afterCopies |= buffer && barrier;
                barrier &= !buffer;
                Collections.swap(copies, open++, i);
            }
        }
        boolean any = open < count;
        count = open;
        return any;
    }

    /** Begins another batch. Returns whether the last one was huge: not all of its copies are kept. */
    boolean clear() {
        count = 0;
        boolean huge = copies.size() > KEPT;
        if (huge) {
            copies.subList(KEPT, copies.size()).clear();
            copies.trimToSize();
        }
        return huge;
    }
}
