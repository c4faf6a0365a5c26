package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.NoSuchDeviceException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The Vulkan devices of this machine. Any thread. */
public final class VulkanDevices {
    private static final Comparator<VulkanAdapter> BEST_FIRST = Comparator.comparingInt(
                    (VulkanAdapter adapter) -> rank(adapter.info().kind()))
            .thenComparing(Comparator.comparingLong(VulkanAdapter::deviceMemory).reversed());

    private VulkanDevices() {}

    /**
     * Lists the devices, usable or not, best first; empty where there is no loader or no driver
     * ({@link #unavailableReason} says which).
     */
    public static List<VulkanDeviceInfo> list() {
        if (!VulkanLoader.problem().isEmpty()) {
            return List.of();
        }
        try (VulkanInstance instance = VulkanInstance.create("Frameloom", false, Set.of())) {
            return instance.adapters().stream()
                    .sorted(BEST_FIRST)
                    .map(VulkanAdapter::info)
                    .toList();
        } catch (NoVulkanDriverException e) {
            return List.of();
        }
    }

    /** Says in one line why no device can be opened; empty if one can. */
    public static String unavailableReason() {
        if (!VulkanLoader.problem().isEmpty()) {
            return VulkanLoader.problem();
        }
        List<VulkanDeviceInfo> present = list();
        if (present.isEmpty()) {
            return NoVulkanDriverException.MESSAGE;
        }
        return present.stream().anyMatch(VulkanDeviceInfo::usable)
                ? ""
                : "no Vulkan device has everything needed: " + describe(present);
    }

    /** Describes devices in one line. */
    public static String describe(List<VulkanDeviceInfo> devices) {
        StringBuilder text = new StringBuilder();
        for (VulkanDeviceInfo device : devices) {
            text.append(text.length() == 0 ? "" : "; ").append(device.name());
            if (!device.usable()) {
                text.append(" (lacks ").append(device.missing()).append(')');
            }
        }
        return text.length() == 0 ? "none" : text.toString();
    }

    /**
     * Opens a device.
     *
     * @param name part of the name, ignoring case; empty for the best usable one
     * @param options options
     * @throws NoSuchDeviceException naming those present, if none fits or the one that fits lacks something
     * @throws GpuException if the device cannot be created
     */
    public static VulkanDevice open(String name, DeviceOptions options) {
        return open(name, options, DeviceSeams.none());
    }

    static VulkanDevice open(String name, DeviceOptions asked, DeviceSeams seams) {
        DeviceOptions options = asked.withSystemProperties();
        if (!VulkanLoader.problem().isEmpty()) {
            throw new NoSuchDeviceException("no Vulkan device" + wanted(name) + ": " + VulkanLoader.problem());
        }
        VulkanInstance instance;
        try {
            instance =
                    VulkanInstance.create(options.applicationName(), options.validation(), options.surfaceExtensions());
        } catch (NoVulkanDriverException e) {
            throw new NoSuchDeviceException("no Vulkan device" + wanted(name) + ": " + e.getMessage());
        }
        try {
            List<VulkanAdapter> adapters = instance.adapters();
            if (!options.surfaceExtensions().isEmpty()) {
                adapters.replaceAll(adapter -> adapter.presenting(seams.hiddenExtensions()));
            }
            return new VulkanDevice(instance, choose(adapters, name), options, seams);
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    /**
     * Opens a device on an engine's own VkDevice, so that both share it. Closing it waits for what Frameloom has submitted
     * and destroys what Frameloom has made, nothing else; the engine must be done with Frameloom's resources by then, and
     * keeps its device until afterwards.
     *
     * @param description the engine's device
     * @param options options; names, numbers of queues and validation layers are the engine's. With
     *     {@link DeviceOptions#validation} the messages of its layers are collected as well
     * @throws AdoptionException naming everything that is missing or wrong; nothing was created then
     * @throws GpuException if something cannot be created; nothing is left of it
     */
    public static VulkanDevice adopt(AdoptedDevice description, DeviceOptions options) {
        return adopt(description, options, DeviceSeams.none());
    }

    static VulkanDevice adopt(AdoptedDevice description, DeviceOptions asked, DeviceSeams seams) {
        DeviceOptions options = asked.withSystemProperties();
        VulkanAdapter adapter = AdoptionCheck.check(description, options.validation());
        VulkanInstance instance =
                VulkanInstance.lent(description.device().getPhysicalDevice().getInstance(), options.validation());
        try {
            return new VulkanDevice(instance, adapter, options, seams, description);
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    private static VulkanAdapter choose(List<VulkanAdapter> adapters, String name) {
        String part = name.toLowerCase(Locale.ROOT);
        Optional<VulkanAdapter> fits = adapters.stream()
                .filter(adapter -> adapter.info().usable())
                .filter(adapter ->
                        adapter.info().name().toLowerCase(Locale.ROOT).contains(part))
                .min(BEST_FIRST);
        return fits.orElseThrow(() -> new NoSuchDeviceException("no usable Vulkan device" + wanted(name) + "; present: "
                + describe(adapters.stream().map(VulkanAdapter::info).toList())));
    }

    private static String wanted(String name) {
        return name.isEmpty() ? "" : " has '" + name + "' in its name";
    }

    private static int rank(DeviceKind kind) {
        return switch (kind) {
            case DISCRETE -> 0;
            case INTEGRATED -> 1;
            case VIRTUALIZED -> 2;
            case CPU -> 3;
            case SIMULATED -> 4;
        };
    }
}
