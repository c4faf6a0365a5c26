package io.frameloom.overlay;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lwjgl.nuklear.NkColor;
import org.lwjgl.nuklear.NkCommandBuffer;
import org.lwjgl.nuklear.NkContext;
import org.lwjgl.nuklear.NkImage;
import org.lwjgl.nuklear.NkRect;
import org.lwjgl.nuklear.NkUserFont;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Nuklear's widgets, and bars that it has not, for the thread that describes the GUI. */
final class Widgets {
    static final int ROW = 18;
    static final int WHITE = 0xe8e8e8;
    static final int DIM = 0x9a9a9a;
    static final int GRAPHICS = 0x5b9bd5;
    static final int OTHER = 0xe6a23c;
    private static final int ALPHA = 255;
    private static final double MILLIS = 1e6;
    private static final double MEBI = 1 << 20;

    private final NkContext context;
    private final NkUserFont font;

    Widgets(NuklearPass pass) {
        context = pass.context();
        font = pass.font();
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, nanos < 10 * MILLIS ? "%.2f ms" : "%.1f ms", nanos / MILLIS);
    }

    static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBI);
    }

    /** Begins rows of {@code columns} equal parts. */
    void row(float height, int columns) {
        Nuklear.nk_layout_row_dynamic(context, height, columns);
    }

    /** Begins rows of two columns of these widths; one of 0 takes what the other leaves. */
    void columns(float height, float left, float right) {
        Nuklear.nk_layout_row_template_begin(context, height);
        column(left);
        column(right);
        Nuklear.nk_layout_row_template_end(context);
    }

    private void column(float width) {
        if (width == 0) {
            Nuklear.nk_layout_row_template_push_dynamic(context);
        } else {
            Nuklear.nk_layout_row_template_push_static(context, width);
        }
    }

    void label(String text, int color) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Nuklear.nk_label_colored(context, text, Nuklear.NK_TEXT_LEFT, color(stack, color));
        }
    }

    /** A paragraph, in as many lines as it takes. */
    void paragraph(String text, float width, int color) {
        // The font has one width: seven texels a character.
        int perLine = Math.max(8, (int) (width / 7));
        row(ROW - 3, 1);
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + perLine);
            if (to < text.length()) {
                int space = text.lastIndexOf(' ', to);
                to = space > from ? space : to;
            }
            label(text.substring(from, to).strip(), color);
            from = to;
        }
    }

    /**
     * Begins a part that can be folded; {@link #endPart} follows if it is open.
     *
     * @param name under which it is remembered whether it is open, also when the title changes
     */
    boolean part(String name, String title, boolean open) {
        ByteBuffer hash = MemoryUtil.memUTF8(name, false);
        try {
            return Nuklear.nk_tree_push_hashed(
                    context, Nuklear.NK_TREE_TAB, title, open ? Nuklear.NK_MAXIMIZED : Nuklear.NK_MINIMIZED, hash, 0);
        } finally {
            MemoryUtil.memFree(hash);
        }
    }

    void endPart() {
        Nuklear.nk_tree_pop(context);
    }

    /** Returns whether it was pressed. */
    boolean button(String text) {
        return Nuklear.nk_button_label(context, text);
    }

    /** A line that can be chosen; returns whether it is chosen now. */
    boolean choice(String text, boolean chosen) {
        return Nuklear.nk_select_label(context, text, Nuklear.NK_TEXT_LEFT, chosen);
    }

    /** A number that can be dragged. */
    float number(String name, float low, float value, float high, float step) {
        return Nuklear.nk_propertyf(context, name, low, value, high, step, step);
    }

    void picture(int id) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Nuklear.nk_image(context, Nuklear.nk_image_id(id, NkImage.malloc(stack)));
        }
    }

    /** A part of a bar chart: from and to are shares of its width, the height one of its height from below. */
    record Bar(float from, float to, float height, int color) {}

    /** Bars in the next place of the row, with words over them; returns the bar that the pointer is on, or null. */
    @Nullable
    Bar bars(Iterable<Bar> bars, String words) {
        Bar pointed = null;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            NkRect place = NkRect.malloc(stack);
            if (Nuklear.nk_widget(place, context) == Nuklear.NK_WIDGET_INVALID) {
                return null;
            }
            NkCommandBuffer canvas = Nuklear.nk_window_get_canvas(context);
            if (canvas == null) {
                return null;
            }
            NkRect rect = NkRect.malloc(stack);
            NkColor color = NkColor.malloc(stack);
            Nuklear.nk_fill_rect(canvas, place, 0, set(color, 0x1c1c1c));
            for (Bar bar : bars) {
                float height = Math.min(1, bar.height) * place.h();
                rect.set(
                        place.x() + bar.from * place.w(),
                        place.y() + place.h() - height,
                        Math.max(1, (bar.to - bar.from) * place.w()),
                        height);
                Nuklear.nk_fill_rect(canvas, rect, 0, set(color, bar.color));
                if (Nuklear.nk_input_is_mouse_hovering_rect(context.input(), rect)) {
                    pointed = bar;
                }
            }
            if (!words.isEmpty()) {
                rect.set(place.x() + 4, place.y() + 1, place.w() - 8, place.h());
                NkColor back = NkColor.calloc(stack);
                Nuklear.nk_draw_text(canvas, rect, words, font, back, set(color, WHITE));
            }
        }
        return pointed;
    }

    void tooltip(String text) {
        Nuklear.nk_tooltip(context, text);
    }

    private static NkColor color(MemoryStack stack, int rgb) {
        return set(NkColor.malloc(stack), rgb);
    }

    private static NkColor set(NkColor color, int rgb) {
        return color.set((byte) (rgb >> 16), (byte) (rgb >> 8), (byte) rgb, (byte) ALPHA);
    }
}
