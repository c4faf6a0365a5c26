package io.frameloom.gpu.vulkan.driver;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.EXTDeviceAddressBindingReport;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkDebugUtilsObjectNameInfoEXT;
import org.lwjgl.vulkan.VkDeviceAddressBindingCallbackDataEXT;
import org.lwjgl.vulkan.VkInstance;

/** Notes the addresses that the driver reports (VK_EXT_device_address_binding_report), on the threads that get them. */
public final class AddressReports implements AutoCloseable {
    private final VkInstance instance;
    private final AddressBook book;
    private final VkDebugUtilsMessengerCallbackEXT callback;
    private final long messenger;

    public AddressReports(VkInstance instance, AddressBook book) {
        this.instance = instance;
        this.book = book;
        this.callback = VkDebugUtilsMessengerCallbackEXT.create(this::received);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    EXTDebugUtils.vkCreateDebugUtilsMessengerEXT(
                            instance,
                            VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
                                    .sType$Default()
                                    .messageSeverity(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT)
                                    .messageType(
                                            EXTDeviceAddressBindingReport
                                                    .VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT)
                                    .pfnUserCallback(callback),
                            null,
                            out),
                    "create the messenger of addresses");
            messenger = out.get(0);
        } catch (RuntimeException | Error e) {
            callback.free();
            throw e;
        }
    }

    private int received(int severity, int types, long data, long user) {
        VkDebugUtilsMessengerCallbackDataEXT message = VkDebugUtilsMessengerCallbackDataEXT.create(data);
        VkDebugUtilsObjectNameInfoEXT.Buffer objects = message.pObjects();
        for (long at = message.pNext(); at != MemoryUtil.NULL; at = MemoryUtil.memGetAddress(at + Long.BYTES)) {
            if (MemoryUtil.memGetInt(at)
                            == EXTDeviceAddressBindingReport.VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT
                    && objects != null
                    && objects.remaining() > 0) {
                note(book, objects.get(0), VkDeviceAddressBindingCallbackDataEXT.create(at));
            }
        }
        return VK13.VK_FALSE;
    }

    static void note(
            AddressBook book, VkDebugUtilsObjectNameInfoEXT object, VkDeviceAddressBindingCallbackDataEXT binding) {
        if (binding.bindingType() == EXTDeviceAddressBindingReport.VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT) {
            book.unbound(object.objectType(), object.objectHandle(), binding.baseAddress());
        } else {
            book.bound(object.objectType(), object.objectHandle(), binding.baseAddress(), binding.size());
        }
    }

    @Override
    public void close() {
        EXTDebugUtils.vkDestroyDebugUtilsMessengerEXT(instance, messenger, null);
        callback.free();
    }
}
