package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pass declares to use is there. */
@Timeout(60)
class PassUsesContractTest {
    private static void refused(CommandList list, ResourceUse use, String... words) {
        assertThatThrownBy(() -> list.beginPass("reads", List.of(use)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains("pass 'reads'")
                .contains(words);
    }

    private static ResourceUse sampled(Texture texture, SubresourceRange range) {
        return new ResourceUse.OfTexture(texture, range, Access.SAMPLED_COMPUTE, false, TextureLayout.SHADER_RO);
    }

    private static ResourceUse read(Buffer buffer, long offset, long bytes) {
        return new ResourceUse.OfBuffer(buffer, offset, bytes, Access.STORAGE_READ_COMPUTE, false);
    }

    @ParameterizedTest
    @EnumSource
    void usesAreWithinTheirResource(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture picture = rig.texture(
                    "picture",
                    TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                            .withMips(2)
                            .withLayers(3));
            Buffer words = rig.buffer("words", 64, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            SubresourceRange mips = new SubresourceRange(1, 2, 0, 1, 0, 1);
            SubresourceRange layers = new SubresourceRange(0, 1, 1, 3, 0, 1);
            SubresourceRange planes = SubresourceRange.mip(0).plane(1);
            for (SubresourceRange range : List.of(mips, layers, planes)) {
                refused(
                        list,
                        sampled(picture, range),
                        "texture 'picture'",
                        range.toString(),
                        "2 mips, 3 layers and 1 plane");
            }
            refused(list, read(words, 32, 33), "buffer 'words'", "32+33", "64 bytes");
            refused(list, read(words, -4, 8), "buffer 'words'", "-4+8");
            refused(list, read(words, 0, 0), "buffer 'words'", "0+0");
            refused(list, read(words, 1, Long.MAX_VALUE), "buffer 'words'", "64 bytes");
            // A refused pass was not begun.
            list.beginPass(
                    "reads",
                    List.of(sampled(picture, SubresourceRange.all(picture.description())), read(words, 32, 32)));
            list.endPass();
            list.end();
        }
    }
}
