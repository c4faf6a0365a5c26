package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.DEPTH_READ;
import static io.frameloom.gpu.command.Access.DEPTH_WRITE;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STENCIL_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Depth and stencil that are only tested may stay in the layout in which they are written. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DepthStencilLayoutTest {
    private final Script script = new Script();
    private final Texture texture = Fakes.texture("depth", 1, 1);

    private void read(Access access, TextureLayout layout) {
        Access write = access == DEPTH_READ ? DEPTH_WRITE : STENCIL_WRITE;
        script.barrier(Script.move(texture, Script.fromNothing(write), TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .pass("write", use(texture, write))
                .barrier(Script.move(texture, Script.scope(write, access), TextureLayout.DEPTH, layout))
                .pass("test", use(texture, SubresourceRange.all(texture.description()), access, layout))
                .submit(script.graphics);
    }

    @ParameterizedTest
    @CsvSource({
        "DEPTH_READ, DEPTH", "DEPTH_READ, DEPTH_RO", "DEPTH_READ, GENERAL",
        "STENCIL_READ, DEPTH", "STENCIL_READ, DEPTH_RO", "STENCIL_READ, GENERAL"
    })
    void whatIsOnlyTestedMayBeIn(Access access, TextureLayout layout) {
        read(access, layout);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DEPTH_READ, COLOR", "STENCIL_READ, SHADER_RO"})
    void whatIsOnlyTestedMayNotBeIn(Access access, TextureLayout layout) {
        read(access, layout);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.WRONG_LAYOUT);
    }

    @ParameterizedTest
    @CsvSource({"DEPTH"})
    void whatIsSampledMayNotBeIn(TextureLayout layout) {
        script.barrier(Script.move(
                        texture, Script.fromNothing(DEPTH_WRITE), TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .pass("write", use(texture, DEPTH_WRITE))
                .barrier(Script.scope(DEPTH_WRITE, SAMPLED_FRAGMENT))
                .pass("sample", use(texture, SubresourceRange.all(texture.description()), SAMPLED_FRAGMENT, layout))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.WRONG_LAYOUT);
    }
}
