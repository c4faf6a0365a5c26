package io.frameloom.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.overlay.OverlayInput.Button;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
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
        overlay.input().pointer(40, y);
        rig.frame(overlay);
        overlay.input().button(Button.LEFT, true, 40, y);
        rig.frame(overlay);
        overlay.input().button(Button.LEFT, false, 40, y);
        rig.frame(overlay);
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
