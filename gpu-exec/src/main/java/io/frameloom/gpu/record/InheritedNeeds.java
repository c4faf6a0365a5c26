package io.frameloom.gpu.record;

import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import org.jspecify.annotations.Nullable;

/**
 * The needs of a secondary list that not every render pass of its formats allows; checked against the one that executes
 * it. One thread at a time; noting allocates nothing.
 */
final class InheritedNeeds {
    private @Nullable String colorWriter;
    /** Bit mask of the colour attachments that are written. */
    private int colors;

    private @Nullable String depthWriter;
    private @Nullable String stencilWriter;
    private int left = Integer.MAX_VALUE;
    private int top = Integer.MAX_VALUE;
    private int right;
    private int bottom;

    /** Forgets everything, for another list. */
    void clear() {
        colorWriter = null;
        colors = 0;
        depthWriter = null;
        stencilWriter = null;
        left = Integer.MAX_VALUE;
        top = Integer.MAX_VALUE;
        right = 0;
        bottom = 0;
    }

    /**
     * Notes that colours are written.
     *
     * @param writer the pipeline or command that does
     * @param written bit mask of colour attachments
     */
    void colorsWritten(String writer, int written) {
        if ((written & ~colors) != 0) {
            colorWriter = writer;
            colors |= written;
        }
    }

    /**
     * Notes that depth is written.
     *
     * @param writer the pipeline or command that does
     */
    void depthWritten(String writer) {
        if (depthWriter == null) {
            depthWriter = writer;
        }
    }

    /** As {@link #depthWritten} for stencil. */
    void stencilWritten(String writer) {
        if (stencilWriter == null) {
            stencilWriter = writer;
        }
    }

    void cleared(int fromLeft, int fromTop, int toRight, int toBottom) {
        left = Math.min(left, fromLeft);
        top = Math.min(top, fromTop);
        right = Math.max(right, toRight);
        bottom = Math.max(bottom, toBottom);
    }

    /**
     * Returns an exception if a render pass does not allow all of it, else null.
     *
     * @param list whose needs these are
     * @param primary executes it in the render pass
     */
    @Nullable
    RuntimeException refusal(RecordingRules list, RecordingRules primary, RenderingInfo open) {
        for (int i = 0; colorWriter != null && i < open.colors().size(); i++) {
            if ((colors >> i & 1) != 0 && open.colors().get(i).readOnly()) {
                return readOnly(list.executed(primary), colorWriter, "colour " + i);
            }
        }
        DepthAttachment depth = open.depth();
        if (depthWriter != null && depth != null && depth.readOnly()) {
            return readOnly(list.executed(primary), depthWriter, "depth");
        }
        StencilAttachment stencil = open.stencil();
        if (stencilWriter != null && stencil != null && stencil.readOnly()) {
            return readOnly(list.executed(primary), stencilWriter, "stencil");
        }
        if (left < open.x() || top < open.y() || right > open.x() + open.width() || bottom > open.y() + open.height()) {
            return new IllegalArgumentException(list.executed(primary) + "clears attachments from " + left + "," + top
                    + " up to " + right + "x" + bottom + ", which is not within the render area of "
                    + RenderingRules.area(open));
        }
        return null;
    }

    private static IllegalStateException readOnly(String list, String writer, String what) {
        return new IllegalStateException(list + "is refused: '" + writer + "' writes " + what + ", but the " + what
                + " attachment of the render pass is read only; record what only tests it, or attach it to be written");
    }
}
