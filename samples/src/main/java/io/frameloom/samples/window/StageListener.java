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

    /** The pointer moves. */
    default void pointer(float x, float y) {}

    /** A button goes down or up. */
    default void button(Button button, boolean down, float x, float y) {}

    /** The wheel turns, y away from the user. */
    default void wheel(float x, float y) {}

    /** A key goes down or up; held ones repeat. */
    default void key(StageKey key, boolean down) {}

    /** A character is written. */
    default void text(int codePoint) {}
}
