package io.frameloom.streaming;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.transfer.Uploader;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One sparse image, whose levels get memory and lose it. What frames sample is a view of those that have contents. */
final class SparseMemory implements TextureMemory {
    private final Texture texture;
    private final SparseLevels levels;
    private final GpuQueue binder;
    private final Uploader uploader;
    private final Function<TextureView, @Nullable BindlessSlot> slots;
    private final FrameLedger ledger;

    /**
     * Takes over a sparse texture.
     *
     * @param binder queue that binds
     * @param uploader what fills the levels
     */
    SparseMemory(
            Texture texture,
            GpuQueue binder,
            Uploader uploader,
            Function<TextureView, @Nullable BindlessSlot> slots,
            FrameLedger ledger) {
        this.texture = texture;
        this.levels = Objects.requireNonNull(texture.sparse());
        this.binder = binder;
        this.uploader = uploader;
        this.slots = slots;
        this.ledger = ledger;
    }

    @Override
    public boolean isSparse() {
        return true;
    }

    @Override
    public int lastLevel() {
        return levels.tail();
    }

    @Override
    public long bytes(int level) {
        return levels.bytes().stream().skip(level).mapToLong(Long::longValue).sum();
    }

    @Override
    public ResidentImage create(int level, int end) {
        int mips = texture.description().mips() - level;
        TextureView view = texture.view(new SubresourceRange(level, mips, 0, 1, 0, 1));
        if (level < end) {
            // The open batch waits, or one before it in the same queue.
            uploader.after(binder.bind(binding(level, end, true)));
        }
        return new ResidentImage(view, null, level);
    }

    /** Gives it a slot, and not before: else shaders could take levels from the table that are not there. */
    @Override
    public ResidentImage shown(ResidentImage filled) {
        return new ResidentImage(filled.view(), slots.apply(filled.view()), filled.level());
    }

    @Override
    public void leave(Residency residency, ResidentImage image, int end) {
        long bytes = Math.max(0, residency.imageBytes(image.level()) - residency.imageBytes(end));
        if (bytes == 0) {
            ledger.leave(0, image::close, null);
            return;
        }
        // A level gets no memory before it has lost it.
        residency.isBusy = true;
        ledger.leave(bytes, image::close, () -> {
            residency.isBusy = false;
            if (!texture.isClosed()) {
                binder.bind(binding(image.level(), end, false));
            }
        });
    }

    private LevelBinding binding(int first, int end, boolean isResident) {
        List<LevelBinding.Change> changes = IntStream.range(first, Math.min(end, levels.tail() + 1))
                .mapToObj(level -> new LevelBinding.Change(texture, level, isResident))
                .toList();
        return new LevelBinding((isResident ? "stream in " : "stream out ") + texture.name(), changes, List.of());
    }

    @Override
    public void close() {
        texture.close();
    }
}
