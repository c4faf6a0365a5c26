package io.frameloom.samples;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.util.function.Consumer;

/**
 * Whether a command works on the processor in place of a device. That is so with {@code --device cpu}, in letters of
 * either case as devices are, or if there is no Vulkan device. Stateless; any thread may call it.
 */
public final class Processor {
    /** The name of the processor as a device. */
    public static final String NAME = "cpu";

    private Processor() {}

    /**
     * Whether the processor is taken.
     *
     * @param device what the user asked for
     * @param note receives in one line why it is taken if the user did not ask for it
     */
    public static boolean isTaken(DeviceSelector device, Consumer<String> note) {
        return isTaken(device, VulkanDevices.unavailableReason(), note);
    }

    static boolean isTaken(DeviceSelector device, String vulkanUnavailable, Consumer<String> note) {
        if (device instanceof DeviceSelector.Named named) {
            return named.name().equalsIgnoreCase(NAME);
        }
        boolean mayBeAnother = device instanceof DeviceSelector.Auto auto && auto.mayBeVirtual();
        if (!mayBeAnother || vulkanUnavailable.isEmpty()) {
            return false;
        }
        note.accept("taking the processor, because " + vulkanUnavailable);
        return true;
    }
}
