package io.frameloom.overlay;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.lwjgl.nuklear.NkContext;
import org.lwjgl.nuklear.NkVec2;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;

/** Keeps events until the thread that builds the GUI takes them, in order. */
final class InputQueue implements OverlayInput {
    private final Queue<Consumer<NkContext>> events = new ConcurrentLinkedQueue<>();

    /** The place of the pointer, two floats as bits: the only thing that outlasts {@link #drop}. */
    private volatile long place;

    /** Whether a button or key may be up that Nuklear takes for down. */
    private boolean dropped;

    @Override
    public void pointer(float x, float y) {
        place = ((long) Float.floatToRawIntBits(x) << 32) | (Float.floatToRawIntBits(y) & 0xffffffffL);
        events.add(context -> Nuklear.nk_input_motion(context, (int) x, (int) y));
    }

    @Override
    public void button(Button button, boolean down, float x, float y) {
        int number = switch (button) {
            case LEFT -> Nuklear.NK_BUTTON_LEFT;
            case MIDDLE -> Nuklear.NK_BUTTON_MIDDLE;
            case RIGHT -> Nuklear.NK_BUTTON_RIGHT;
        };
        events.add(context -> Nuklear.nk_input_button(context, number, (int) x, (int) y, down));
    }

    @Override
    public void wheel(float x, float y) {
        events.add(context -> {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                Nuklear.nk_input_scroll(context, NkVec2.malloc(stack).set(x, y));
            }
        });
    }

    @Override
    public void key(Key key, boolean down) {
        int number = switch (key) {
            case SHIFT -> Nuklear.NK_KEY_SHIFT;
            case CONTROL -> Nuklear.NK_KEY_CTRL;
            case DELETE -> Nuklear.NK_KEY_DEL;
            case BACKSPACE -> Nuklear.NK_KEY_BACKSPACE;
            case ENTER -> Nuklear.NK_KEY_ENTER;
            case TAB -> Nuklear.NK_KEY_TAB;
            case LEFT -> Nuklear.NK_KEY_LEFT;
            case RIGHT -> Nuklear.NK_KEY_RIGHT;
            case UP -> Nuklear.NK_KEY_UP;
            case DOWN -> Nuklear.NK_KEY_DOWN;
            case HOME -> Nuklear.NK_KEY_TEXT_LINE_START;
            case END -> Nuklear.NK_KEY_TEXT_LINE_END;
        };
        events.add(context -> Nuklear.nk_input_key(context, number, down));
    }

    @Override
    public void text(int codePoint) {
        events.add(context -> Nuklear.nk_input_unicode(context, codePoint));
    }

    /** Drops what came since the last call. */
    void drop() {
        if (!events.isEmpty()) {
            events.clear();
            dropped = true;
        }
    }

    /** Hands over what came since the last call. */
    void takeInto(NkContext context) {
        if (dropped) {
            dropped = false;
            context.input().clear();
            long last = place;
            pointer(Float.intBitsToFloat((int) (last >> 32)), Float.intBitsToFloat((int) last));
        }
        Nuklear.nk_input_begin(context);
        Consumer<NkContext> event = events.poll();
        while (event != null) {
            event.accept(context);
            event = events.poll();
        }
        Nuklear.nk_input_end(context);
    }
}
