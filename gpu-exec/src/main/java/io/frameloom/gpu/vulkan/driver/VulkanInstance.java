package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.error.GpuException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.EXTLayerSettings;
import org.lwjgl.vulkan.EXTSwapchainColorspace;
import org.lwjgl.vulkan.EXTValidationFeatures;
import org.lwjgl.vulkan.KHRPortabilityEnumeration;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkLayerProperties;
import org.lwjgl.vulkan.VkLayerSettingEXT;
import org.lwjgl.vulkan.VkLayerSettingsCreateInfoEXT;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkValidationFeaturesEXT;

/**
 * A Vulkan 1.3 instance, with validation and synchronization validation if asked for.
 *
 * <p>Layers from 1.3.268 on are also asked, through VK_EXT_layer_settings, to check hazards between submissions and of
 * shader accesses; older ones take that from the environment only.
 */
public final class VulkanInstance implements AutoCloseable {
    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

    private final VkInstance handle;
    private final boolean debugUtils;
    private final @Nullable ValidationLog log;
    private final long messenger;
    private final boolean owned;

    private VulkanInstance(
            VkInstance handle, boolean debugUtils, @Nullable ValidationLog log, long messenger, boolean owned) {
        this.handle = handle;
        this.debugUtils = debugUtils;
        this.log = log;
        this.messenger = messenger;
        this.owned = owned;
    }

    /**
     * Takes an engine's instance, which is not destroyed.
     *
     * @param applicationName names the device in the log
     * @param messages whether to collect the messages of its validation layer; VK_EXT_debug_utils must be on then
     */
    public static VulkanInstance lent(VkInstance handle, String applicationName, boolean messages) {
        boolean debugUtils = handle.getCapabilities().VK_EXT_debug_utils;
        if (!messages) {
            return new VulkanInstance(handle, debugUtils, null, MemoryUtil.NULL, false);
        }
        ValidationLog log = new ValidationLog(applicationName);
        try {
            return new VulkanInstance(handle, debugUtils, log, messenger(handle, log), false);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    /** Creates an instance of Vulkan 1.3, without extensions of capabilities. */
    public static VulkanInstance create(String applicationName, boolean validation, Set<String> surfaceExtensions) {
        return create(applicationName, validation, surfaceExtensions, Set.of(), VK13.VK_API_VERSION_1_3);
    }

    /**
     * Creates an instance.
     *
     * @param capabilities capabilities whose extensions of the instance are on if it has them
     * @param apiVersion the version of Vulkan that it is created for
     * @throws NoVulkanDriverException if there is no driver, or none that finds a device
     * @throws GpuException if there is no loader, validation is asked for and the layer is not installed, or an
     *     extension is not there
     */
    public static VulkanInstance create(
            String applicationName,
            boolean validation,
            Set<String> surfaceExtensions,
            Set<Capability> capabilities,
            int apiVersion) {
        if (!VulkanLoader.problem().isEmpty()) {
            throw new GpuException(VulkanLoader.problem());
        }
        ValidationLog log = validation ? new ValidationLog(applicationName) : null;
        try {
            return create(applicationName, log, surfaceExtensions, capabilities, apiVersion);
        } catch (RuntimeException | Error e) {
            if (log != null) {
                log.close();
            }
            throw e;
        }
    }

    private static VulkanInstance create(
            String applicationName,
            @Nullable ValidationLog log,
            Set<String> surfaceExtensions,
            Set<Capability> capabilities,
            int apiVersion) {
        // Through the heap: it may be longer than a thread's memory stack.
        ByteBuffer name = MemoryUtil.memUTF8(applicationName);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Set<String> extensions = extensions(null);
            boolean debugUtils = extensions.contains(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
            boolean portability =
                    extensions.contains(KHRPortabilityEnumeration.VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
            requireExtensions(extensions, surfaceExtensions);
            Set<String> enabled = new TreeSet<>(CapabilityNeeds.instanceExtensions(capabilities));
            if (!surfaceExtensions.isEmpty()) {
                enabled.add(EXTSwapchainColorspace.VK_EXT_SWAPCHAIN_COLOR_SPACE_EXTENSION_NAME);
            }
            enabled.retainAll(extensions);
            enabled.addAll(surfaceExtensions);
            if (portability) {
                enabled.add(KHRPortabilityEnumeration.VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
            }
            Set<String> layerExtensions = Set.of();
            if (log != null) {
                requireLayer();
                layerExtensions = extensions(VALIDATION_LAYER);
                enabled.add(EXTValidationFeatures.VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
                debugUtils |= layerExtensions.contains(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
            }
            if (debugUtils) {
                enabled.add(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
            }
            boolean settings = layerExtensions.contains(EXTLayerSettings.VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
            if (settings) {
                enabled.add(EXTLayerSettings.VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
            }

            VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(portability ? KHRPortabilityEnumeration.VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0)
                    .pApplicationInfo(VkApplicationInfo.calloc(stack)
                            .sType$Default()
                            .pApplicationName(name)
                            .pEngineName(stack.UTF8("Frameloom"))
                            .apiVersion(apiVersion))
                    .ppEnabledExtensionNames(strings(stack, enabled));
            if (log != null) {
                info.ppEnabledLayerNames(strings(stack, List.of(VALIDATION_LAYER)));
                info.pNext(messengerInfo(stack, log));
                info.pNext(VkValidationFeaturesEXT.calloc(stack)
                        .sType$Default()
                        .pEnabledValidationFeatures(stack.ints(
                                EXTValidationFeatures.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)));
                if (settings) {
                    info.pNext(layerSettings(stack));
                }
            }
            PointerBuffer out = stack.mallocPointer(1);
            int result = VK13.vkCreateInstance(info, null, out);
            if (result == VK13.VK_ERROR_INCOMPATIBLE_DRIVER) {
                throw NoVulkanDriverException.none();
            }
            requireDevice(result);
            check(result, "create a Vulkan instance");
            VkInstance instance = new VkInstance(out.get(0), info);
            try {
                return new VulkanInstance(instance, debugUtils, log, log == null ? 0 : messenger(instance, log), true);
            } catch (RuntimeException | Error e) {
                VK13.vkDestroyInstance(instance, null);
                throw e;
            }
        } finally {
            MemoryUtil.memFree(name);
        }
    }

    private static long messenger(VkInstance instance, ValidationLog log) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    EXTDebugUtils.vkCreateDebugUtilsMessengerEXT(instance, messengerInfo(stack, log), null, out),
                    "create the messenger of the validation layer");
            return out.get(0);
        }
    }

    private static VkDebugUtilsMessengerCreateInfoEXT messengerInfo(MemoryStack stack, ValidationLog log) {
        return VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
                .sType$Default()
                .messageSeverity(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                        | EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
                .messageType(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
                        | EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
                .pfnUserCallback(log.callback());
    }

    private static VkLayerSettingsCreateInfoEXT layerSettings(MemoryStack stack) {
        String[] names = {"syncval_submit_time_validation", "syncval_shader_accesses_heuristic"};
        VkLayerSettingEXT.Buffer settings = VkLayerSettingEXT.calloc(names.length, stack);
        for (int i = 0; i < names.length; i++) {
            settings.get(i)
                    .pLayerName(stack.UTF8(VALIDATION_LAYER))
                    .pSettingName(stack.UTF8(names[i]))
                    .type(EXTLayerSettings.VK_LAYER_SETTING_TYPE_BOOL32_EXT)
                    .valueCount(1)
                    .pValues(stack.malloc(Integer.BYTES).putInt(0, VK13.VK_TRUE));
        }
        return VkLayerSettingsCreateInfoEXT.calloc(stack).sType$Default().pSettings(settings);
    }

    private static void requireExtensions(Set<String> present, Set<String> wanted) {
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(present);
        if (!missing.isEmpty()) {
            throw new GpuException(
                    "the Vulkan drivers of this machine do not have what surfaces need: " + String.join(", ", missing));
        }
    }

    private static void requireLayer() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            check(VK13.vkEnumerateInstanceLayerProperties(count, null), "list the Vulkan layers");
            try (VkLayerProperties.Buffer layers = VkLayerProperties.malloc(count.get(0))) {
                check(VK13.vkEnumerateInstanceLayerProperties(count, layers), "list the Vulkan layers");
                for (VkLayerProperties layer : layers) {
                    if (layer.layerNameString().equals(VALIDATION_LAYER)) {
                        return;
                    }
                }
            }
        }
        throw new GpuException("validation was asked for, but the layer " + VALIDATION_LAYER
                + " is not installed; install it (Debian and Ubuntu: vulkan-validationlayers) or leave validation off");
    }

    private static Set<String> extensions(@Nullable String layer) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            check(VK13.vkEnumerateInstanceExtensionProperties(layer, count, null), "list the instance extensions");
            try (VkExtensionProperties.Buffer found = VkExtensionProperties.malloc(count.get(0))) {
                check(VK13.vkEnumerateInstanceExtensionProperties(layer, count, found), "list the instance extensions");
                Set<String> names = new HashSet<>();
                found.forEach(extension -> names.add(extension.extensionNameString()));
                return names;
            }
        }
    }

    static PointerBuffer strings(MemoryStack stack, Collection<String> values) {
        PointerBuffer pointers = stack.mallocPointer(values.size());
        for (String value : values) {
            pointers.put(stack.UTF8(value));
        }
        return pointers.flip();
    }

    public VkInstance handle() {
        return handle;
    }

    public boolean debugUtils() {
        return debugUtils;
    }

    /** Returns the log of the validation layer, or null without validation. */
    public @Nullable ValidationLog log() {
        return log;
    }

    /** Drivers of absent GPUs answer so, and so does the loader if they all do. */
    private static void requireDevice(int result) {
        if (result == VK13.VK_ERROR_INITIALIZATION_FAILED) {
            throw NoVulkanDriverException.withoutDevice(result);
        }
    }

    /**
     * Returns the devices of all drivers, at least one.
     *
     * @throws NoVulkanDriverException if no driver finds a device
     */
    public List<VulkanAdapter> adapters() {
        return adapters(Set.of());
    }

    /** The same, of devices for which these extensions count as missing. */
    public List<VulkanAdapter> adapters(Set<String> hiddenExtensions) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            int result = VK13.vkEnumeratePhysicalDevices(handle, count, null);
            requireDevice(result);
            check(result, "list the Vulkan devices");
            if (count.get(0) == 0) {
                throw NoVulkanDriverException.withoutDevice(result);
            }
            PointerBuffer found = stack.mallocPointer(count.get(0));
            result = VK13.vkEnumeratePhysicalDevices(handle, count, found);
            requireDevice(result);
            check(result, "list the Vulkan devices");
            List<VulkanAdapter> adapters = new ArrayList<>();
            for (int i = 0; i < count.get(0); i++) {
                adapters.add(VulkanAdapter.of(new VkPhysicalDevice(found.get(i), handle), i, hiddenExtensions));
            }
            return adapters;
        }
    }

    @Override
    public void close() {
        if (messenger != MemoryUtil.NULL) {
            EXTDebugUtils.vkDestroyDebugUtilsMessengerEXT(handle, messenger, null);
        }
        if (owned) {
            VK13.vkDestroyInstance(handle, null);
        }
        if (log != null) {
            log.close();
        }
    }
}
