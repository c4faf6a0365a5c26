package io.frameloom.gpu.vulkan.driver;

import java.nio.charset.StandardCharsets;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDebugUtilsLabelEXT;
import org.lwjgl.vulkan.VkDebugUtilsObjectNameInfoEXT;
import org.lwjgl.vulkan.VkDevice;

/** Names of objects and labels of command ranges for debuggers; does nothing without the extension. */
public final class DebugNames {
    /** Longest name or label for the driver, in chars: it is written to a thread's stack and must fit there. */
    private static final int LONGEST = 255;
    /** More bytes of the stack than a name and its structure take. */
    private static final int NEEDED_BYTES = 5 * LONGEST + VkDebugUtilsObjectNameInfoEXT.SIZEOF;

    private final VkDevice device;
    private final boolean enabled;
    private final boolean messages;
    private final AddressBook book;

    /**
     * Names of a device.
     *
     * @param enabled whether objects can be named
     * @param messages whether messages are collected, which distinguish objects by their names
     * @param book learns the names of what it has
     */
    public DebugNames(VkDevice device, boolean enabled, boolean messages, AddressBook book) {
        this.device = device;
        this.enabled = enabled;
        this.messages = enabled && messages;
        this.book = book;
    }

    /**
     * Names an object that draws and dispatches make, only where messages are collected: a driver takes a lock for
     * naming, at which all threads that record would meet.
     */
    public void nameWhileRecording(int type, long handle, String name) {
        if (messages) {
            name(type, handle, name);
        }
    }

    /**
     * Names an object. An object that the driver cannot name works nonetheless, so that is no failure.
     *
     * @param type VkObjectType
     */
    public void name(int type, long handle, String name) {
        book.named(type, handle, name);
        if (!enabled || MemoryStack.stackGet().getPointer() < NEEDED_BYTES) {
            return;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long text = stack.nmalloc(1, bytes(name));
            write(name, text);
            long info = stack.ncalloc(VkDebugUtilsObjectNameInfoEXT.ALIGNOF, 1, VkDebugUtilsObjectNameInfoEXT.SIZEOF);
            VkDebugUtilsObjectNameInfoEXT.nsType(
                    info, EXTDebugUtils.VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
            VkDebugUtilsObjectNameInfoEXT.nobjectType(info, type);
            VkDebugUtilsObjectNameInfoEXT.nobjectHandle(info, handle);
            MemoryUtil.memPutAddress(info + VkDebugUtilsObjectNameInfoEXT.POBJECTNAME, text);
            EXTDebugUtils.nvkSetDebugUtilsObjectNameEXT(device, info);
        }
    }

    /** Begins a label; the scratch memory of the list takes its structure. */
    public void beginLabel(VkCommandBuffer commands, CommandScratch scratch, String label) {
        if (enabled) {
            EXTDebugUtils.nvkCmdBeginDebugUtilsLabelEXT(commands, label(scratch, label));
        }
    }

    /** Inserts a label as {@link #beginLabel}. */
    public void insertLabel(VkCommandBuffer commands, CommandScratch scratch, String label) {
        if (enabled) {
            EXTDebugUtils.nvkCmdInsertDebugUtilsLabelEXT(commands, label(scratch, label));
        }
    }

    /** Writes a label without making objects of it: labels are recorded with every pass. */
    private static long label(CommandScratch scratch, String label) {
        long info = scratch.unset(VkDebugUtilsLabelEXT.SIZEOF + bytes(label));
        MemoryUtil.memSet(info, 0, VkDebugUtilsLabelEXT.SIZEOF);
        VkDebugUtilsLabelEXT.nsType(info, EXTDebugUtils.VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
        write(label, info + VkDebugUtilsLabelEXT.SIZEOF);
        MemoryUtil.memPutAddress(info + VkDebugUtilsLabelEXT.PLABELNAME, info + VkDebugUtilsLabelEXT.SIZEOF);
        return info;
    }

    /** Returns how many bytes {@link #write} takes at most: three for a char, and the zero. */
    private static int bytes(String text) {
        return 3 * length(text) + 1;
    }

    /**
     * Writes UTF-8 with a zero at the end; plain ASCII, as nearly all names are, by hand and so without garbage.
     */
    private static void write(String text, long at) {
        int length = length(text);
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                writeEncoded(text.substring(0, length), at);
                return;
            }
            MemoryUtil.memPutByte(at + i, (byte) character);
        }
        MemoryUtil.memPutByte(at + length, (byte) 0);
    }

    private static void writeEncoded(String text, long at) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            MemoryUtil.memPutByte(at + i, bytes[i]);
        }
        MemoryUtil.memPutByte(at + bytes.length, (byte) 0);
    }

    private static int length(String name) {
        if (name.length() <= LONGEST) {
            return name.length();
        }
        // Half a character cannot be encoded.
        return Character.isHighSurrogate(name.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    }

    /** Returns the part of a name that the driver gets. */
    public static String cut(String name) {
        return name.substring(0, length(name));
    }

    public void endLabel(VkCommandBuffer commands) {
        if (enabled) {
            EXTDebugUtils.vkCmdEndDebugUtilsLabelEXT(commands);
        }
    }
}
