package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contents that a render pass does not store, or never has, are undefined for whoever reads them next. */
@Timeout(60)
class LeftContentsContractTest {
    private static final int EXTENT = 4;

    /** A device whose submissions are judged. */
    private static final class Scene implements AutoCloseable {
        private final HazardChecker checker = new HazardChecker();
        private final CommandRig rig;
        private final Buffer texels;

        Scene(Backend backend) {
            rig = new CommandRig(backend, true, checker);
            texels = rig.readback(4L * EXTENT * EXTENT);
        }

        Texture color(String name, int samples) {
            return rig.texture(
                    name,
                    TextureDescription.of(
                                    EXTENT,
                                    EXTENT,
                                    Format.R8G8B8A8_UNORM,
                                    TextureUsage.COLOR_ATTACHMENT,
                                    TextureUsage.COPY_SRC)
                            .withSamples(samples));
        }

        void copy(CommandList list, Texture texture, int plane, TextureLayout from) {
            SubresourceRange range = SubresourceRange.mip(0).plane(plane);
            transition(list, texture, range, from, TextureLayout.TRANSFER_SRC);
            list.beginPass(
                    "copy",
                    List.of(
                            use(texture, range, Access.COPY_SRC, false),
                            new ResourceUse.OfBuffer(texels, 0, 4L * EXTENT * EXTENT, Access.COPY_DST, true)));
            list.copyTextureToBuffer(
                    texture,
                    TextureRegion.mip(texture.description(), 0).withPlane(plane),
                    texels,
                    TexelLayout.tight(0));
            list.endPass();
            CommandRig.full(list);
        }

        void undefined(String... textures) {
            assertThat(checker.hazards())
                    .allSatisfy(hazard -> assertThat(hazard.kind()).isEqualTo(Hazard.Kind.UNDEFINED_CONTENTS))
                    .extracting(Hazard::resource)
                    .containsExactly(textures);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static ResourceUse use(Texture texture, SubresourceRange range, Access access, boolean discard) {
        return new ResourceUse.OfTexture(texture, range, access, discard, access.layout());
    }

    private static ResourceUse drawn(Texture texture) {
        return use(texture, SubresourceRange.mip(0), Access.COLOR_WRITE, true);
    }

    private static RenderingInfo color(Texture texture, LoadOp load, StoreOp store, @Nullable Texture resolved) {
        return new RenderingInfo(
                EXTENT,
                EXTENT,
                List.of(new ColorAttachment(
                        texture.view(),
                        load,
                        store,
                        ClearColor.BLACK_TRANSPARENT,
                        resolved == null ? null : resolved.view())),
                null);
    }

    private static void pass(CommandList list, List<ResourceUse> uses, RenderingInfo... infos) {
        list.beginPass("render", uses);
        for (RenderingInfo info : infos) {
            list.beginRendering(info);
            list.endRendering();
        }
        list.endPass();
        CommandRig.full(list);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsNotStoredIsUndefined(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture color = scene.color("color", 1);
            scene.rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                pass(list, List.of(drawn(color)), color(color, LoadOp.CLEAR, StoreOp.DONT_CARE, null));
                scene.copy(list, color, 0, TextureLayout.COLOR);
            });
            scene.undefined("color");
        }
    }

    /** What is blended is read, but not what was there before the clear. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsClearedFirstIsNotRead(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture cleared = scene.color("cleared", 1);
            Texture loaded = scene.color("loaded", 1);
            scene.rig.execute(list -> {
                for (Texture color : List.of(cleared, loaded)) {
                    LoadOp first = color == loaded ? LoadOp.LOAD : LoadOp.CLEAR;
                    transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                    pass(
                            list,
                            List.of(use(color, SubresourceRange.mip(0), Access.COLOR_READ_WRITE, false)),
                            color(color, first, StoreOp.STORE, null),
                            color(color, LoadOp.CLEAR, StoreOp.STORE, null));
                }
            });
            scene.undefined("loaded");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsStoredIsDefined(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture color = scene.color("color", 1);
            RenderingInfo forgotten = color(color, LoadOp.CLEAR, StoreOp.DONT_CARE, null);
            RenderingInfo stored = color(color, LoadOp.CLEAR, StoreOp.STORE, null);
            scene.rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginPass("render", List.of(drawn(color)));
                list.beginRendering(forgotten);
                list.endRendering();
                CommandRig.full(list);
                list.beginRendering(stored);
                list.endRendering();
                list.endPass();
                scene.copy(list, color, 0, TextureLayout.COLOR);
            });
            scene.undefined();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void theRenderAreaAloneIsForgotten(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture color = scene.color("color", 1);
            scene.rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                pass(list, List.of(drawn(color)), color(color, LoadOp.CLEAR, StoreOp.STORE, null));
                pass(
                        list,
                        List.of(use(color, SubresourceRange.mip(0), Access.COLOR_READ_WRITE, false)),
                        color(color, LoadOp.LOAD, StoreOp.DONT_CARE, null).withRenderArea(0, 0, 2, 2));
                scene.copy(list, color, 0, TextureLayout.COLOR);
            });
            scene.undefined();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void samplesThatAreResolvedAreForgottenAndTheTargetIsNot(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture many = scene.color("many", 4);
            Texture one = scene.color("one", 1);
            ResourceUse resolved = use(one, SubresourceRange.mip(0), Access.RESOLVE_DST, true);
            scene.rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, one, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                pass(list, List.of(drawn(many), resolved), color(many, LoadOp.CLEAR, StoreOp.DONT_CARE, one));
                pass(
                        list,
                        List.of(use(many, SubresourceRange.mip(0), Access.COLOR_READ_WRITE, false)),
                        color(many, LoadOp.LOAD, StoreOp.STORE, null));
                scene.copy(list, one, 0, TextureLayout.COLOR);
            });
            scene.undefined("many");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void eachPlaneIsForgottenByItself(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Format format = scene.rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            TextureDescription shape =
                    TextureDescription.of(EXTENT, EXTENT, format, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC);
            Texture both = scene.rig.texture("both", shape);
            RenderingInfo info = new RenderingInfo(
                            EXTENT,
                            EXTENT,
                            List.of(),
                            new DepthAttachment(both.view(), LoadOp.CLEAR, StoreOp.DONT_CARE, 1, false))
                    .withStencil(new StencilAttachment(both.view(), LoadOp.CLEAR, StoreOp.STORE, 0, false));
            List<ResourceUse> written = List.of(
                    use(both, SubresourceRange.mip(0), Access.DEPTH_WRITE, true),
                    use(both, SubresourceRange.mip(0).plane(1), Access.STENCIL_WRITE, true));
            scene.rig.execute(list -> {
                transition(list, both, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                pass(list, written, info);
                scene.copy(list, both, 1, TextureLayout.DEPTH);
            });
            scene.undefined();
            scene.rig.execute(list -> scene.copy(list, both, 0, TextureLayout.DEPTH));
            scene.undefined("both");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsNeitherLoadedNorDrawnIsUndefined(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture drawn = scene.color("drawn", 1);
            Texture empty = scene.color("empty", 1);
            scene.rig.execute(list -> {
                transition(list, drawn, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, empty, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginPass("draw", List.of(drawn(drawn)));
                list.beginRendering(color(drawn, LoadOp.DONT_CARE, StoreOp.STORE, null));
                list.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 0, 0, EXTENT, EXTENT);
                list.endRendering();
                list.endPass();
                pass(list, List.of(drawn(empty)), color(empty, LoadOp.DONT_CARE, StoreOp.STORE, null));
                scene.copy(list, drawn, 0, TextureLayout.COLOR);
                scene.copy(list, empty, 0, TextureLayout.COLOR);
            });
            scene.undefined("empty");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void secondaryListsLeaveWhatTheyRender(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture color = scene.color("color", 1);
            CommandList secondary =
                    scene.rig.frame.beginSecondary(scene.rig.queue(), "secondary", null, List.of(drawn(color)));
            secondary.beginRendering(color(color, LoadOp.CLEAR, StoreOp.DONT_CARE, null));
            secondary.endRendering();
            secondary.end();
            scene.rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginPass("render", List.of(drawn(color)));
                list.execute(List.of(secondary));
                list.endPass();
                scene.copy(list, color, 0, TextureLayout.COLOR);
            });
            scene.undefined("color");
        }
    }

    /** What is cleared in a secondary list is not read before, unless something was rendered to it before that. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void secondaryListsClearWhatTheyRenderFirst(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            Texture cleared = scene.color("cleared", 1);
            Texture loaded = scene.color("loaded", 1);
            scene.rig.execute(list -> {
                for (Texture color : List.of(cleared, loaded)) {
                    ResourceUse blended = use(color, SubresourceRange.mip(0), Access.COLOR_READ_WRITE, false);
                    CommandList secondary =
                            scene.rig.frame.beginSecondary(scene.rig.queue(), "secondary", null, List.of(blended));
                    secondary.beginRendering(color(color, LoadOp.CLEAR, StoreOp.STORE, null));
                    secondary.endRendering();
                    secondary.end();
                    transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                    list.beginPass("blend", List.of(blended));
                    if (color == loaded) {
                        list.beginRendering(color(color, LoadOp.LOAD, StoreOp.STORE, null));
                        list.endRendering();
                        CommandRig.full(list);
                    }
                    list.execute(List.of(secondary));
                    list.endPass();
                }
            });
            scene.undefined("loaded");
        }
    }
}
