package io.frameloom.streaming;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.List;

/**
 * A copy of all levels that two images of a texture both have, on the device. Earlier frames have sampled the old image
 * for the last time.
 *
 * @param texture the texture
 * @param from the old image
 * @param fromLevel its finest level
 * @param to the new image, whose finest level is in it if it is finer than those of the old one
 * @param toLevel its finest level, one more or less
 */
record LevelCopy(StreamedTexture texture, Texture from, int fromLevel, Texture to, int toLevel) {
    /**
     * Adds passes that copy, if there is something to copy. A texture that a frame takes to another layout at first
     * comes after all earlier work of the queue, so after sampling that earlier frames do not declare.
     */
    static void declare(RenderGraph graph, List<LevelCopy> copies) {
        if (copies.isEmpty()) {
            return;
        }
        PassBuilder pass = graph.addPass("copy streamed levels", PassKind.COPY);
        // It samples nothing. It stands for later passes and frames, which sample by the table and do not declare that.
        // None of them is moved before it.
        PassBuilder after = graph.addPass("streamed levels are copied", PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS, PassFlag.UNTRACKED_ACCESS);
        for (LevelCopy each : copies) {
            RdgTexture from = graph.registerExternal(each.from, TextureLayout.SHADER_RO);
            RdgTexture to = graph.registerExternal(each.to, TextureLayout.SHADER_RO);
            pass.reads(from, range(each.from, each.firstFrom()), Access.COPY_SRC);
            pass.overwrites(to, range(each.to, each.firstTo()), Access.COPY_DST);
            after.reads(to, Access.SAMPLED_FRAGMENT).reads(to, Access.SAMPLED_COMPUTE);
            // It stays in the table until the frame has ended, so shaders may still look at it.
            graph.finalAccess(from, Access.SAMPLED_FRAGMENT);
        }
        pass.record(context -> copies.forEach(each -> each.record(context)));
        after.record(context -> {});
    }

    private void record(PassContext context) {
        for (int mip = firstTo(); mip < to.description().mips(); mip++) {
            TextureRegion source = TextureRegion.mip(from.description(), mip - firstTo() + firstFrom());
            context.commands().copyTexture(from, source, to, TextureRegion.mip(to.description(), mip));
        }
    }

    /** Returns the mip of the old image that is the finest of both. */
    private int firstFrom() {
        return Math.max(0, toLevel - fromLevel);
    }

    private int firstTo() {
        return Math.max(0, fromLevel - toLevel);
    }

    private static SubresourceRange range(Texture texture, int first) {
        return new SubresourceRange(first, texture.description().mips() - first, 0, 1, 0, 1);
    }
}
