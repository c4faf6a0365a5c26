package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.TextureLayout;

/**
 * The layout in which two readers can read the same texture without a barrier in between.
 *
 * <p>All textures have {@code SHADER_RO, TRANSFER_SRC < GENERAL}, depth textures {@code SHADER_RO < DEPTH_RO < GENERAL}
 * as well. {@code LOCAL_READ} has none in common with others. Two layouts have the least one in common that is not below
 * either; layouts without one are separated by a transition.
 */
public final class ReadLayouts {
    private static final int SHADER_RO = code(TextureLayout.SHADER_RO);
    private static final int DEPTH_RO = code(TextureLayout.DEPTH_RO);
    private static final int GENERAL = code(TextureLayout.GENERAL);
    private static final int TRANSFER_SRC = code(TextureLayout.TRANSFER_SRC);

    private ReadLayouts() {}

    /** Returns the layout as an int for the flat arrays; {@link SubresourceMap#LAYOUTS} leads back. */
    @SuppressWarnings("EnumOrdinal")
    public static int code(TextureLayout layout) {
        return layout.ordinal();
    }

    /** Returns the common layout, or -1 if there is none. */
    static int common(int a, int b, boolean depth) {
        if (a == b) {
            return a;
        }
        if (depth && (a == SHADER_RO || a == DEPTH_RO) && (b == SHADER_RO || b == DEPTH_RO)) {
            return DEPTH_RO;
        }
        return belowGeneral(a, depth) && belowGeneral(b, depth) ? GENERAL : -1;
    }

    private static boolean belowGeneral(int layout, boolean depth) {
        return layout == SHADER_RO || layout == TRANSFER_SRC || layout == GENERAL || (depth && layout == DEPTH_RO);
    }
}
