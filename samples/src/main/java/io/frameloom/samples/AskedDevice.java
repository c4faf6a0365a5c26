package io.frameloom.samples;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.samples.demo.UsageException;

/** Opens the device that the option {@code --device} names. Any thread. */
public final class AskedDevice {
    private AskedDevice() {}

    /**
     * Opens a device.
     *
     * @throws UsageException if there is no such device, or it lacks what is required: the message says what is there
     */
    public static GpuDevice open(DeviceSelector asked, DeviceOptions options) throws UsageException {
        try {
            return GpuDevices.open(asked, options);
        } catch (GpuException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Opens a device that draws pictures.
     *
     * @throws UsageException also if it is the virtual one
     */
    public static GpuDevice openDrawing(DeviceSelector asked, DeviceOptions options) throws UsageException {
        GpuDevice gpu = open(asked, options);
        if (!gpu.capabilities().renders()) {
            gpu.close();
            throw new UsageException(
                    "the virtual GPU draws no picture; name a Vulkan device (frameloom devices lists them)");
        }
        return gpu;
    }
}
