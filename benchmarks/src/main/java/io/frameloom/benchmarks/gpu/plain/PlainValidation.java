package io.frameloom.benchmarks.gpu.plain;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.EXTValidationFeatures;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkValidationFeaturesEXT;

/**
 * The validation layer with its checks of synchronisation, for one plain device, and what it says. The layer speaks on the
 * thread of the offending call; the messages may be read on any. Closed after the device.
 */
public final class PlainValidation implements AutoCloseable {
    private static final String LAYER = "VK_LAYER_KHRONOS_validation";

    private final List<String> messages = new ArrayList<>();
    private final VkDebugUtilsMessengerCallbackEXT callback = VkDebugUtilsMessengerCallbackEXT.create(this::received);

    private synchronized int received(int severity, int types, long data, long user) {
        String text = VkDebugUtilsMessengerCallbackDataEXT.create(data).pMessageString();
        messages.add(text == null ? "a message without a text" : text);
        return VK13.VK_FALSE;
    }

    /** Returns the warnings and errors so far. */
    public synchronized List<String> messages() {
        return List.copyOf(messages);
    }

    void enable(VkInstanceCreateInfo info, MemoryStack stack) {
        info.ppEnabledLayerNames(stack.pointers(stack.UTF8(LAYER)))
                .ppEnabledExtensionNames(stack.pointers(
                        stack.UTF8(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME),
                        stack.UTF8(EXTValidationFeatures.VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)))
                .pNext(VkValidationFeaturesEXT.calloc(stack)
                        .sType$Default()
                        .pEnabledValidationFeatures(stack.ints(
                                EXTValidationFeatures.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)));
    }

    /** Returns the messenger, which the instance's owner destroys. */
    long listen(VkInstance instance, MemoryStack stack) {
        var out = stack.mallocLong(1);
        PlainDevice.check(EXTDebugUtils.vkCreateDebugUtilsMessengerEXT(
                instance,
                VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
                        .sType$Default()
                        .messageSeverity(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                                | EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
                        .messageType(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)
                        .pfnUserCallback(callback),
                null,
                out));
        return out.get(0);
    }

    @Override
    public void close() {
        callback.free();
    }
}
