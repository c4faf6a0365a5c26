package io.frameloom.samples.window;

/** A key, by its place on an American keyboard. */
public enum StageKey {
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
