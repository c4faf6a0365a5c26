package io.frameloom.rdg.tools.report;

/** Text in drawings, whose width has to be known without a font: it is set in a monospaced one. */
final class Label {
    /** Advance of a character over the size of the font, of all common monospaced fonts. */
    private static final double ADVANCE = 0.605;

    private static final char ELLIPSIS = '…';

    private Label() {}

    /** Returns the width of a text at a font size. */
    static double width(String text, double size) {
        double columns = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            columns += columns(text.codePointAt(i));
        }
        return columns * ADVANCE * size;
    }

    /**
     * Returns as much of a text as fits, with an ellipsis where something is missing; empty if next to nothing fits.
     */
    static String fit(String text, double width, double size) {
        if (width(text, size) <= width) {
            return text;
        }
        double room = width / (ADVANCE * size) - 1;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            room -= columns(point);
            if (room < 0) {
                break;
            }
            end += Character.charCount(point);
        }
        return end < 2 ? "" : text.substring(0, end) + ELLIPSIS;
    }

    /** East Asian scripts and pictures take two columns. */
    private static int columns(int point) {
        return point >= 0x1100 && (point <= 0x115F || (point >= 0x2E80 && point <= 0xFFDC) || point > 0xFFFF) ? 2 : 1;
    }
}
