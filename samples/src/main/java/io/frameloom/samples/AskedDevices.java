package io.frameloom.samples;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.NamedThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What several options {@code --device} name together. Any thread. */
public final class AskedDevices {
    private static final DeviceSelector ALL = new DeviceSelector.Named("all");

    private AskedDevices() {}

    /** Returns whether more than one device may be meant. */
    public static boolean areSeveral(List<DeviceSelector> asked) {
        return asked.size() > 1 || asked.contains(ALL);
    }

    /**
     * Returns one selector for each device. Of equal devices the least used one is taken: a part of their name that is
     * given twice names two of them. {@code all} stands for the best device and all that are equal.
     *
     * @param needed what the devices must have
     * @throws UsageException if a system property names one device in place of all
     */
    public static List<DeviceSelector> each(List<DeviceSelector> asked, Set<Capability> needed) throws UsageException {
        if (!areSeveral(asked)) {
            return asked;
        }
        if (System.getProperty("frameloom.gpu.device") != null) {
            throw new UsageException("the system property frameloom.gpu.device names one device and wins over --device;"
                    + " leave it out for several devices");
        }
        return each(
                asked,
                GpuDevices.list().stream()
                        .filter(device ->
                                device.usable() && device.capabilities().containsAll(needed))
                        .toList());
    }

    /**
     * As above.
     *
     * @param able the devices that can do the work, best first
     */
    static List<DeviceSelector> each(List<DeviceSelector> asked, List<VulkanDeviceInfo> able) throws UsageException {
        if (asked.equals(List.of(ALL))) {
            return able.isEmpty()
                    ? List.of(new DeviceSelector.Auto().orFail())
                    : equal(able, able.get(0)).stream()
                            .map(AskedDevices::selector)
                            .toList();
        }
        if (asked.contains(ALL)) {
            throw new UsageException("--device all names all devices that are equal; leave out the others");
        }
        List<List<VulkanDeviceInfo>> named =
                asked.stream().map(selector -> named(able, selector)).toList();
        Map<VulkanDeviceInfo, Integer> uses = new HashMap<>();
        // What names one device alone takes it before the others choose.
        named.stream().filter(devices -> devices.size() == 1).forEach(one -> uses.merge(one.get(0), 1, Integer::sum));
        List<DeviceSelector> each = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            List<VulkanDeviceInfo> devices = named.get(i);
            if (devices.isEmpty()) {
                each.add(asked.get(i));
                continue;
            }
            VulkanDeviceInfo least = Collections.min(
                    devices, Comparator.comparingInt((VulkanDeviceInfo one) -> uses.getOrDefault(one, 0)));
            if (devices.size() > 1) {
                uses.merge(least, 1, Integer::sum);
            }
            each.add(selector(least));
        }
        return List.copyOf(each);
    }

    private static DeviceSelector selector(VulkanDeviceInfo device) {
        return new DeviceSelector.Named("#" + device.index());
    }

    /**
     * Returns the device of an index, UUID or PCI address, or the best one with a part of the name and those that look
     * equal; none for the virtual GPU, and where no device fits.
     */
    private static List<VulkanDeviceInfo> named(List<VulkanDeviceInfo> able, DeviceSelector selector) {
        if (selector instanceof DeviceSelector.Virtual) {
            return List.of();
        }
        String part =
                selector instanceof DeviceSelector.Named named ? named.name().toLowerCase(Locale.ROOT) : "";
        for (VulkanDeviceInfo device : able) {
            if (part.equals("#" + device.index())
                    || (!part.isEmpty()
                            && (part.replace("-", "").equals(device.uuid()) || part.equals(device.pciAddress())))) {
                return List.of(device);
            }
        }
        return able.stream()
                .filter(device -> device.name().toLowerCase(Locale.ROOT).contains(part))
                .findFirst()
                .map(best -> equal(able, best))
                .orElse(List.of());
    }

    private static List<VulkanDeviceInfo> equal(List<VulkanDeviceInfo> able, VulkanDeviceInfo best) {
        return able.stream()
                .filter(device ->
                        device.name().equals(best.name()) && device.apiVersion().equals(best.apiVersion()))
                .toList();
    }

    /**
     * Refuses devices that may give different pictures.
     *
     * @param selectors what named each device
     * @throws UsageException naming two that are not equal
     */
    public static void requireEqual(List<DeviceSelector> selectors, List<GpuDevice> devices) throws UsageException {
        for (int i = 1; i < devices.size(); i++) {
            DeviceCapabilities first = devices.get(0).capabilities();
            DeviceCapabilities other = devices.get(i).capabilities();
            if (!first.name().equals(other.name()) || !first.driver().equals(other.driver())) {
                throw new UsageException("--device: " + label(selectors.get(0), devices.get(0)) + " (" + first.driver()
                        + ") and " + label(selectors.get(i), devices.get(i)) + " (" + other.driver()
                        + ") are not equal, and their pictures may differ; name equal devices (frameloom devices lists"
                        + " them), or leave out all but one");
            }
        }
    }

    /** Returns the name of a device, after what tells it from others of that name. */
    public static String label(DeviceSelector selector, GpuDevice device) {
        String name = device.capabilities().name();
        return selector instanceof DeviceSelector.Named named ? named.name() + " " + name : name;
    }

    /** Returns the thread that does for a device what the given one does for the first. */
    public static NamedThread thread(NamedThread first, int device) {
        return device == 0 ? first : NamedThread.of(first.name() + " " + (device + 1));
    }
}
