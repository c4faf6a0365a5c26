package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An image for the levels from one on, and another one for more or fewer. A frame copies those that both have. */
final class ImageMemory implements TextureMemory {
    private final GpuDevice device;
    private final Ktx2File file;
    private final Function<TextureView, @Nullable BindlessSlot> slots;
    private final FrameLedger ledger;

    ImageMemory(
            GpuDevice device, Ktx2File file, Function<TextureView, @Nullable BindlessSlot> slots, FrameLedger ledger) {
        this.device = device;
        this.file = file;
        this.slots = slots;
        this.ledger = ledger;
    }

    @Override
    public boolean isSparse() {
        return false;
    }

    @Override
    public int lastLevel() {
        return file.description().mips() - 1;
    }

    @Override
    public long bytes(int level) {
        return device.requirements(StreamedTexture.shape(file, level)).bytes();
    }

    @Override
    public ResidentImage create(int level, int end) {
        Texture image = device.createTexture(
                file.path().getFileName() + " from level " + level, StreamedTexture.shape(file, level));
        try {
            return new ResidentImage(image.view(), slots.apply(image.view()), level);
        } catch (RuntimeException | Error e) {
            image.close();
            throw e;
        }
    }

    @Override
    public ResidentImage shown(ResidentImage filled) {
        return filled;
    }

    @Override
    public void leave(Residency residency, ResidentImage image, int end) {
        ledger.leave(residency.imageBytes(image.level()), image::close, null);
    }

    @Override
    public void close() {
        // Each image is closed by itself.
    }
}
