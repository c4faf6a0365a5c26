package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.streaming.FrameLedger.Frame;
import io.frameloom.streaming.ResidencyPolicy.Change;
import io.frameloom.streaming.StreamedTexture.Load;
import io.frameloom.taskgraph.GraphEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps textures of KTX2 files in memory as fine as frames look at them, under a budget. Shaders and the application
 * ask for levels; what they ask for is loaded level by level, and what nobody asks for is dropped when room is needed.
 *
 * <p>{@link #addTo} comes first in each frame: it takes what earlier frames wished, begins loads, and swaps what has
 * arrived. Workers read and transcode, and the copy queue uploads, beside frames. Nothing waits for that. A view has
 * the levels in memory and no other, so no shader can sample what is missing.
 *
 * <p>A texture that gains or loses a level is a new image, to which a pass of the frame copies the levels that it keeps.
 * On a device opened with {@link io.frameloom.gpu.Capability#SPARSE_RESIDENCY} it is one sparse image if it can be: then
 * pages of levels come and go.
 *
 * <p>The tail of a texture, its levels of at most 32 texels a side or that share pages, is loaded first and never
 * dropped.
 *
 * <p>The budget is memory of images as the device counts it, those included that are being loaded or that only frames
 * under way still use. Two buffers come on top, of 12 bytes for each of 256 textures and of up to 24 for each beyond, and
 * the staging memory of uploads.
 *
 * <p>Any thread may register, wish and close textures; one at a time adds the streamer to graphs.
 */
public final class TextureStreamer implements AutoCloseable {
    private static final String INCLUDE = "streamed.glsl";

    private final GpuDevice device;
    private final long budget;
    private final ResidencyPolicy policy;
    private final ResidentImage placeholder;

    /** By index; null where one was closed. */
    private final List<@Nullable StreamedTexture> textures = new ArrayList<>();

    private final PriorityQueue<Integer> freeIndices = new PriorityQueue<>();
    private final FrameLedger ledger;
    private final LevelLoader loader;

    private final StreamedBuffers buffers;

    /** Of the textures that have an image; replaced by another map when it changes. */
    private Map<StreamedTexture, TextureView> views = Map.of();

    private boolean areViewsOld;
    private long tailBytes;
    private long frame;
    private boolean closed;

    /** Makes a streamer whose textures are bound by their views: {@link StreamedFrame#view}. */
    public TextureStreamer(GpuDevice device, long budget, int loadBytes) {
        this(device, budget, loadBytes, null);
    }

    /**
     * Makes a streamer.
     *
     * @param budget most bytes of images
     * @param loadBytes most bytes of levels that are on their way to the device at a time, and so in a frame; a larger
     *     level goes alone
     * @param table where the textures have slots, which shaders get by {@code streamedSlot}; null for none
     */
    public TextureStreamer(GpuDevice device, long budget, int loadBytes, @Nullable BindlessTable table) {
        if (budget < 1 || loadBytes < 1) {
            throw new IllegalArgumentException("a texture streamer takes a budget of at least 1 byte and loads at least"
                    + " 1, got " + budget + " and " + loadBytes);
        }
        this.device = device;
        this.budget = budget;
        this.policy = new ResidencyPolicy(budget, loadBytes);
        this.ledger = new FrameLedger(device);
        Deque<Runnable> made = new ArrayDeque<>();
        try {
            this.loader = new LevelLoader(device, table, loadBytes);
            made.push(loader::close);
            this.buffers = new StreamedBuffers(device);
            made.push(buffers::close);
            this.placeholder = loader.placeholder();
        } catch (RuntimeException | Error e) {
            made.forEach(Runnable::run);
            throw e;
        }
    }

    /** Returns where shaders find {@code streamed.glsl}; its text says what is in it. */
    public static ShaderIncludes includes() {
        try (InputStream in = TextureStreamer.class.getResourceAsStream(INCLUDE)) {
            byte[] text = Objects.requireNonNull(in, INCLUDE).readAllBytes();
            return ShaderIncludes.of(Map.of(INCLUDE, new String(text, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(INCLUDE + " cannot be read", e);
        }
    }

    /**
     * Takes a texture in. Its file's header is read here, its levels are loaded when frames are declared.
     *
     * @param priority textures of higher priority take room from those of lower
     * @throws Ktx2Exception as {@link Ktx2File#open}
     * @throws IllegalArgumentException if the file has integers, or the budget does not hold the tails of all textures
     * @throws io.frameloom.gpu.error.GpuOutOfMemoryException if there is no memory for a sparse image without levels, or for two larger buffers, where as many textures as never
     *     before are registered
     */
    public StreamedTexture register(Path path, int priority) {
        Ktx2File file = Ktx2File.open(device, path);
        Format format = file.description().format();
        if (format.kind() != Format.NumericKind.FLOAT) {
            throw new IllegalArgumentException("file '" + path + "' has integers, " + format
                    + ", which are not streamed; upload what Ktx2File reads");
        }
        TextureMemory memory = loader.memory(file, ledger);
        try {
            return register(file, priority, memory);
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private synchronized StreamedTexture register(Ktx2File file, int priority, TextureMemory memory) {
        requireOpen();
        Integer free = freeIndices.peek();
        int index = free == null ? textures.size() : free;
        Residency residency = Residency.of(index, priority, file, memory);
        long tail = residency.imageBytes(residency.tail);
        if (tailBytes + tail > budget) {
            throw new IllegalArgumentException("file '" + file.path() + "' has a tail of " + tail
                    + " bytes, and those of the other streamed textures take " + tailBytes + " of a budget of "
                    + budget + "; raise the budget, or close textures");
        }
        StreamedTexture texture = new StreamedTexture(this, index, file, residency, memory);
        if (free == null) {
            buffers.grow(textures.size() + 1, ledger);
            textures.add(texture);
        } else {
            freeIndices.remove();
            textures.set(index, texture);
        }
        tailBytes += tail;
        areViewsOld = true;
        return texture;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the texture streamer is closed");
        }
    }

    /** Returns the bytes that all images take, at most the budget. */
    public synchronized long residentBytes() {
        return ledger.imageBytes();
    }

    /**
     * Returns the point of the last upload that frames may sample. A frame waits for it by itself, unless its {@link
     * io.frameloom.rdg.FrameSync#after} names what it waits for: then name this, too.
     */
    public synchronized TimelinePoint uploaded() {
        return loader.uploaded();
    }

    /**
     * Adds the passes that stream to a graph, before all passes that sample. Execute the graphs in the order of these
     * calls. One that is not executed counts as failed when a later one has succeeded: what it was to fill is loaded
     * anew.
     *
     * <p>While the device has no memory for the images that are needed, or the table no slots, the textures stay as
     * they are: each frame tries again.
     *
     * @return the textures as this frame has them
     */
    public synchronized StreamedFrame addTo(RenderGraph graph) {
        Objects.requireNonNull(graph, "graph must not be null");
        requireOpen();
        // First, so that nothing has changed if the graph refuses them.
        RdgBuffer residency = graph.registerExternal(buffers.residency());
        RdgBuffer feedback = graph.registerExternal(buffers.feedback());
        frame++;
        ledger.takeEnded(this::ended);
        List<Residency> present = new ArrayList<>();
        for (StreamedTexture each : textures) {
            if (each != null && !each.isClosed) {
                each.takeWish(frame);
                present.add(each.residency);
            }
        }
        List<Change> changes =
                policy.decide(present, ledger.imageBytes(), ledger.leavingBytes(), loader.loadingBytes());
        List<LevelCopy> copies = new ArrayList<>();
        List<ResidentImage> smaller = new ArrayList<>();
        if (!createSmaller(changes, smaller)) {
            changes = List.of();
        }
        for (Change change : changes) {
            StreamedTexture texture = of(change);
            ledger.add(texture.residency.needBytes(change.level()));
            if (change.level() > change.texture().resident) {
                swap(texture, smaller.remove(0), copies);
            } else {
                loader.begin(texture, change.level(), () -> isWanted(texture));
            }
        }
        for (StreamedTexture each : textures) {
            Load load = each == null ? null : each.load;
            if (load != null) {
                progress(each, load, copies);
            }
        }
        return declare(graph, residency, feedback, copies);
    }

    /** Creates all images for textures that lose a level, or none if there is no memory or slot for one of them. */
    private boolean createSmaller(List<Change> changes, List<ResidentImage> created) {
        try {
            for (Change change : changes) {
                if (change.level() > change.texture().resident) {
                    TextureMemory memory = of(change).memory;
                    created.add(memory.shown(memory.create(change.level(), change.level())));
                }
            }
            return true;
        } catch (RuntimeException | Error e) {
            created.forEach(ResidentImage::close);
            if (LevelLoader.isShortage(e)) {
                return false;
            }
            throw e;
        }
    }

    private StreamedTexture of(Change change) {
        return Objects.requireNonNull(textures.get(change.texture().index));
    }

    private void ended(Frame ended) {
        if (ended.hasSucceeded()) {
            wish(ended.wishes().join());
            buffers.succeeded(ended.feedback());
        } else {
            ended.copied().forEach(this::forget);
        }
    }

    /**
     * What a failed frame filled has no known contents, nor has what a later frame has filled from that: the texture is
     * loaded anew.
     */
    private void forget(StreamedTexture texture) {
        ResidentImage image = texture.image;
        if (image != null) {
            leave(texture, image);
            texture.image = null;
            texture.residency.resident = texture.residency.levels();
            areViewsOld = true;
        }
    }

    private void wish(ByteBuffer feedback) {
        int seen = Math.min(textures.size(), feedback.remaining() / Integer.BYTES);
        for (int i = 0; i < seen; i++) {
            StreamedTexture texture = textures.get(i);
            if (texture != null) {
                // Nothing wished is the largest number.
                int wished = feedback.getInt(i * Integer.BYTES);
                texture.residency.wish(wished < 0 ? Integer.MAX_VALUE : wished, frame);
            }
        }
    }

    private synchronized boolean isWanted(StreamedTexture texture) {
        return !closed && !texture.isClosed;
    }

    /** Ends a load that has arrived or failed. */
    private void progress(StreamedTexture texture, Load load, List<LevelCopy> copies) {
        if (!load.isOver()) {
            return;
        }
        Throwable failure = load.failure();
        ResidentImage image = load.image;
        // A frame that failed may have taken the levels that this one was to be copied from.
        boolean fits = failure == null && !texture.isClosed && load.level == texture.residency.next();
        if (image != null && fits) {
            try {
                image = texture.memory.shown(image);
            } catch (TableFullException e) {
                return; // the next frame tries again
            }
        }
        loader.ended(texture, load);
        if (failure != null && !LevelLoader.isShortage(failure)) {
            texture.failure = failure;
            texture.residency.failed = load.level;
        }
        if (image == null) {
            ledger.add(-load.imageBytes);
        } else if (fits) {
            swap(texture, image, copies);
        } else {
            texture.memory.leave(texture.residency, image, texture.residency.resident);
        }
        if (texture.isClosed) {
            free(texture);
        }
    }

    /** Gives a texture another image from this frame on. */
    private void swap(StreamedTexture texture, ResidentImage image, List<LevelCopy> copies) {
        ResidentImage old = texture.image;
        if (old != null) {
            if (old.texture() != image.texture()) {
                copies.add(new LevelCopy(texture, old.texture(), old.level(), image.texture(), image.level()));
            }
            texture.memory.leave(texture.residency, old, image.level());
        }
        texture.image = image;
        texture.residency.resident = image.level();
        areViewsOld = true;
    }

    synchronized void remove(StreamedTexture texture) {
        if (closed || texture.isClosed) {
            return;
        }
        texture.isClosed = true;
        tailBytes -= texture.residency.imageBytes(texture.residency.tail);
        ResidentImage image = texture.image;
        if (image != null) {
            leave(texture, image);
            texture.image = null;
        }
        areViewsOld = true;
        if (texture.load == null) {
            free(texture);
        }
    }

    private static void leave(StreamedTexture texture, ResidentImage last) {
        texture.memory.leave(texture.residency, last, texture.residency.levels());
    }

    /** Frees memory and index when the next frame has ended: shaders may wish by it until then. */
    private void free(StreamedTexture texture) {
        textures.set(texture.index(), null);
        ledger.atEnd(texture.memory::close);
        ledger.atEnd(() -> freeIndices.add(texture.index()));
    }

    private StreamedFrame declare(RenderGraph graph, RdgBuffer residency, RdgBuffer feedback, List<LevelCopy> copies) {
        List<StreamedTexture> copied = copies.stream().map(LevelCopy::texture).toList();
        ledger.declared(
                buffers.declare(graph, residency, feedback, StreamedBuffers.words(textures, placeholder)),
                buffers.feedback(),
                copied);
        LevelCopy.declare(graph, copies);
        if (areViewsOld) {
            areViewsOld = false;
            views = new HashMap<>();
            for (StreamedTexture each : textures) {
                if (each != null && each.image != null) {
                    views.put(each, each.image.view());
                }
            }
        }
        return new StreamedFrame(this, graph, residency, feedback, views, placeholder.view());
    }

    /**
     * Ends loads that are under way, and frees everything; when all frames that it was added to have been submitted. A
     * second call does nothing.
     */
    @Override
    public void close() {
        List<GraphEvent> reads = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            for (StreamedTexture each : textures) {
                if (each != null && each.load != null && each.load.read != null) {
                    reads.add(each.load.read);
                }
            }
        }
        reads.forEach(GraphEvent::awaitCompletion);
        try {
            loader.close();
        } finally {
            free();
        }
    }

    private synchronized void free() {
        ledger.close();
        for (StreamedTexture each : textures) {
            if (each != null && each.load != null && each.load.image != null) {
                each.load.image.close();
            }
            if (each != null && each.image != null) {
                each.image.close();
            }
            if (each != null) {
                each.memory.close();
            }
        }
        placeholder.close();
        buffers.close();
    }
}
