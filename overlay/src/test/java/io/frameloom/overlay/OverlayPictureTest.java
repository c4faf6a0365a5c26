package io.frameloom.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.RdgTexture;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lwjgl.nuklear.NkImage;
import org.lwjgl.nuklear.NkRect;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;

/** The overlay as a Vulkan driver draws it, with validation. */
class OverlayPictureTest {
    private static final int GREY = 0x808080;
    private static final int PANEL_RIGHT = 8 + 330;

    private static OverlayRig rig() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        return new OverlayRig(true, options -> VulkanDevices.open("", options));
    }

    private static boolean isGrey(int texel) {
        return Math.abs((texel & 0xff) - (GREY & 0xff)) <= 1 && (texel & 0xff) == (texel >> 8 & 0xff);
    }

    @Test
    void coversItsPanelAndNothingElse() {
        try (OverlayRig rig = rig();
                FrameOverlay overlay = new FrameOverlay(rig.device, OverlayRig.FORMAT)) {
            overlay.show(false);
            rig.frame(overlay);
            assertThat(Arrays.stream(rig.texels()).allMatch(OverlayPictureTest::isGrey))
                    .isTrue();
            overlay.show(true);
            rig.frame(overlay);
            rig.frame(overlay);
            int[] texels = rig.texels();
            int bright = 0;
            int bars = 0;
            for (int i = 0; i < texels.length; i++) {
                int x = i % OverlayRig.WIDTH;
                if (x > PANEL_RIGHT + 1 || x < 7) {
                    assertThat(isGrey(texels[i]))
                            .as("texel %d of column %d", i, x)
                            .isTrue();
                }
                bright += (texels[i] & 0xff) > 0xc0 ? 1 : 0;
                bars += texels[i] == Widgets.GRAPHICS ? 1 : 0;
            }
            // Words are thin: a few hundred texels of a line. Passes have bars.
            assertThat(bright).isBetween(300, 20_000);
            assertThat(bars).isGreaterThan(100);
            rig.assertClean();
        }
    }

    @Test
    void showsATextureFromBlackToWhite() {
        try (OverlayRig rig = rig();
                NuklearPass gui = new NuklearPass(rig.device, OverlayRig.FORMAT)) {
            assertThat(centre(rig, gui, 0, 1)).isEqualTo(0xff0000);
            // One is half-way to two, and zero is above a black of minus one.
            assertThat(centre(rig, gui, 0, 2)).isIn(0x7f0000, 0x800000);
            assertThat(centre(rig, gui, -1, 1)).isIn(0xff7f7f, 0xff8080);
            rig.assertClean();
        }
    }

    private static int centre(OverlayRig rig, NuklearPass gui, float low, float high) {
        rig.frame((graph, target) -> {
            gui.takeInput();
            try (MemoryStack stack = MemoryStack.stackPush()) {
                NkRect place = NkRect.malloc(stack).set(0, 0, 200, 200);
                if (Nuklear.nk_begin(gui.context(), "shown", place, Nuklear.NK_WINDOW_NO_SCROLLBAR)) {
                    Nuklear.nk_layout_row_dynamic(gui.context(), 180, 1);
                    Nuklear.nk_image(gui.context(), Nuklear.nk_image_id(1, NkImage.malloc(stack)));
                }
                Nuklear.nk_end(gui.context());
            }
            RdgTexture red = graph.textures().get(1);
            gui.addTo(graph, target, List.of(new ShownTexture(red.view(), low, high)));
        });
        return rig.texels()[100 * OverlayRig.WIDTH + 100];
    }
}
