package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.streaming.StreamedTexture.Load;
import io.frameloom.taskgraph.WorkerLevel;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives textures memory and loads levels into it, on workers and the copy queue. Guarded by the streamer, but for workers. */
final class LevelLoader {
    private final GpuDevice device;
    private final @Nullable BindlessTable table;
    private final Uploader uploader;
    /** Binds the levels of sparse textures; null where the device has none. */
    private final @Nullable GpuQueue binder;

    private long loadingBytes;

    LevelLoader(GpuDevice device, @Nullable BindlessTable table, int loadBytes) {
        this.device = device;
        this.table = table;
        // Data up to half of the ring goes in one piece.
        this.uploader = new Uploader(device, "streamed textures", (int)
                Math.min(Uploader.DEFAULT_RING_BYTES, Math.max(1 << 16, 2L * loadBytes)));
        // The copy queue first, on which bindings wait for no frame.
        this.binder = Stream.concat(Stream.of(uploader.queue()), device.queues().stream())
                .filter(GpuQueue::bindsLevels)
                .findFirst()
                .orElse(null);
    }

    /** Returns the memory of a texture: a sparse image where the device has such, and more than a tail fits it. */
    TextureMemory memory(Ktx2File file, FrameLedger ledger) {
        Texture sparse = binder == null ? null : sparse(file);
        return binder == null || sparse == null
                ? new ImageMemory(device, file, this::slot, ledger)
                : new SparseMemory(sparse, binder, uploader, this::slot, ledger);
    }

    /** Returns a sparse image for a file; null where it cannot be one, or has a tail alone, whose levels take a page each. */
    private @Nullable Texture sparse(Ktx2File file) {
        Texture sparse;
        try {
            sparse = device.createSparseTexture(file.path().getFileName() + " sparse", file.description());
        } catch (IllegalArgumentException e) {
            return null; // the device has none of this format and size
        }
        SparseLevels levels = sparse.sparse();
        if (levels == null || Residency.tail(file.description(), levels.tail()) == 0) {
            sparse.close();
            return null;
        }
        return sparse;
    }

    /** Returns an image of one grey texel, when that has arrived. */
    ResidentImage placeholder() {
        Texture grey = device.createTexture(
                "streaming placeholder",
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST));
        ByteBuffer texel = ByteBuffer.wrap(new byte[] {127, 127, 127, -1});
        try {
            uploader.upload(grey, 0, 0, texel, TextureLayout.SHADER_RO)
                    .arrived()
                    .await();
            return new ResidentImage(grey.view(), slot(grey.view()), 0);
        } catch (RuntimeException | Error e) {
            grey.close();
            throw e;
        }
    }

    private @Nullable BindlessSlot slot(TextureView view) {
        return table == null ? null : table.sampledTexture(view);
    }

    /** Returns whether there is no memory or no slot now, which may be otherwise in a later frame. */
    static boolean isShortage(Throwable failure) {
        return failure instanceof GpuOutOfMemoryException
                || failure instanceof TableFullException
                || failure.getCause() instanceof GpuOutOfMemoryException;
    }

    /** Returns the bytes of levels on their way. */
    long loadingBytes() {
        return loadingBytes;
    }

    /** Returns the point that uploads have reached. */
    TimelinePoint uploaded() {
        return new TimelinePoint(uploader.queue(), uploader.queue().timeline().completed());
    }

    /** Begins to load levels, unless they are no longer wanted when a worker comes to them. */
    void begin(StreamedTexture texture, int level, BooleanSupplier isWanted) {
        Residency state = texture.residency;
        Load load = new Load(level, state.nextLoad(), state.needBytes(level));
        int end = state.resident;
        state.isBusy = true;
        texture.load = load;
        loadingBytes += load.bytes;
        String name = "load level " + level + " of " + texture.file.path().getFileName();
        load.read = device.taskGraph()
                .task(name, () -> load(texture, load, end, isWanted))
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
    }

    /** Reads levels and uploads them. Worker; others look at the load when this has ended. */
    private void load(StreamedTexture texture, Load load, int end, BooleanSupplier isWanted) {
        UploadBatch batch = null;
        try {
            if (!isWanted.getAsBoolean()) {
                return;
            }
            ResidentImage image = texture.memory.create(load.level, end);
            load.image = image;
            for (int level = load.level; level < end; level++) {
                ByteBuffer texels = texture.file.read(level);
                batch = uploader.upload(image.texture(), image.mip(level), 0, texels, TextureLayout.SHADER_RO);
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

    /** Forgets a load that is over. */
    void ended(StreamedTexture texture, Load load) {
        texture.load = null;
        texture.residency.isBusy = false;
        loadingBytes -= load.bytes;
    }

    /** Ends uploads, when no load is under way. */
    void close() {
        uploader.close();
    }
}
