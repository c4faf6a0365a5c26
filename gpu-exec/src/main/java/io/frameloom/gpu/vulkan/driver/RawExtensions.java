package io.frameloom.gpu.vulkan.driver;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.lwjgl.BufferUtils;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Struct;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;

/** Extensions and features of a device that an application asks for by their Vulkan names. */
public record RawExtensions(Set<String> names, List<Structure> structures) {
    /** Nothing. */
    public static final RawExtensions NONE = new RawExtensions(Set.of(), List.of());

    private static final int HEADER_BYTES = 2 * Long.BYTES;

    /** The structure of Vulkan 1.4 has what extensions have on devices that are opened here, as those of 1.3. */
    private static final String OF_VULKAN_1_4 = "VkPhysicalDeviceVulkan14Features";

    /** A copy of a structure of features. */
    public record Structure(String name, ByteBuffer memory) {
        int type() {
            return MemoryUtil.memGetInt(address());
        }

        long address() {
            return MemoryUtil.memAddress(memory);
        }
    }

    public static RawExtensions of(Set<String> names) {
        for (String name : names) {
            if (!name.matches("VK_[A-Z]+_[A-Za-z0-9_]+")) {
                throw new IllegalArgumentException(
                        "'" + name + "' is no name of a device extension; such a name is VK_EXT_image_2d_view_of_3d");
            }
        }
        return new RawExtensions(new TreeSet<>(names), List.of());
    }

    /** As these, with the features of one more structure, which is copied. */
    public RawExtensions with(Struct<?> given) {
        String name = given.getClass().getSimpleName();
        if (!name.matches("VkPhysicalDevice\\w*Features\\w*") || name.equals("VkPhysicalDeviceFeatures")) {
            throw new IllegalArgumentException(name + " is no structure of features with a pNext, such as"
                    + " VkPhysicalDeviceFeatures2 or VkPhysicalDeviceImage2DViewOf3DFeaturesEXT");
        }
        if (name.equals(OF_VULKAN_1_4)) {
            throw new IllegalArgumentException(
                    name + " is for devices that are opened as Vulkan 1.4, Frameloom opens them as 1.3;"
                            + " give the structures of the extensions that its features come from");
        }
        if (structures.stream().anyMatch(other -> other.name.equals(name))) {
            throw new IllegalArgumentException(name + " is given twice; set all its features in one");
        }
        ByteBuffer copy = BufferUtils.createByteBuffer(given.sizeof());
        MemoryUtil.memCopy(given.address(), MemoryUtil.memAddress(copy), given.sizeof());
        if (MemoryUtil.memGetAddress(MemoryUtil.memAddress(copy) + Long.BYTES) != MemoryUtil.NULL) {
            throw new IllegalArgumentException(name + " has a pNext; give each structure by itself");
        }
        if (MemoryUtil.memGetInt(MemoryUtil.memAddress(copy)) == 0) {
            throw new IllegalArgumentException(name + " has no sType; set it, as by sType$Default()");
        }
        requireType(given, MemoryUtil.memGetInt(MemoryUtil.memAddress(copy)));
        List<Structure> all = new ArrayList<>(structures);
        all.add(new Structure(name, copy));
        return new RawExtensions(names, all);
    }

    /** Of another type, the driver would write a structure of another size. Where no class says its type, it is believed. */
    private static void requireType(Struct<?> given, int type) {
        int own;
        try {
            Object fresh = given.getClass().getMethod("create").invoke(null);
            given.getClass().getMethod("sType$Default").invoke(fresh);
            own = MemoryUtil.memGetInt(((Struct<?>) fresh).address());
        } catch (ReflectiveOperationException unknown) {
            return;
        }
        if (own != type) {
            throw new IllegalArgumentException(given.getClass().getSimpleName() + " has sType " + type + ", and is "
                    + own + "; set it by sType$Default()");
        }
    }

    List<String> missing(VkPhysicalDevice device, Set<String> extensions) {
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            if (!extensions.contains(name)) {
                missing.add("extension " + name);
            }
        }
        if (missing.isEmpty()) {
            structures.forEach(structure -> missingFeatures(device, structure, missing));
        }
        return missing;
    }

    private static void missingFeatures(VkPhysicalDevice device, Structure asked, List<String> missing) {
        VkPhysicalDeviceFeatures2 head = VkPhysicalDeviceFeatures2.create().sType$Default();
        ByteBuffer memory = BufferUtils.createByteBuffer(asked.memory.capacity());
        long has = MemoryUtil.memAddress(memory);
        if (asked.type() == VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
            has = head.address();
        } else {
            MemoryUtil.memPutInt(has, asked.type());
            head.pNext(has);
        }
        VK13.vkGetPhysicalDeviceFeatures2(device, head);
        for (int at = HEADER_BYTES; at < memory.capacity(); at += Integer.BYTES) {
            if (MemoryUtil.memGetInt(asked.address() + at) != 0 && MemoryUtil.memGetInt(has + at) == 0) {
                missing.add("feature " + (1 + (at - HEADER_BYTES) / Integer.BYTES) + " of " + asked.name);
            }
        }
    }
}
