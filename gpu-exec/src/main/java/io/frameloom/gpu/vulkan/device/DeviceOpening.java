package io.frameloom.gpu.vulkan.device;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.device.NativeLibrary;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.driver.AdoptionCheck;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.LentDevice;
import io.frameloom.gpu.vulkan.driver.NoVulkanDriverException;
import io.frameloom.gpu.vulkan.driver.RawExtensions;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.gpu.vulkan.driver.VulkanLoader;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.lwjgl.vulkan.VK13;

/** Lists the Vulkan devices of this machine, chooses among them and opens one. Any thread. */
public final class DeviceOpening {
    private static final Comparator<VulkanAdapter> BEST_FIRST = Comparator.comparingInt(
                    (VulkanAdapter adapter) -> rank(adapter.info().kind()))
            .thenComparing(Comparator.comparingLong(DeviceOpening::ownMemory).reversed());

    private DeviceOpening() {}

    /** A software driver has the machine's memory, however much of it it reports: the loader's order decides. */
    private static long ownMemory(VulkanAdapter adapter) {
        return adapter.info().kind() == DeviceKind.CPU ? 0 : adapter.deviceMemory();
    }

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
        try (VulkanInstance instance = VulkanInstance.create(
                "Frameloom", false, Set.of(), Set.of(Capability.values()), VK13.VK_API_VERSION_1_3)) {
            return instance.adapters().stream()
                    .sorted(BEST_FIRST)
                    .map(VulkanAdapter::info)
                    .toList();
        }
    }

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

    public static String describe(List<VulkanDeviceInfo> devices) {
        String text = devices.stream().map(DeviceOpening::describe).collect(Collectors.joining("; "));
        return text.isEmpty() ? "none" : text;
    }

    public static DriverDevice open(String name, DeviceOptions asked, RawExtensions raw, DeviceSeams seams) {
        DeviceOptions options = presenting(asked.withSystemProperties());
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        capabilities.addAll(options.required());
        capabilities.addAll(options.preferred());
        if (!VulkanLoader.problem().isEmpty()) {
            throw new NoSuchDeviceException("no Vulkan device" + wanted(name) + ": " + VulkanLoader.problem());
        }
        NativeLibrary.require(NativeLibrary.values());
        VulkanInstance instance;
        try {
            instance = VulkanInstance.create(
                    options.applicationName(),
                    options.validation(),
                    options.surfaceExtensions(),
                    capabilities,
                    seams.apiVersion());
        } catch (NoVulkanDriverException e) {
            throw none(name, e);
        }
        try {
            List<VulkanAdapter> adapters = instance.adapters(seams.hiddenExtensions());
            if (!options.surfaceExtensions().isEmpty()) {
                adapters.replaceAll(VulkanAdapter::presenting);
            }
            if (options.robustBufferAccess()) {
                adapters.replaceAll(VulkanAdapter::robust);
            }
            adapters.replaceAll(adapter -> adapter.having(options.required(), raw));
            return new DriverDevice(instance, choose(adapters, name, options.required()), options, raw, seams);
        } catch (NoVulkanDriverException e) {
            instance.close();
            throw none(name, e);
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    /** Prefers what makes presentation better, where it is asked for. */
    private static DeviceOptions presenting(DeviceOptions options) {
        return options.surfaceExtensions().isEmpty()
                ? options
                : options.prefer(Capability.PRESENT_WAIT, Capability.SWAPCHAIN_MAINTENANCE, Capability.HDR_METADATA);
    }

    public static DriverDevice adopt(LentDevice lent, DeviceOptions asked, DeviceSeams seams) {
        DeviceOptions options = asked.withSystemProperties();
        NativeLibrary.require(NativeLibrary.values());
        VulkanAdapter adapter = AdoptionCheck.check(lent, options);
        VulkanInstance instance = VulkanInstance.lent(
                lent.device().getPhysicalDevice().getInstance(), options.applicationName(), options.validation());
        try {
            return new DriverDevice(instance, adapter, options, RawExtensions.NONE, seams, lent);
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    private static VulkanAdapter choose(List<VulkanAdapter> adapters, String name, Set<Capability> required) {
        Optional<VulkanAdapter> fits = adapters.stream()
                .filter(adapter -> adapter.info().usable())
                .filter(adapter -> fits(adapter.info(), name))
                .min(BEST_FIRST);
        return fits.orElseThrow(() -> new NoSuchDeviceException("no usable Vulkan device" + wanted(name) + "; present: "
                + describe(adapters.stream().map(VulkanAdapter::info).toList())
                + (required.isEmpty() ? "" : offers(adapters, required))));
    }

    /** Says which devices have what is required, and what the others have in its place. */
    private static String offers(List<VulkanAdapter> adapters, Set<Capability> required) {
        StringBuilder text = new StringBuilder("; required: ").append(Capability.list(required));
        for (VulkanAdapter adapter : adapters) {
            VulkanDeviceInfo info = adapter.info();
            text.append(info.capabilities().containsAll(required) ? "; all of that has #" : "; of capabilities, #")
                    .append(info.index());
            if (!info.capabilities().containsAll(required)) {
                text.append(" has ").append(Capability.list(info.capabilities()));
            }
        }
        return text.toString();
    }

    /** Returns the identification of a device, in one line. */
    static String describe(VulkanDeviceInfo device) {
        return "#" + device.index() + " " + device.name()
                + (device.pciAddress().isEmpty() ? "" : " at " + device.pciAddress())
                + (device.uuid().isEmpty() ? "" : ", UUID " + device.uuid())
                + (device.usable() ? "" : " (lacks " + device.missing() + ")");
    }

    /**
     * Returns whether a device matches a request.
     *
     * @param wanted {@code #} and an index, a UUID with or without hyphens, a PCI address, or part of a name, ignoring
     *     case; empty for any
     */
    static boolean fits(VulkanDeviceInfo device, String wanted) {
        if (wanted.startsWith("#")) {
            return wanted.substring(1).equals(String.valueOf(device.index()));
        }
        String part = wanted.toLowerCase(Locale.ROOT);
        return device.name().toLowerCase(Locale.ROOT).contains(part)
                || (!device.uuid().isEmpty() && part.replace("-", "").equals(device.uuid()))
                || (!device.pciAddress().isEmpty() && part.equals(device.pciAddress()));
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
