package io.frameloom.samples.window;

/** Is told what a user does to a window. Places are in texels from the upper left corner. */
public interface StageListener {
    /** Hears nothing. */
    StageListener NONE = new StageListener() {};

    /** A button of the mouse. */
    enum Button {
        /** The one of a click. */
        LEFT,
        /** The one under the wheel. */
        MIDDLE,
        /** The one of menus. */
        RIGHT
    }

    /** A key, by its place on an American keyboard. */
    enum Key {
        /** Forwards. */
        W,
        /** To the left. */
        A,
        /** Backwards. */
        S,
        /** To the right. */
        D,
        /** Down. */
        Q,
        /** Up. */
        E,
        /** An arrow. */
        UP,
        /** An arrow. */
        DOWN,
        /** An arrow. */
        LEFT,
        /** An arrow. */
        RIGHT,
        /** Either shift key. */
        SHIFT,
        /** Either control key. */
        CONTROL,
        /** The space bar. */
        SPACE,
        /** The full stop. */
        PERIOD,
        /** Deletes before the cursor. */
        BACKSPACE,
        /** Deletes after the cursor. */
        DELETE,
        /** Ends a line. */
        ENTER,
        /** Moves to the next field. */
        TAB,
        /** Moves to the beginning. */
        HOME,
        /** Moves to the end. */
        END,
        /** Escape. */
        ESCAPE,
        /** A function key. */
        F1,
        /** A function key. */
        F11
    }

    /** The pointer moves. */
    default void pointer(float x, float y) {}

    /** A button goes down or up. */
    default void button(Button button, boolean down, float x, float y) {}

    /** The wheel turns, y away from the user. */
    default void wheel(float x, float y) {}

    /** A key goes down or up; held ones repeat. */
    default void key(Key key, boolean down) {}

    /** A character is written. */
    default void text(int codePoint) {}
}
