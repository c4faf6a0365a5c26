package io.frameloom.stress.gpu;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.jspecify.annotations.Nullable;

/** A buffer or texture with the contents that it should have: its words, for a texture those of all mips. One thread. */
final class SoakResource {
    private final Resource resource;
    private final SoakMemory memory;
    private final @Nullable MemoryHeap heap;
    private final int[] words;
    private TextureLayout layout = TextureLayout.UNDEFINED;
    private boolean known = true;

    SoakResource(Resource resource, SoakMemory memory, @Nullable MemoryHeap heap, int words) {
        this.resource = resource;
        this.memory = memory;
        this.heap = heap;
        this.words = new int[words];
    }

    Resource resource() {
        return resource;
    }

    boolean isBuffer() {
        return resource instanceof Buffer;
    }

    Buffer buffer() {
        return (Buffer) resource;
    }

    Texture texture() {
        return (Texture) resource;
    }

    SoakMemory memory() {
        return memory;
    }

    /** Returns the heap that this is placed in, null if it has memory of its own. */
    @Nullable
    MemoryHeap heap() {
        return heap;
    }

    /** Returns the words that it should have; meaningful if it has contents. */
    int[] words() {
        return words;
    }

    boolean hasContents() {
        return memory.owner() == this;
    }

    /** Returns whether the words are what the device has; not after raster work that is only simulated. */
    boolean isKnown() {
        return known;
    }

    void known(boolean now) {
        known = now;
    }

    TextureLayout layout() {
        return layout;
    }

    void layout(TextureLayout now) {
        layout = now;
    }

    /** Returns the first word of a mip. */
    int mipStart(int mip) {
        int start = 0;
        for (int i = 0; i < mip; i++) {
            start += mipWords(i);
        }
        return start;
    }

    int mipWords(int mip) {
        return texture().description().width(mip) * texture().description().height(mip);
    }
}
