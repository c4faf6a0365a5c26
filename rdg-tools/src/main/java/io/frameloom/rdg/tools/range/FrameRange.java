package io.frameloom.rdg.tools.range;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Frames {@code first} to {@code last}, cut into blocks so that any part of them can be rendered anywhere.
 *
 * <p>What a frame takes from those before it, such as the history of temporal antialiasing, goes back to the first frame
 * there was. So a block, and not the range, says what a frame is: blocks begin at multiples of {@code block}, each with
 * an empty history and {@code warmUp} frames before its first one, which nobody sees. Before frame 0 there is nothing:
 * the block that begins there has no warm-up, and the next ones have as much as there are frames. A frame is then the
 * same in every range that holds it.
 *
 * @param first first frame, at least 0
 * @param last last frame, at least {@code first}
 * @param block frames of a block, at least 1
 * @param warmUp frames that are rendered before a block and not written, at least 0
 */
public record FrameRange(int first, int last, int block, int warmUp) {
    /** Numbers of more digits are refused, so that no sum overflows. */
    private static final int MOST = 999_999_999;

    private static final int DIGITS = 9;

    private static final Pattern FORM = Pattern.compile("0*([0-9]+)\\.\\.0*([0-9]+)");

    /**
     * A frame to render.
     *
     * @param frame its number, from which all that moves is computed
     * @param reset whether it begins with an empty history
     * @param written whether it is wanted; if not, it only fills the history
     */
    public record Step(int frame, boolean reset, boolean written) {}

    /** Checks the numbers. */
    public FrameRange {
        if (first < 0 || last > MOST) {
            throw new IllegalArgumentException("frames are numbered 0 to " + MOST + ", not " + first + ".." + last);
        }
        if (first > last) {
            throw new IllegalArgumentException("the range " + first + ".." + last + " is empty; write the lower first");
        }
        if (block < 1 || block > MOST) {
            throw new IllegalArgumentException("a block has 1 to " + MOST + " frames, not " + block);
        }
        if (warmUp < 0 || warmUp > MOST) {
            throw new IllegalArgumentException("warm-up takes 0 to " + MOST + " frames, not " + warmUp);
        }
    }

    /**
     * Reads a range such as {@code 0..119}; both ends belong to it.
     *
     * @throws IllegalArgumentException if it is none, with a message of one line
     */
    public static FrameRange parse(String range, int block, int warmUp) {
        Matcher matcher = FORM.matcher(range);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + range + "' is no range; write FIRST..LAST, such as 0..119");
        }
        if (Math.max(matcher.group(1).length(), matcher.group(2).length()) > DIGITS) {
            throw new IllegalArgumentException("frames are numbered 0 to " + MOST + ", not " + range);
        }
        return new FrameRange(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), block, warmUp);
    }

    /** Returns the number of frames. */
    public int count() {
        return last - first + 1;
    }

    /** Returns the parts of this range that lie in one block each, in order. */
    public List<FrameRange> parts() {
        List<FrameRange> parts = new ArrayList<>();
        for (int from = first; from <= last; ) {
            FrameRange part = part(from);
            parts.add(part);
            from = part.last + 1;
        }
        return parts;
    }

    /** Returns the part of this range in the block of a frame. */
    FrameRange part(int frame) {
        int start = frame - frame % block;
        return new FrameRange(Math.max(first, start), Math.min(last, start + block - 1), block, warmUp);
    }

    /**
     * Returns what to render, in order, for the frames that are missing: the steps of all {@link #blocks}.
     *
     * @param missing whether a frame of this range is to be written
     */
    public List<Step> steps(IntPredicate missing) {
        return blocks(missing).stream().flatMap(List::stream).toList();
    }

    /**
     * Returns what to render for the frames that are missing, block by block; to render a block takes nothing of
     * the others. A block with no frame that is missing is left out; of the others all frames are rendered from the
     * warm-up to the last one that is missing.
     *
     * @param missing whether a frame of this range is to be written
     */
    public List<List<Step>> blocks(IntPredicate missing) {
        List<List<Step>> blocks = new ArrayList<>();
        for (FrameRange part : parts()) {
            int end = part.last;
            while (end >= part.first && !missing.test(end)) {
                end--;
            }
            if (end >= part.first) {
                int start = Math.max(0, part.first - part.first % block - warmUp);
                blocks.add(IntStream.rangeClosed(start, end)
                        .mapToObj(frame -> new Step(frame, frame == start, frame >= part.first && missing.test(frame)))
                        .toList());
            }
        }
        return blocks;
    }

    /** Returns the range as {@link #parse} reads it. */
    @Override
    public String toString() {
        return first + ".." + last;
    }
}
