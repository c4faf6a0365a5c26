package io.frameloom.rdg.insert;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;

/**
 * The staging buffer of a capture. Unlike other extractions it may be executed any number of times: each frame hands
 * out a picture of its own.
 *
 * @param capture what was asked for
 * @param version number of the write that it is read after, 0 if the frame does not write it
 */
public record CaptureUse(Capture capture, int version, int width, int height, Format format, int plane, int bytes)
        implements Extraction {
    @Override
    public String name() {
        return "capture " + capture;
    }

    /** Takes what the device has left in {@code staging}. */
    public CapturedTexture read(Buffer staging) {
        return new CapturedTexture(
                capture, version, width, height, format, plane, staging.mapped().slice(0, bytes));
    }
}
