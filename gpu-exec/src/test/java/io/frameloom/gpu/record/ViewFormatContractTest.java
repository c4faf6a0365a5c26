package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attachments are cleared and resolved in the formats in which they are seen. */
@Timeout(60)
class ViewFormatContractTest {
    private static final ClearColor GREY = new ClearColor(0.5, 0.5, 0.5, 0.5);
    private static final int LINEAR_GREY = 0x80808080;
    private static final int SRGB_GREY = 0x80bcbcbc;

    private static Texture texture(CommandRig rig, String name, int samples) {
        return rig.texture(
                name,
                TextureDescription.of(2, 2, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)
                        .withSamples(samples)
                        .withViewFormats(Format.R8G8B8A8_SRGB));
    }

    private static TextureView srgb(Texture texture) {
        return texture.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, Format.R8G8B8A8_SRGB);
    }

    private static RenderingInfo info(TextureView view, LoadOp load, @Nullable TextureView resolve) {
        return new RenderingInfo(2, 2, List.of(new ColorAttachment(view, load, StoreOp.STORE, GREY, resolve)), null);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void coloursAreClearedAsTheyAreSeen(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = texture(rig, "color", 1);
            Buffer linear = rig.readback(16);
            Buffer encoded = rig.readback(16);
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(info(color.view(), LoadOp.CLEAR, null));
                list.endRendering();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(color, 0, 0, linear, 0);
                transition(list, color, TextureLayout.TRANSFER_SRC, TextureLayout.COLOR);
                list.beginRendering(info(srgb(color), LoadOp.CLEAR, null));
                list.endRendering();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(color, 0, 0, encoded, 0);
            });
            assertThat(words(linear)).containsOnly(LINEAR_GREY);
            assertThat(words(encoded)).containsOnly(SRGB_GREY);
        }
    }

    /** Drivers may average the codes of sRGB, but what all samples have is neither lighter nor darker. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void samplesAreResolvedAsTheyAreSeen(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture many = texture(rig, "many", 4);
            Texture one = texture(rig, "one", 1);
            Buffer texels = rig.readback(16);
            rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, one, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(info(srgb(many), LoadOp.CLEAR, srgb(one)));
                list.endRendering();
                transition(list, one, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(one, 0, 0, texels, 0);
            });
            assertThat(words(texels)).containsOnly(SRGB_GREY);
        }
    }
}
