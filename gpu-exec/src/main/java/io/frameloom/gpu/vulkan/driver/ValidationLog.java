package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.ValidationMessage.Severity;
import io.frameloom.gpu.device.GpuProperties;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDebugUtilsLabelEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsObjectNameInfoEXT;

/**
 * Collects the messages of the validation layer. Where the system property enabled it, each distinct one is also
 * written to the log; a message with other objects or labels is distinct. Any thread: the layer calls on the thread of
 * the offending call.
 */
public final class ValidationLog implements AutoCloseable {
    private static final int LIMIT = 1_000;

    /** A handle with its name, as in "VkImage 0x60000000006[picture]". */
    private static final Pattern NAMED_HANDLE = Pattern.compile("0x[0-9a-f]+\\[([^\\]]+)\\]");

    private final String application;
    private final System.@Nullable Logger log;
    private final List<ValidationMessage> messages = new ArrayList<>();
    private final Set<String> written = new HashSet<>();
    private final VkDebugUtilsMessengerCallbackEXT callback = VkDebugUtilsMessengerCallbackEXT.create(this::received);

    ValidationLog(String application) {
        this.application = application;
        this.log = GpuProperties.wantsValidation() ? System.getLogger("io.frameloom.gpu") : null;
    }

    VkDebugUtilsMessengerCallbackEXT callback() {
        return callback;
    }

    public synchronized List<ValidationMessage> messages() {
        return List.copyOf(messages);
    }

    /** The log may call the application, so that is done without the lock. */
    private void add(ValidationMessage message, String where) {
        if (isNew(message, where) && log != null) {
            log.log(
                    message.severity() == Severity.ERROR ? System.Logger.Level.ERROR : System.Logger.Level.WARNING,
                    "device of ''{0}'': {1}{2}: {3}",
                    application,
                    message.id(),
                    where,
                    message.text().replaceAll("\\s*\\R\\s*", " "));
        }
    }

    /** Keeps a message, and returns whether it is to be written. */
    private synchronized boolean isNew(ValidationMessage message, String where) {
        if (messages.size() < LIMIT) {
            messages.add(message);
        }
        return log != null && written.size() < LIMIT && written.add(message.id() + where);
    }

    private int received(int severity, int types, long data, long user) {
        VkDebugUtilsMessengerCallbackDataEXT message = VkDebugUtilsMessengerCallbackDataEXT.create(data);
        String name = message.pMessageIdNameString();
        String id = name == null ? "" : name;
        String said = message.pMessageString();
        String text = said == null ? "" : said;
        boolean error = (severity & EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0
                || id.contains("SYNC-HAZARD");
        add(new ValidationMessage(error ? Severity.ERROR : Severity.WARNING, id, text), where(message, text));
        return VK13.VK_FALSE;
    }

    /** Returns the labels and the objects that the layer names: passes, and command lists and resources. */
    private static String where(VkDebugUtilsMessengerCallbackDataEXT message, String text) {
        Set<String> passes = new LinkedHashSet<>();
        labels(message.pQueueLabels(), passes);
        labels(message.pCmdBufLabels(), passes);
        Set<String> objects = new LinkedHashSet<>();
        VkDebugUtilsObjectNameInfoEXT.Buffer named = message.pObjects();
        for (int i = 0; named != null && i < named.remaining(); i++) {
            String object = named.get(i).pObjectNameString();
            if (object != null && !object.isEmpty()) {
                objects.add(object);
            }
        }
        Matcher handle = NAMED_HANDLE.matcher(text);
        while (handle.find()) {
            objects.add(handle.group(1));
        }
        return quoted(" in pass ", passes) + quoted(" at ", objects);
    }

    private static void labels(VkDebugUtilsLabelEXT.@Nullable Buffer labels, Set<String> names) {
        for (int i = 0; labels != null && i < labels.remaining(); i++) {
            names.add(labels.get(i).pLabelNameString());
        }
    }

    private static String quoted(String before, Set<String> names) {
        return names.isEmpty()
                ? ""
                : names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ", before, ""));
    }

    /** Frees the callback: nothing of the instance may be alive. The messages stay readable. */
    @Override
    public void close() {
        callback.free();
    }
}
