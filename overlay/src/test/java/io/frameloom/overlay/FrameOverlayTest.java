package io.frameloom.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.overlay.OverlayInput.Button;
import io.frameloom.overlay.TextureChoice.Candidate;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RenderGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lwjgl.nuklear.NkImage;
import org.lwjgl.nuklear.NkRect;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;

/** The overlay on the virtual GPU, which draws nothing and sees each hazard. */
class FrameOverlayTest {
    /** Where the panel has the title of its textures, and below it the first of them, when nothing else was clicked. */
    private static final int TEXTURES_Y = 448;

    private static final int RED_Y = 504;

    private static final int PASSES_Y = 157;

    /** How far down what is below the passes is when they are unfolded. */
    private static final int PASSES_HEIGHT = 216;

    /** The row of numbers below the first texture's name. */
    private static final int NUMBERS_BELOW_RED = 100;

    private static OverlayRig rig() {
        return new OverlayRig(false, options -> VirtualDevice.open(new VirtualGpuOptions(2, 1), options));
    }

    private static List<String> passes(FramePlan plan) {
        return plan.passes().stream()
                .filter(pass -> !pass.culled())
                .map(PassPlan::name)
                .toList();
    }

    private static List<String> readsOfOverlay(FramePlan plan) {
        return plan.passes().stream()
                .filter(pass -> pass.name().equals("overlay"))
                .flatMap(pass -> pass.uses().stream())
                .map(use -> plan.resources().get(use.resource()).name())
                .toList();
    }

    @Test
    void isAPassOfTheGraphWhileItIsShown() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            assertThat(passes(rig.frame(overlay))).containsExactly("grey", "overlay", "readback");
            assertThat(readsOfOverlay(rig.frame(overlay))).containsExactlyInAnyOrder("overlay glyphs", "picture");
            overlay.show(false);
            assertThat(passes(rig.frame(overlay))).containsExactly("grey", "readback");
            assertThat(overlay.holdsPointer()).isFalse();
            overlay.show(true);
            assertThat(passes(rig.frame(overlay))).contains("overlay");
            rig.assertClean();
        }
    }

    @Test
    void aClickedTextureIsReadAndItsCulledPassRuns() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            rig.frame(overlay);
            rig.frame(overlay);
            click(rig, overlay, TEXTURES_Y);
            click(rig, overlay, RED_Y);
            FramePlan plan = rig.frame(overlay);
            assertThat(readsOfOverlay(plan)).contains("red");
            assertThat(passes(plan)).containsExactly("red", "grey", "overlay", "readback");
            assertThat(overlay.holdsPointer()).isTrue();
            click(rig, overlay, TEXTURES_Y);
            assertThat(readsOfOverlay(rig.frame(overlay))).doesNotContain("red");
            rig.assertClean();
        }
    }

    private static void click(OverlayRig rig, FrameOverlay overlay, int y) {
        click(rig, overlay, 40, y);
    }

    private static void click(OverlayRig rig, FrameOverlay overlay, int x, int y) {
        overlay.input().pointer(x, y);
        rig.frame(overlay);
        overlay.input().button(Button.LEFT, true, x, y);
        rig.frame(overlay);
        overlay.input().button(Button.LEFT, false, x, y);
        rig.frame(overlay);
    }

    /** The texture that is shown changes the counts in the titles. */
    @Test
    void aFoldedPartStaysFoldedWhenItsTitleChanges() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            showRedBelowFoldedPasses(rig, overlay);
            click(rig, overlay, TEXTURES_Y - PASSES_HEIGHT);
            assertThat(readsOfOverlay(rig.frame(overlay))).doesNotContain("red");
        }
    }

    private static void showRedBelowFoldedPasses(OverlayRig rig, FrameOverlay overlay) {
        rig.frame(overlay);
        rig.frame(overlay);
        click(rig, overlay, PASSES_Y);
        click(rig, overlay, TEXTURES_Y - PASSES_HEIGHT);
        click(rig, overlay, RED_Y - PASSES_HEIGHT);
        assertThat(readsOfOverlay(rig.frame(overlay))).contains("red");
    }

    @Test
    void aNumberThatIsTypedHoldsTheKeys() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            showRedBelowFoldedPasses(rig, overlay);
            for (int x = 60; x < 120 && !overlay.holdsKeys(); x += 6) {
                click(rig, overlay, x, RED_Y - PASSES_HEIGHT + NUMBERS_BELOW_RED);
            }
            assertThat(overlay.holdsKeys()).isTrue();
            overlay.input().key(OverlayInput.Key.ENTER, true);
            rig.frame(overlay);
            overlay.input().key(OverlayInput.Key.ENTER, false);
            rig.frame(overlay);
            assertThat(overlay.holdsKeys()).isFalse();
        }
    }

    @Test
    void whatIsReleasedWhileItIsHiddenIsNotHeld() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            rig.frame(overlay);
            overlay.input().pointer(50, 22);
            overlay.input().button(Button.LEFT, true, 50, 22);
            rig.frame(overlay);
            assertThat(overlay.holdsPointer()).isTrue();
            overlay.show(false);
            overlay.input().button(Button.LEFT, false, 50, 22);
            overlay.input().pointer(OverlayRig.WIDTH - 5, 50);
            rig.frame(overlay);
            overlay.show(true);
            assertThat(overlay.holdsPointer()).isFalse();
            rig.frame(overlay);
            assertThat(overlay.holdsPointer()).isFalse();
            overlay.input().pointer(50, 50);
            rig.frame(overlay);
            assertThat(overlay.holdsPointer()).isTrue();
        }
    }

    /** Textures of one name are told apart by their order, and are not shown if there are more or fewer. */
    @Test
    void texturesOfOneNameAreToldApart() {
        try (OverlayRig rig = rig()) {
            FramePlan plan = rig.frame((graph, target) -> another(graph, 8));
            List<Candidate> reds = TextureChoice.of(plan).stream()
                    .filter(candidate -> candidate.name().equals("red"))
                    .toList();
            assertThat(reds).extracting(candidate -> candidate.shape().width()).containsExactly(16, 8);
            Candidate second = reds.get(1);
            rig.frame((graph, target) -> {
                assertThat(TextureChoice.find(graph, second, 0, target)).isNull();
                RdgTexture red = another(graph, 8);
                RdgTextureView view = TextureChoice.find(graph, second, 0, target);
                assertThat(view).isNotNull();
                assertThat(view.texture()).isSameAs(red);
            });
            rig.frame((graph, target) -> {
                another(graph, 4);
                assertThat(TextureChoice.find(graph, second, 0, target)).isNull();
            });
        }
    }

    private static RdgTexture another(RenderGraph graph, int width) {
        RdgTexture red = graph.createTexture("red", TextureDescription.of(width, 8, OverlayRig.FORMAT));
        graph.addPass("another red", PassKind.RASTER)
                .color(red, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        return red;
    }

    @Test
    void thePointerIsHeldOnlyOverThePanel() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            overlay.input().pointer(50, 50);
            rig.frame(overlay);
            assertThat(overlay.holdsPointer()).isTrue();
            overlay.input().pointer(OverlayRig.WIDTH - 5, 50);
            rig.frame(overlay);
            assertThat(overlay.holdsPointer()).isFalse();
            overlay.input().wheel(0, 1);
            overlay.input().key(OverlayInput.Key.ENTER, true);
            overlay.input().key(OverlayInput.Key.ENTER, false);
            overlay.input().text('a');
            rig.frame(overlay);
            assertThat(overlay.holdsKeys()).isFalse();
        }
    }

    @Test
    void aGuiOfOnesOwnIsDrawnTheSameWay() {
        try (OverlayRig rig = rig();
                NuklearPass gui = new NuklearPass(rig.device, OverlayRig.FORMAT)) {
            FramePlan empty = rig.frame((graph, target) -> {
                gui.takeInput();
                gui.addTo(graph, target, List.of());
            });
            assertThat(passes(empty)).doesNotContain("overlay");
            FramePlan drawn = rig.frame((graph, target) -> {
                image(gui, 1);
                gui.addTo(
                        graph,
                        target,
                        List.of(new ShownTexture(graph.textures().get(1).view(), 0, 1)));
            });
            assertThat(readsOfOverlay(drawn)).contains("red");
            rig.frame((graph, target) -> {
                image(gui, 2);
                assertThatThrownBy(() -> gui.addTo(graph, target, List.of()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("id 2");
                // The GUI is forgotten, so nothing is left to be refused.
                gui.addTo(graph, target, List.of());
            });
            rig.frame((graph, target) -> assertThatThrownBy(
                            () -> new ShownTexture(graph.textures().get(1).view(), 1, 1))
                    .hasMessageContaining("'red' cannot be shown from 1.0 to 1.0"));
            rig.assertClean();
        }
    }

    private static void image(NuklearPass gui, int id) {
        gui.takeInput();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            NkRect place = NkRect.malloc(stack).set(0, 0, 200, 200);
            if (Nuklear.nk_begin(gui.context(), "mine", place, Nuklear.NK_WINDOW_BORDER)) {
                Nuklear.nk_layout_row_dynamic(gui.context(), 100, 1);
                Nuklear.nk_image(gui.context(), Nuklear.nk_image_id(id, NkImage.malloc(stack)));
            }
            Nuklear.nk_end(gui.context());
        }
    }
}
