package io.frameloom.samples.demo;

import io.frameloom.overlay.FrameOverlay;
import io.frameloom.overlay.OverlayInput;
import io.frameloom.samples.window.StageKey;
import io.frameloom.samples.window.StageListener;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the user does to one window: for the overlay, and for the camera unless the overlay holds it. One thread. */
final class WindowInput implements StageListener {
    private final FrameOverlay overlay;
    private final Set<StageKey> held = EnumSet.noneOf(StageKey.class);
    private final Queue<StageKey> pressed = new ArrayDeque<>();
    private boolean dragging;
    private float x;
    private float y;
    private float dragX;
    private float dragY;
    private float wheel;

    WindowInput(FrameOverlay overlay) {
        this.overlay = overlay;
    }

    @Override
    public void pointer(float newX, float newY) {
        overlay.input().pointer(newX, newY);
        if (dragging) {
            dragX += newX - x;
            dragY += newY - y;
        }
        x = newX;
        y = newY;
    }

    @Override
    public void button(Button button, boolean down, float atX, float atY) {
        overlay.input()
                .button(
                        switch (button) {
                            case LEFT -> OverlayInput.Button.LEFT;
                            case MIDDLE -> OverlayInput.Button.MIDDLE;
                            case RIGHT -> OverlayInput.Button.RIGHT;
                        },
                        down,
                        atX,
                        atY);
        dragging = down && !overlay.holdsPointer();
        x = atX;
        y = atY;
    }

    @Override
    public void wheel(float turnX, float turnY) {
        if (overlay.holdsPointer()) {
            overlay.input().wheel(turnX, turnY);
        } else {
            wheel += turnY;
        }
    }

    @Override
    public void key(StageKey key, boolean down) {
        OverlayInput.Key edits = edits(key);
        if (edits != null) {
            overlay.input().key(edits, down);
        }
        if (!down) {
            held.remove(key);
        } else if ((!overlay.holdsKeys() || isCommand(key)) && held.add(key)) {
            pressed.add(key);
        }
    }

    /** Whether no text field takes the key. */
    private static boolean isCommand(StageKey key) {
        return key == StageKey.ESCAPE || key == StageKey.F1 || key == StageKey.F11;
    }

    private static OverlayInput.@Nullable Key edits(StageKey key) {
        return switch (key) {
            case SHIFT -> OverlayInput.Key.SHIFT;
            case CONTROL -> OverlayInput.Key.CONTROL;
            case BACKSPACE -> OverlayInput.Key.BACKSPACE;
            case DELETE -> OverlayInput.Key.DELETE;
            case ENTER -> OverlayInput.Key.ENTER;
            case TAB -> OverlayInput.Key.TAB;
            case LEFT -> OverlayInput.Key.LEFT;
            case RIGHT -> OverlayInput.Key.RIGHT;
            case UP -> OverlayInput.Key.UP;
            case DOWN -> OverlayInput.Key.DOWN;
            case HOME -> OverlayInput.Key.HOME;
            case END -> OverlayInput.Key.END;
            default -> null;
        };
    }

    @Override
    public void text(int codePoint) {
        overlay.input().text(codePoint);
    }

    /** Returns 1 while one of the keys is held, else 0. */
    float held(StageKey one, StageKey other) {
        return held.contains(one) || held.contains(other) ? 1 : 0;
    }

    /** Returns the next key that went down, or null if there is none. */
    @Nullable
    StageKey takePressed() {
        return pressed.poll();
    }

    float takeDragX() {
        float taken = dragX;
        dragX = 0;
        return taken;
    }

    float takeDragY() {
        float taken = dragY;
        dragY = 0;
        return taken;
    }

    float takeWheel() {
        float taken = wheel;
        wheel = 0;
        return taken;
    }
}
