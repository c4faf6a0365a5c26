package io.frameloom.rdg.tools.report;

/** Names of the colours of the style sheet, which differ to people with every common kind of colour blindness. */
final class Palette {
    private static final int COLOURS = 8;

    private Palette() {}

    static String queueClass(int queue) {
        return queue < 0 ? "no-queue" : "queue-" + queue % COLOURS;
    }

    static String resourceClass(int resource) {
        return "resource-" + resource % COLOURS;
    }
}
