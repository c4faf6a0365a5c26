package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.ValidationMessage.Severity;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;

/** Collects the messages of the validation layer. Any thread: the layer speaks on the thread of the offending call. */
final class ValidationLog implements AutoCloseable {
    private static final int LIMIT = 1_000;

    private final List<ValidationMessage> messages = new ArrayList<>();
    private final VkDebugUtilsMessengerCallbackEXT callback = VkDebugUtilsMessengerCallbackEXT.create(this::received);

    VkDebugUtilsMessengerCallbackEXT callback() {
        return callback;
    }

    /** Returns the messages so far. */
    synchronized List<ValidationMessage> messages() {
        return List.copyOf(messages);
    }

    private synchronized void add(ValidationMessage message) {
        if (messages.size() < LIMIT) {
            messages.add(message);
        }
    }

    private int received(int severity, int types, long data, long user) {
        VkDebugUtilsMessengerCallbackDataEXT message = VkDebugUtilsMessengerCallbackDataEXT.create(data);
        String name = message.pMessageIdNameString();
        String id = name == null ? "" : name;
        String text = message.pMessageString();
        boolean error = (severity & EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0
                || id.contains("SYNC-HAZARD");
        add(new ValidationMessage(error ? Severity.ERROR : Severity.WARNING, id, text == null ? "" : text));
        return VK13.VK_FALSE;
    }

    /** Frees the callback: nothing of the instance may be alive. The messages stay readable. */
    @Override
    public void close() {
        callback.free();
    }
}
