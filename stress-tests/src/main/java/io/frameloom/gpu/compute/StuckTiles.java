package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import java.util.Locale;

/**
 * Which tiles of a scan with look-back publish nothing, as if the device did not let their workgroups get on. In the package
 * of the scans, on the class path, since what they are made to suffer is no API.
 */
public enum StuckTiles {
    /** None, as it is shipped. */
    NONE,
    /** Every eighth. */
    EIGHTH,
    /** Every second. */
    HALF,
    /** All but the tenth: every tile behind it looks back to it. */
    ALL_BUT_ONE;

    private LookBackTrial trial() {
        return switch (this) {
            case NONE -> LookBackTrial.NONE;
            case EIGHTH -> stuck("tile % 8u == 0u");
            case HALF -> LookBackTrial.HALF_STUCK;
            case ALL_BUT_ONE -> stuck("tile != 9u");
        };
    }

    private static LookBackTrial stuck(String shader) {
        return new LookBackTrial(shader, false, LookBackTrial.NONE.patience());
    }

    /** Makes a scan that looks back with such tiles, and in all else is as it is shipped. */
    public PrefixScan scan(GpuDevice device, ScanOperator operator, boolean segmented) {
        return PrefixScan.create(
                device,
                operator,
                segmented,
                ScanOptions.of(ScanVariant.LOOK_BACK),
                StorageLimits.of(device.capabilities()),
                trial());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
