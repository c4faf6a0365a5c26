package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a batch as data until it is submitted, since a command whose target was closed cannot be taken out of a
 * list. Later batches reuse the objects. Guarded by the uploader's lock.
 */
public final class UploadCopies {
    /** How many objects are kept of a batch that had more. */
    private static final int KEPT = 1024;

    private final List<Copy> copies = new ArrayList<>();
    /** The first of {@link #copies} are of the batch, the others free. */
    private int count;

    /** A copy to a buffer, or to a texture. */
    private static final class Copy {
        private @Nullable Buffer buffer;
        private long offset;
        private int bytes;
        private boolean afterCopies;
        private @Nullable Texture texture;
        private @Nullable TextureRegion region;
        private TextureLayout before = TextureLayout.UNDEFINED;
        private TextureLayout after = TextureLayout.UNDEFINED;
        private int from;

        private void record(CommandList list, Buffer ring) {
            if (buffer != null) {
                UploadRecorder.upload(list, ring, from, buffer, offset, bytes, afterCopies);
            }
            if (texture != null && region != null) {
                UploadRecorder.upload(list, ring, from, texture, region, before, after);
            }
        }

        /** Returns the target if it is closed, in words for a message, or null. */
        private @Nullable String closedTarget() {
            if (buffer != null && buffer.isClosed()) {
                return "buffer '" + buffer.name() + "'";
            }
            return texture != null && texture.isClosed() ? "texture '" + texture.name() + "'" : null;
        }

        private void clear() {
            buffer = null;
            texture = null;
            region = null;
        }
    }

    /** Adds a copy to a buffer, after a barrier if it overwrites what the batch has copied before. */
    public void add(int from, Buffer target, long offset, int bytes, boolean afterCopies) {
        Copy copy = next();
        copy.buffer = target;
        copy.offset = offset;
        copy.bytes = bytes;
        copy.afterCopies = afterCopies;
        copy.from = from;
    }

    /** Adds a copy to a region of a texture, which is in a layout and is left in another. */
    public void add(int from, Texture target, TextureRegion region, TextureLayout before, TextureLayout after) {
        Copy copy = next();
        copy.texture = target;
        copy.region = region;
        copy.before = before;
        copy.after = after;
        copy.from = from;
    }

    private Copy next() {
        if (count == copies.size()) {
            copies.add(new Copy());
        }
        return copies.get(count++);
    }

    /** Records all of them. */
    void record(CommandList list, Buffer ring) {
        for (int i = 0; i < count; i++) {
            copies.get(i).record(list, ring);
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
            String closed = copy.closedTarget();
            if (closed == null) {
                copies.set(i, copies.get(open));
                copies.set(open, copy);
                open++;
                if (copy.buffer != null) {
                    copy.afterCopies |= barrier;
                    barrier = false;
                }
            } else {
                barrier |= copy.buffer != null && copy.afterCopies;
                copy.clear();
                dropped.accept(closed);
            }
        }
        boolean any = open < count;
        count = open;
        return any;
    }

    /** Forgets all of them, and what they name. */
    void clear() {
        for (int i = 0; i < count; i++) {
            copies.get(i).clear();
        }
        count = 0;
        if (copies.size() > KEPT) {
            copies.subList(KEPT, copies.size()).clear();
        }
    }
}
