package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.NoSuchDeviceException;
import io.frameloom.gpu.internal.NativeLibrary;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The Vulkan devices of this machine. Any thread. */
public final class VulkanDevices {
    private static final Comparator<VulkanAdapter> BEST_FIRST = Comparator.comparingInt(
                    (VulkanAdapter adapter) -> rank(adapter.info().kind()))
            .thenComparing(Comparator.comparingLong(VulkanAdapter::deviceMemory).reversed());

    private VulkanDevices() {}

    /**
     * Lists the devices, usable or not, best first; empty where there is no loader, no driver or no device of one
     * ({@link #unavailableReason} says which).
     */
    public static List<VulkanDeviceInfo> list() {
        if (!VulkanLoader.problem().isEmpty()) {
            return List.of();
        }
        try {
            return present();
        } catch (NoVulkanDriverException e) {
            return List.of();
        }
    }

    private static List<VulkanDeviceInfo> present() {
        try (VulkanInstance instance = VulkanInstance.create("Frameloom", false, Set.of())) {
            return instance.adapters().stream()
                    .sorted(BEST_FIRST)
                    .map(VulkanAdapter::info)
                    .toList();
        }
    }

    /** Says in one line why no device can be opened; empty if one can. */
    public static String unavailableReason() {
        if (!VulkanLoader.problem().isEmpty()) {
            return VulkanLoader.problem();
        }
        List<VulkanDeviceInfo> present;
        try {
            present = present();
        } catch (NoVulkanDriverException e) {
            return String.valueOf(e.getMessage());
        }
        return present.stream().anyMatch(VulkanDeviceInfo::usable)
                ? ""
                : "no Vulkan device has everything needed: " + describe(present);
    }

    /** Describes devices in one line: the index, name, PCI address and UUID by which {@link #open} finds each. */
    public static String describe(List<VulkanDeviceInfo> devices) {
        String text = devices.stream().map(VulkanDeviceInfo::describe).collect(Collectors.joining("; "));
        return text.isEmpty() ? "none" : text;
    }

    /**
     * Opens a device.
     *
     * @param name part of the name, ignoring case; or {@code #} and the {@link VulkanDeviceInfo#index}, the UUID or the PCI
     *     address of one of several that are called the same; empty for any. Of several that fit, the best usable one is
     *     opened, and the first of equal ones
     * @param options options
     * @throws NoSuchDeviceException naming those present, if none fits or the one that fits lacks something
     * @throws GpuException if the device cannot be created, or a native library of LWJGL is missing
     */
    public static VulkanDevice open(String name, DeviceOptions options) {
        return open(name, options, DeviceSeams.none());
    }

    static VulkanDevice open(String name, DeviceOptions asked, DeviceSeams seams) {
        DeviceOptions options = asked.withSystemProperties();
        if (!VulkanLoader.problem().isEmpty()) {
            throw new NoSuchDeviceException("no Vulkan device" + wanted(name) + ": " + VulkanLoader.problem());
        }
        NativeLibrary.require(NativeLibrary.values());
        VulkanInstance instance;
        try {
            instance =
                    VulkanInstance.create(options.applicationName(), options.validation(), options.surfaceExtensions());
        } catch (NoVulkanDriverException e) {
            throw none(name, e);
        }
        try {
            List<VulkanAdapter> adapters = instance.adapters();
            if (!options.surfaceExtensions().isEmpty()) {
                adapters.replaceAll(adapter -> adapter.presenting(seams.hiddenExtensions()));
            }
            if (options.robustBufferAccess()) {
                adapters.replaceAll(VulkanAdapter::robust);
            }
            return new VulkanDevice(instance, choose(adapters, name), options, seams);
        } catch (NoVulkanDriverException e) {
            instance.close();
            throw none(name, e);
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
     *     {@link DeviceOptions#validation} the messages of its layers are collected as well, and
     *     {@link DeviceOptions#robustBufferAccess} must be on in its device if it is asked for
     * @throws AdoptionException naming everything that is missing or wrong; nothing was created then
     * @throws GpuException if something cannot be created; nothing is left of it
     */
    public static VulkanDevice adopt(AdoptedDevice description, DeviceOptions options) {
        return adopt(description, options, DeviceSeams.none());
    }

    static VulkanDevice adopt(AdoptedDevice description, DeviceOptions asked, DeviceSeams seams) {
        DeviceOptions options = asked.withSystemProperties();
        NativeLibrary.require(NativeLibrary.values());
        VulkanAdapter adapter = AdoptionCheck.check(description, options);
        VulkanInstance instance = VulkanInstance.lent(
                description.device().getPhysicalDevice().getInstance(),
                options.applicationName(),
                options.validation());
        try {
            return new VulkanDevice(instance, adapter, options, seams, description);
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    private static VulkanAdapter choose(List<VulkanAdapter> adapters, String name) {
        Optional<VulkanAdapter> fits = adapters.stream()
                .filter(adapter -> adapter.info().usable())
                .filter(adapter -> adapter.info().fits(name))
                .min(BEST_FIRST);
        return fits.orElseThrow(() -> new NoSuchDeviceException("no usable Vulkan device" + wanted(name) + "; present: "
                + describe(adapters.stream().map(VulkanAdapter::info).toList())));
    }

    private static NoSuchDeviceException none(String name, NoVulkanDriverException why) {
        return new NoSuchDeviceException("no Vulkan device" + wanted(name) + ": " + why.getMessage());
    }

    private static String wanted(String name) {
        return name.isEmpty() ? "" : name.startsWith("#") ? " is " + name : " has '" + name + "' in its name";
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
