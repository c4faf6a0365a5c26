package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.streaming.ResidencyPolicy.Change;
import io.frameloom.streaming.StreamedTexture.Load;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.WorkerLevel;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps textures of KTX2 files in memory as fine as frames look at them, under a budget. Shaders and the application
 * ask for levels; what they ask for is loaded level by level, and what nobody asks for is dropped when room is needed.
 *
 * <p>{@link #addTo} comes first in each frame: it takes what earlier frames wished, begins loads, and swaps what has
 * arrived. Workers read and transcode, and the copy queue uploads, beside frames. Nothing waits for that. A texture
 * that gains or loses a level is a new image, to which a pass of the frame copies the levels that it keeps. So a view
 * has the levels in memory and no other, and no shader can sample what is missing.
 *
 * <p>The tail of a texture, its levels of at most 32 texels a side, is loaded first and never dropped.
 *
 * <p>The budget is memory of images as the device counts it, those included that are being loaded or that only frames
 * under way still use. Two buffers come on top, of 12 bytes for each of 256 textures and of up to 24 for each beyond, and
 * the staging memory of uploads.
 *
 * <p>Any thread may register, wish and close textures; one at a time adds the streamer to graphs.
 */
public final class TextureStreamer implements AutoCloseable {
    private static final String INCLUDE = "streamed.glsl";
    private static final int TAIL_TEXELS = 32;
    private static final int FIRST_CAPACITY = 256;
    private static final int NOT_WISHED = -1;
    private static final int RESIDENCY_BYTES = 8;

    private final GpuDevice device;
    private final @Nullable BindlessTable table;
    private final long budget;
    private final ResidencyPolicy policy;
    private final Uploader uploader;
    private final ResidentImage placeholder;

    /** By index; null where one was closed. */
    private final List<@Nullable StreamedTexture> textures = new ArrayList<>();

    private final PriorityQueue<Integer> freeIndices = new PriorityQueue<>();
    /** Frames that are not known to have ended, the oldest first. */
    private final Deque<Frame> frames = new ArrayDeque<>();
    /** Ends with the next frame. */
    private List<Runnable> leaving = new ArrayList<>();

    private final Deque<Closing> closings = new ArrayDeque<>();
    /** Bytes of images that were closed since the last frame was declared. */
    private long closedBytes;

    private Buffer residency;
    private Buffer feedback;
    /** Whether no frame is known to have given the feedback its first contents. */
    private boolean isFeedbackNew = true;
    /** Of the textures that have an image; replaced by another map when it changes. */
    private Map<StreamedTexture, TextureView> views = Map.of();

    private boolean areViewsOld;
    private long tailBytes;
    private long imageBytes;
    private long leavingBytes;
    private long loadingBytes;
    private long frame;
    private boolean closed;

    /**
     * A frame under way.
     *
     * @param wishes what the frame before it wished; complete when this one is
     * @param feedback where they were, which has contents when this one has succeeded
     * @param changed textures whose image this frame fills from the one before
     * @param leaving frees what no later frame uses
     */
    private record Frame(
            CompletableFuture<ByteBuffer> wishes,
            Buffer feedback,
            List<StreamedTexture> changed,
            List<Runnable> leaving) {
        boolean hasSucceeded() {
            return wishes.isDone() && !wishes.isCompletedExceptionally();
        }
    }

    /**
     * Images that were closed. The device frees them when it has done all that was submitted before.
     *
     * @param bytes memory of the images
     * @param submitted by queue what was submitted when they were surely closed
     */
    private record Closing(long bytes, List<Long> submitted) {
        boolean isOver(List<Long> completed) {
            return IntStream.range(0, submitted.size()).allMatch(i -> completed.get(i) >= submitted.get(i));
        }
    }

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
        this.table = table;
        this.budget = budget;
        this.policy = new ResidencyPolicy(budget, loadBytes);
        Deque<Runnable> made = new ArrayDeque<>();
        try {
            // Data up to half of the ring goes in one piece.
            this.uploader = new Uploader(device, "streamed textures", (int)
                    Math.min(Uploader.DEFAULT_RING_BYTES, Math.max(1 << 16, 2L * loadBytes)));
            made.push(uploader::close);
            this.residency = residency(device, FIRST_CAPACITY);
            made.push(residency::close);
            this.feedback = feedback(device, FIRST_CAPACITY);
            made.push(feedback::close);
            Texture grey = device.createTexture(
                    "streaming placeholder",
                    TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST));
            made.push(grey::close);
            ByteBuffer texel = ByteBuffer.wrap(new byte[] {127, 127, 127, -1});
            uploader.upload(grey, 0, 0, texel, TextureLayout.SHADER_RO)
                    .arrived()
                    .await();
            this.placeholder = new ResidentImage(grey, slot(table, grey), 0, 0);
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

    private static Buffer residency(GpuDevice device, int capacity) {
        return device.createBuffer(
                "streamed residency",
                BufferDescription.device((long) capacity * RESIDENCY_BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST));
    }

    private static Buffer feedback(GpuDevice device, int capacity) {
        return device.createBuffer(
                "streaming feedback",
                BufferDescription.device(
                        (long) capacity * Integer.BYTES,
                        BufferUsage.STORAGE,
                        BufferUsage.COPY_DST,
                        BufferUsage.COPY_SRC));
    }

    private static @Nullable BindlessSlot slot(@Nullable BindlessTable table, Texture texture) {
        return table == null ? null : table.sampledTexture(texture.view());
    }

    /**
     * Takes a texture in. Its file's header is read here, its levels are loaded when frames are declared.
     *
     * @param priority textures of higher priority take room from those of lower
     * @throws Ktx2Exception as {@link Ktx2File#open}
     * @throws IllegalArgumentException if the file has integers, or the budget does not hold the tails of all textures
     * @throws GpuOutOfMemoryException if there is no memory for two larger buffers, where as many textures as never
     *     before are registered
     */
    public StreamedTexture register(Path path, int priority) {
        Ktx2File file = Ktx2File.open(device, path);
        TextureDescription shape = file.description();
        if (shape.format().kind() != Format.NumericKind.FLOAT) {
            throw new IllegalArgumentException("file '" + path + "' has integers, " + shape.format()
                    + ", which are not streamed; upload what Ktx2File reads");
        }
        int levels = shape.mips();
        int tail = levels - 1;
        while (tail > 0 && Math.max(shape.width(tail - 1), shape.height(tail - 1)) <= TAIL_TEXELS) {
            tail--;
        }
        long[] images = new long[levels];
        long[] loads = new long[levels];
        for (int level = 0; level < levels; level++) {
            loads[level] = file.bytes(level);
            images[level] = level > tail
                    ? 0
                    : device.requirements(StreamedTexture.shape(file, level)).bytes();
        }
        synchronized (this) {
            requireOpen();
            if (tailBytes + images[tail] > budget) {
                throw new IllegalArgumentException("file '" + path + "' has a tail of " + images[tail]
                        + " bytes, and those of the other streamed textures take " + tailBytes + " of a budget of "
                        + budget + "; raise the budget, or close textures");
            }
            if (freeIndices.isEmpty()) {
                grow();
            }
            tailBytes += images[tail];
            Integer free = freeIndices.poll();
            int index = free == null ? textures.size() : free;
            StreamedTexture texture =
                    new StreamedTexture(this, index, file, new Residency(index, priority, tail, images, loads));
            if (free == null) {
                textures.add(texture);
            } else {
                textures.set(index, texture);
            }
            areViewsOld = true;
            return texture;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the texture streamer is closed");
        }
    }

    /** Returns the bytes that all images take, at most the budget. */
    public synchronized long residentBytes() {
        return imageBytes;
    }

    /**
     * Returns the point of the last upload that frames may sample. A frame waits for it by itself, unless its {@link
     * io.frameloom.rdg.FrameSync#after} names what it waits for: then name this, too.
     */
    public synchronized TimelinePoint uploaded() {
        return new TimelinePoint(uploader.queue(), uploader.queue().timeline().completed());
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
        RdgBuffer residencyOfGraph = graph.registerExternal(residency);
        RdgBuffer feedbackOfGraph = graph.registerExternal(feedback);
        frame++;
        takeEnded();
        List<Residency> present = new ArrayList<>();
        for (StreamedTexture each : textures) {
            if (each != null && !each.isClosed) {
                each.takeWish(frame);
                present.add(each.residency);
            }
        }
        List<Change> changes = policy.decide(present, imageBytes, leavingBytes, loadingBytes);
        List<LevelCopy> copies = new ArrayList<>();
        List<StreamedTexture> changed = new ArrayList<>();
        List<ResidentImage> smaller = new ArrayList<>();
        if (!createSmaller(changes, smaller)) {
            changes = List.of();
        }
        for (Change change : changes) {
            StreamedTexture texture = of(change);
            if (change.level() > change.texture().resident) {
                imageBytes += texture.residency.imageBytes(change.level());
                swap(texture, smaller.remove(0), copies, changed);
            } else {
                begin(texture, change.level());
            }
        }
        for (StreamedTexture each : textures) {
            Load load = each == null ? null : each.load;
            if (load != null) {
                progress(each, load, copies, changed);
            }
        }
        return declare(graph, residencyOfGraph, feedbackOfGraph, copies, changed);
    }

    /** Creates all images for textures that lose a level, or none if there is no memory or slot for one of them. */
    private boolean createSmaller(List<Change> changes, List<ResidentImage> created) {
        try {
            for (Change change : changes) {
                if (change.level() > change.texture().resident) {
                    created.add(create(of(change), change.level()));
                }
            }
            return true;
        } catch (RuntimeException | Error e) {
            created.forEach(ResidentImage::close);
            if (isShortage(e)) {
                return false;
            }
            throw e;
        }
    }

    private StreamedTexture of(Change change) {
        return Objects.requireNonNull(textures.get(change.texture().index));
    }

    private ResidentImage create(StreamedTexture texture, int level) {
        Texture image = device.createTexture(
                texture.file.path().getFileName() + " from level " + level, StreamedTexture.shape(texture.file, level));
        try {
            return new ResidentImage(image, slot(table, image), level, texture.residency.imageBytes(level));
        } catch (RuntimeException | Error e) {
            image.close();
            throw e;
        }
    }

    private void takeEnded() {
        if (closedBytes > 0) {
            closings.add(new Closing(closedBytes, values(GpuTimeline::submitted)));
            closedBytes = 0;
        }
        List<Long> completed = values(GpuTimeline::completed);
        while (!closings.isEmpty() && closings.getFirst().isOver(completed)) {
            long freed = closings.removeFirst().bytes;
            leavingBytes -= freed;
            imageBytes -= freed;
        }
        while (!frames.isEmpty() && hasOldestEnded()) {
            Frame ended = frames.removeFirst();
            ended.leaving.forEach(Runnable::run);
            if (ended.hasSucceeded()) {
                wish(ended.wishes.join());
                isFeedbackNew &= ended.feedback != feedback;
            } else {
                ended.changed.forEach(this::forget);
            }
        }
    }

    /** Frames complete in order. So what is not complete when a later one has succeeded was never executed. */
    private boolean hasOldestEnded() {
        return frames.getFirst().wishes.isDone() || frames.stream().anyMatch(Frame::hasSucceeded);
    }

    private List<Long> values(Function<GpuTimeline, Long> value) {
        return device.queues().stream().map(GpuQueue::timeline).map(value).toList();
    }

    /**
     * What a failed frame filled has no known contents, nor has what a later frame has filled from that: the texture is
     * loaded anew.
     */
    private void forget(StreamedTexture texture) {
        ResidentImage image = texture.image;
        if (image != null) {
            leave(image);
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

    /** Begins to load a larger image. */
    private void begin(StreamedTexture texture, int level) {
        Residency state = texture.residency;
        Load load = new Load(level, state.nextLoad(), state.imageBytes(level));
        int end = state.isAbsent() ? state.levels() : state.resident;
        state.isBusy = true;
        texture.load = load;
        imageBytes += load.imageBytes;
        loadingBytes += load.bytes;
        String name = "load level " + level + " of " + texture.file.path().getFileName();
        load.read = device.taskGraph()
                .task(name, () -> load(texture, load, end))
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
    }

    /** Reads levels and uploads them. Worker; {@link #progress} looks at the load when this has ended. */
    private void load(StreamedTexture texture, Load load, int end) {
        UploadBatch batch = null;
        try {
            synchronized (this) {
                if (closed || texture.isClosed) {
                    return;
                }
            }
            ResidentImage image = create(texture, load.level);
            load.image = image;
            for (int level = load.level; level < end; level++) {
                ByteBuffer texels = texture.file.read(level);
                batch = uploader.upload(image.texture(), level - load.level, 0, texels, TextureLayout.SHADER_RO);
            }
        } catch (RuntimeException | Error e) {
            load.failure = e;
            if (e instanceof Error) {
                throw e;
            }
        } finally {
            if (batch != null) {
                // It submits the batch, also of a load that has failed: only then may the image be closed.
                load.arrived = batch.arrived();
            }
        }
    }

    /** Ends a load that has arrived or failed. */
    private void progress(StreamedTexture texture, Load load, List<LevelCopy> copies, List<StreamedTexture> changed) {
        if (load.read == null || !load.read.isComplete()) {
            return;
        }
        GraphEvent arrived = load.arrived;
        if (arrived != null && !arrived.isComplete()) {
            return;
        }
        texture.load = null;
        texture.residency.isBusy = false;
        loadingBytes -= load.bytes;
        Throwable failure = load.failure == null && arrived != null ? arrived.failure() : load.failure;
        if (failure != null && !isShortage(failure)) {
            texture.failure = failure;
            texture.residency.isFailed = true;
        }
        ResidentImage image = load.image;
        // A frame that failed may have taken the levels that this one was to be copied from.
        boolean fits = failure == null && !texture.isClosed && load.level == texture.residency.next();
        if (image == null) {
            imageBytes -= load.imageBytes;
        } else if (fits) {
            swap(texture, image, copies, changed);
        } else {
            leavingBytes += image.bytes();
            close(image);
        }
        if (texture.isClosed) {
            free(texture);
        }
    }

    /** Returns whether there is no memory or no slot now, which may be otherwise in a later frame. */
    private static boolean isShortage(Throwable failure) {
        return failure instanceof GpuOutOfMemoryException
                || failure instanceof TableFullException
                || failure.getCause() instanceof GpuOutOfMemoryException;
    }

    /** Gives a texture another image from this frame on. */
    private void swap(
            StreamedTexture texture, ResidentImage image, List<LevelCopy> copies, List<StreamedTexture> changed) {
        ResidentImage old = texture.image;
        if (old != null) {
            copies.add(new LevelCopy(old.texture(), old.level(), image.texture(), image.level()));
            changed.add(texture);
            leave(old);
        }
        texture.image = image;
        texture.residency.resident = image.level();
        areViewsOld = true;
    }

    /** Frees an image when the next frame has ended, which is the last to use it. */
    private void leave(ResidentImage image) {
        leavingBytes += image.bytes();
        leaving.add(() -> close(image));
    }

    /** Closes an image whose bytes are leaving. */
    private void close(ResidentImage image) {
        image.close();
        closedBytes += image.bytes();
    }

    synchronized void remove(StreamedTexture texture) {
        if (closed || texture.isClosed) {
            return;
        }
        texture.isClosed = true;
        tailBytes -= texture.residency.imageBytes(texture.residency.tail);
        ResidentImage image = texture.image;
        if (image != null) {
            leave(image);
            texture.image = null;
        }
        areViewsOld = true;
        if (texture.load == null) {
            free(texture);
        }
    }

    /** Frees the index when the next frame has ended: shaders may wish by it until then. */
    private void free(StreamedTexture texture) {
        textures.set(texture.index(), null);
        leaving.add(() -> freeIndices.add(texture.index()));
    }

    private StreamedFrame declare(
            RenderGraph graph,
            RdgBuffer residencyOfGraph,
            RdgBuffer feedbackOfGraph,
            List<LevelCopy> copies,
            List<StreamedTexture> changed) {
        if (isFeedbackNew) {
            ClearPasses.buffer(graph, feedbackOfGraph, NOT_WISHED);
        }
        CompletableFuture<ByteBuffer> wishes =
                ReadbackPasses.buffer(graph, feedbackOfGraph).unwatchedBytes();
        frames.add(new Frame(wishes, feedback, changed, leaving));
        leaving = new ArrayList<>();
        int[] words = words();
        graph.addPass("stream textures", PassKind.COPY)
                .overwrites(residencyOfGraph, Access.COPY_DST)
                .overwrites(feedbackOfGraph, Access.COPY_DST)
                .record(context ->
                        record(context, words, context.buffer(residencyOfGraph), context.buffer(feedbackOfGraph)));
        LevelCopy.declare(graph, copies);
        if (areViewsOld) {
            areViewsOld = false;
            views = new HashMap<>();
            for (StreamedTexture each : textures) {
                if (each != null && each.image != null) {
                    views.put(each, each.image.texture().view());
                }
            }
        }
        return new StreamedFrame(
                this,
                graph,
                residencyOfGraph,
                feedbackOfGraph,
                views,
                placeholder.texture().view());
    }

    private ResidentImage imageOf(@Nullable StreamedTexture texture) {
        ResidentImage image = texture == null ? null : texture.image;
        return image == null ? placeholder : image;
    }

    /** Gives a texture more its place in both buffers. */
    private void grow() {
        if (textures.size() * (long) Integer.BYTES < feedback.description().bytes()) {
            return;
        }
        int more = 2 * textures.size();
        Buffer larger = residency(device, more);
        Buffer largerFeedback;
        try {
            largerFeedback = feedback(device, more);
        } catch (RuntimeException | Error e) {
            larger.close();
            throw e;
        }
        leaving.add(residency::close);
        leaving.add(feedback::close);
        residency = larger;
        feedback = largerFeedback;
        isFeedbackNew = true;
    }

    /** Returns what shaders read: of each texture its slot and its finest level. */
    private int[] words() {
        int[] words = new int[2 * textures.size()];
        for (int i = 0; i < textures.size(); i++) {
            StreamedTexture texture = textures.get(i);
            BindlessSlot slot = imageOf(texture).slot();
            words[2 * i] = slot == null ? 0 : slot.index();
            words[2 * i + 1] = texture == null ? 0 : texture.residency.resident;
        }
        return words;
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
            uploader.close();
        } finally {
            free();
        }
    }

    private synchronized void free() {
        frames.forEach(each -> each.leaving.forEach(Runnable::run));
        leaving.forEach(Runnable::run);
        for (StreamedTexture each : textures) {
            if (each != null && each.load != null && each.load.image != null) {
                each.load.image.close();
            }
            if (each != null && each.image != null) {
                each.image.close();
            }
        }
        placeholder.close();
        residency.close();
        feedback.close();
    }
}
