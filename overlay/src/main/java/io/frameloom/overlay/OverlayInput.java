package io.frameloom.overlay;

/**
 * Takes what the user does, from whatever window system there is. Places are in texels of the target, from its upper
 * left corner. Any thread may call; what was given counts from the next frame on.
 */
public interface OverlayInput {
    /** A button of the mouse. */
    enum Button {
        /** The one of a click. */
        LEFT,
        /** The one under the wheel. */
        MIDDLE,
        /** The one of menus. */
        RIGHT
    }

    /** A key that edits or moves; what keys write comes as text. */
    enum Key {
        /** Either shift key. */
        SHIFT,
        /** Either control key. */
        CONTROL,
        /** Deletes the character after the cursor. */
        DELETE,
        /** Deletes the character before the cursor. */
        BACKSPACE,
        /** Ends a line. */
        ENTER,
        /** Moves to the next field. */
        TAB,
        /** The arrow to the left. */
        LEFT,
        /** The arrow to the right. */
        RIGHT,
        /** The arrow up. */
        UP,
        /** The arrow down. */
        DOWN,
        /** Moves to the beginning. */
        HOME,
        /** Moves to the end. */
        END
    }

    /** The pointer is at another place. */
    void pointer(float x, float y);

    /** A button goes down or up. */
    void button(Button button, boolean down, float x, float y);

    /** The wheel turns; y is positive away from the user. */
    void wheel(float x, float y);

    /** A key goes down or up. */
    void key(Key key, boolean down);

    /** A character is written. */
    void text(int codePoint);
}
