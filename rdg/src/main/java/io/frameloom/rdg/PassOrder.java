package io.frameloom.rdg;

/** The meaning of the order in which passes are declared. */
public enum PassOrder {
    /** It gives the meaning of the frame: a pass sees what the passes before it have written. */
    DECLARED,
    /**
     * It means nothing: each pass that reads a resource comes after the one pass that writes it, and
     * {@link PassBuilder#after} says the rest. Two writers of one range need such an order between them.
     */
    UNORDERED
}
