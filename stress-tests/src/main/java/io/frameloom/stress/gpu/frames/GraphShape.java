package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.rdg.PassKind;
import java.util.List;

/**
 * A random graph as plain data: what is declared, in order. Who executes it and who predicts it know each other by this
 * alone.
 *
 * @param name name, the same for every frame of this shape
 * @param resources resources, those that frames share first
 * @param steps passes in order
 */
record GraphShape(String name, List<Resource> resources, List<Step> steps) {
    /** Words of a chunk, which ranges of buffers are made of: whatever offsets a device asks for divide its bytes. */
    static final int CHUNK_WORDS = 64;

    /** Bytes of a chunk. */
    static final int CHUNK = 4 * CHUNK_WORDS;

    GraphShape {
        resources = List.copyOf(resources);
        steps = List.copyOf(steps);
    }

    /** Returns what a number of a step is in a frame, so that frames of one shape leave different contents. */
    static int number(int word, int frame) {
        return word + frame * 0x9e3779b1;
    }

    /** How long contents live, and who made the resource. */
    enum Life {
        /** The device's own, over frames. */
        EXTERNAL,
        /** Imported over frames, of one queue family at a time. */
        EXCLUSIVE,
        /** What the frame before has kept. */
        PREVIOUS,
        /** What the next frame finds as {@link #PREVIOUS}. */
        CURRENT,
        /** Inside of one frame. */
        TRANSIENT
    }

    /** A buffer or texture. */
    sealed interface Resource {
        String name();

        Life life();

        /** How queue families share it if it is not imported. */
        QueueSharing sharing();
    }

    /** A buffer of so many chunks. */
    record Words(String name, Life life, int chunks, QueueSharing sharing) implements Resource {
        Words(String name, Life life, int chunks) {
            this(name, life, chunks, QueueSharing.CONCURRENT);
        }
    }

    /** A texture of one sample with two dimensions. */
    record Texels(
            String name, Life life, Format format, int width, int height, int mips, int layers, QueueSharing sharing)
            implements Resource {
        int width(int mip) {
            return width >> mip;
        }

        int height(int mip) {
            return height >> mip;
        }
    }

    /** A range of a buffer. */
    record Chunks(int resource, int first, int count) {
        long offset() {
            return (long) CHUNK * first;
        }

        long bytes() {
            return (long) CHUNK * count;
        }
    }

    /** A rectangle of one mip of some layers of a texture. */
    record Box(int resource, int mip, int layer, int layers, int x, int y, int width, int height) {
        int texels() {
            return layers * width * height;
        }

        boolean isWhole(Texels texture) {
            return width == texture.width(mip) && height == texture.height(mip);
        }
    }

    /**
     * Where a pass may run.
     *
     * @param queue the queue that it names, or -1
     * @param asyncCompute whether it is tagged for compute queues
     * @param asyncCopy whether it is tagged for copy queues
     */
    record Place(int queue, boolean asyncCompute, boolean asyncCopy) {}

    /** A pass. */
    record Step(Work work, Place place) {}

    /** What a pass does. */
    sealed interface Work {
        PassKind kind();
    }

    /** Fills chunks with a word. */
    record Fill(Chunks target, int word) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }

    /** Copies chunks. */
    record CopyChunks(Chunks source, Chunks target) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }

    /** Mixes two ranges and a number into a third one; {@code adds} if what is there counts as well. */
    record Mix(Chunks first, Chunks second, Chunks target, int word, boolean adds) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COMPUTE;
        }
    }

    /** Stores words of a buffer and a number in all texels of one subresource by a shader. */
    record Paint(Chunks source, Box target, int word) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COMPUTE;
        }
    }

    /** Loads all texels of one subresource by a shader, and stores them with a number as words. */
    record Gather(Box source, Chunks target, int word) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COMPUTE;
        }
    }

    /** Copies the first bytes of chunks to texels. */
    record Upload(Chunks source, Box target) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }

    /** Copies texels to the first bytes of chunks. */
    record Download(Box source, Chunks target) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }

    /** Copies texels between textures with texels of equal size. */
    record CopyTexels(Box source, Box target) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }

    /** Clears some mips of all layers. */
    record Clear(int resource, int mip, int mips, int word) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COMPUTE;
        }
    }

    /** A render pass that clears the target or loads it, and clears a rectangle of it. */
    record Render(Box target, boolean clears, int word, Box rectangle, int second) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.RASTER;
        }
    }

    /** A render pass on several samples that are resolved to the target, with a rectangle as {@link Render}. */
    record Resolve(Box target, int samples, int word, Box rectangle, int second) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.RASTER;
        }
    }

    /** Reads all of a resource back, mip by mip. */
    record ReadBack(int resource) implements Work {
        @Override
        public PassKind kind() {
            return PassKind.COPY;
        }
    }
}
