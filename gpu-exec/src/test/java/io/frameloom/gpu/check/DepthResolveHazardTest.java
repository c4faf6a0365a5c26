package io.frameloom.gpu.check;

import static io.frameloom.gpu.command.Access.DEPTH_READ_WRITE;
import static io.frameloom.gpu.command.Access.DEPTH_RESOLVE_DST;
import static io.frameloom.gpu.command.Access.DEPTH_RESOLVE_SRC;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resolves of depth are work of the colour output: barriers that know of the depth tests alone are too little. */
@Timeout(60)
class DepthResolveHazardTest {
    private final Script script = new Script();
    private final Texture many = Fakes.texture("many", 1, 1);
    private final Texture one = Fakes.texture("one", 1, 1);

    private static ResourceUse use(Texture texture, Access access, boolean discard) {
        return new ResourceUse.OfTexture(
                texture, SubresourceRange.all(texture.description()), access, discard, access.layout());
    }

    private void resolve() {
        script.barrier(Script.move(
                        many, Script.fromNothing(DEPTH_RESOLVE_SRC), TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .barrier(Script.move(
                        one, Script.fromNothing(DEPTH_RESOLVE_DST), TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .pass("resolve", use(many, DEPTH_RESOLVE_SRC, true), use(one, DEPTH_RESOLVE_DST, true));
    }

    @Test
    void aReaderOfTheTargetWaitsForTheColourOutput() {
        resolve();
        script.barrier(Script.move(
                        one,
                        Script.scope(DEPTH_RESOLVE_DST, SAMPLED_FRAGMENT),
                        TextureLayout.DEPTH,
                        TextureLayout.SHADER_RO))
                .pass("shade", use(one, SAMPLED_FRAGMENT, false))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aReaderOfTheTargetThatWaitsForTheDepthTestsIsReported() {
        resolve();
        script.barrier(Script.move(
                        one,
                        Script.scope(DEPTH_READ_WRITE, SAMPLED_FRAGMENT),
                        TextureLayout.DEPTH,
                        TextureLayout.SHADER_RO))
                .pass("shade", use(one, SAMPLED_FRAGMENT, false))
                .submit(script.graphics);
        assertThat(script.checker.hazards())
                .isNotEmpty()
                .allSatisfy(hazard -> assertThat(hazard.resource()).isEqualTo("one"));
    }

    /** The resolve reads the samples when the depth tests are long over. */
    @Test
    void whoWritesTheSamplesAgainWaitsForTheResolve() {
        resolve();
        script.barrier(Script.scope(DEPTH_READ_WRITE, DEPTH_READ_WRITE))
                .pass("again", use(many, DEPTH_READ_WRITE, false))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.READ_AFTER_WRITE);
            assertThat(hazard.resource()).isEqualTo("many");
            assertThat(hazard.secondPass()).isEqualTo("again");
        });
        Script right = new Script();
        right.barrier(Script.move(
                        many, Script.fromNothing(DEPTH_RESOLVE_SRC), TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .pass("resolve", use(many, DEPTH_RESOLVE_SRC, true))
                .barrier(Script.scope(DEPTH_RESOLVE_SRC, DEPTH_READ_WRITE))
                .pass("again", use(many, DEPTH_READ_WRITE, false))
                .submit(right.graphics);
        assertThat(right.checker.hazards()).isEmpty();
    }
}
