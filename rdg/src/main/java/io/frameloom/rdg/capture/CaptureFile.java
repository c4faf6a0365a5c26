package io.frameloom.rdg.capture;

/** The forms in which a capture is written. */
public enum CaptureFile {
    /** Eight bits a channel, the numbers of the range from 0 to 255. */
    PNG,
    /** Portable Float Map: 32 bit floats, as they are. */
    PFM
}
