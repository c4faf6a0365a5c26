package io.frameloom.streaming;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of all levels that two images of a texture both have, on the device. Before it all frames have sampled the old
 * image for the last time.
 *
 * @param from the old image
 * @param fromLevel its finest level
 * @param to the new image
 * @param toLevel its finest level, one more or less
 */
record LevelCopy(Texture from, int fromLevel, Texture to, int toLevel) {
    private static final Scope BEFORE = new Scope(
            PipelineStage.ALL_COMMANDS.bit(),
            MemoryAccess.MEMORY_WRITE.bit(),
            PipelineStage.COPY.bit(),
            MemoryAccess.mask(MemoryAccess.COPY_READ, MemoryAccess.COPY_WRITE));
    private static final Scope AFTER = new Scope(
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.ALL_COMMANDS.bit(),
            MemoryAccess.MEMORY_READ.bit());

    /** Records copies in a pass of their own. The list is between passes, before and after. */
    static void record(CommandList list, List<LevelCopy> copies) {
        List<TextureBarrier> before = new ArrayList<>();
        List<TextureBarrier> after = new ArrayList<>();
        List<ResourceUse> uses = new ArrayList<>();
        for (LevelCopy each : copies) {
            SubresourceRange read = each.range(each.from, each.firstFrom());
            SubresourceRange written = each.range(each.to, each.firstTo());
            before.add(barrier(each.from, read, BEFORE, TextureLayout.SHADER_RO, TextureLayout.TRANSFER_SRC));
            before.add(barrier(each.to, written, BEFORE, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            after.add(barrier(each.to, written, AFTER, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
            uses.add(new ResourceUse.OfTexture(each.from, read, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC));
            uses.add(new ResourceUse.OfTexture(each.to, written, Access.COPY_DST, true, TextureLayout.TRANSFER_DST));
        }
        list.barrier(new BarrierBatch(before, List.of(), List.of()));
        list.beginPass("copy streamed levels", uses);
        for (LevelCopy each : copies) {
            for (int mip = each.firstTo(); mip < each.to.description().mips(); mip++) {
                int source = mip - each.firstTo() + each.firstFrom();
                list.copyTexture(
                        each.from,
                        TextureRegion.mip(each.from.description(), source),
                        each.to,
                        TextureRegion.mip(each.to.description(), mip));
            }
        }
        list.endPass();
        list.barrier(new BarrierBatch(after, List.of(), List.of()));
    }

    /** Returns the mip of the old image that is the finest of both. */
    private int firstFrom() {
        return Math.max(0, toLevel - fromLevel);
    }

    private int firstTo() {
        return Math.max(0, fromLevel - toLevel);
    }

    private SubresourceRange range(Texture texture, int first) {
        return new SubresourceRange(first, texture.description().mips() - first, 0, 1, 0, 1);
    }

    private static TextureBarrier barrier(
            Texture texture, SubresourceRange range, Scope scope, TextureLayout from, TextureLayout to) {
        return new TextureBarrier(texture, range, scope, from, to, null);
    }
}
