package io.frameloom.gpu.vulkan.driver;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.AMDBufferMarker;
import org.lwjgl.vulkan.EXTDeviceAddressBindingReport;
import org.lwjgl.vulkan.EXTDeviceFault;
import org.lwjgl.vulkan.NVDeviceDiagnosticCheckpoints;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceAddressBindingReportFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceFaultFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;

/**
 * What a device is opened with for the report of a loss. On an engine's device the extensions of marks are used where it
 * has enabled them, and nothing else: which features it has enabled is not known.
 *
 * @param faults whether the driver reports faults
 * @param binaries whether it has bytes for the vendor's tools then
 * @param bindings whether it reports which addresses objects get
 */
public record CrashSupport(boolean faults, boolean binaries, boolean bindings) {
    /** Nothing. */
    static final CrashSupport NONE = new CrashSupport(false, false, false);

    /** Enables an extension if it is there, and returns whether it is. */
    @FunctionalInterface
    interface Extensions {
        boolean enable(String extension);
    }

    /**
     * Enables extensions. Faults cost nothing until there is one; marks and bindings do.
     *
     * @param markers whether marks and bindings are asked for
     * @param extensions enables those that are there
     */
    static CrashSupport enable(VkPhysicalDevice adapter, boolean markers, Extensions extensions) {
        boolean fault = extensions.enable(EXTDeviceFault.VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
        // It reports by messages.
        boolean binding = markers
                && adapter.getInstance().getCapabilities().VK_EXT_debug_utils
                && extensions.enable(EXTDeviceAddressBindingReport.VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME);
        if (markers) {
            extensions.enable(NVDeviceDiagnosticCheckpoints.VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME);
            extensions.enable(AMDBufferMarker.VK_AMD_BUFFER_MARKER_EXTENSION_NAME);
        }
        if (!fault && !binding) {
            return NONE;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var faults = VkPhysicalDeviceFaultFeaturesEXT.calloc(stack).sType$Default();
            var bindings = VkPhysicalDeviceAddressBindingReportFeaturesEXT.calloc(stack)
                    .sType$Default();
            var all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            if (fault) {
                all.pNext(faults);
            }
            if (binding) {
                all.pNext(bindings);
            }
            VK13.vkGetPhysicalDeviceFeatures2(adapter, all);
            return new CrashSupport(
                    faults.deviceFault(),
                    faults.deviceFault() && faults.deviceFaultVendorBinary(),
                    bindings.reportAddressBinding());
        }
    }

    /** Enables the features, in structures that the application may have given as well. */
    void enable(DeviceFeatures features) {
        if (faults) {
            long at = features.added(
                    EXTDeviceFault.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
                    VkPhysicalDeviceFaultFeaturesEXT.SIZEOF);
            VkPhysicalDeviceFaultFeaturesEXT.ndeviceFault(at, VK13.VK_TRUE);
            if (binaries) {
                VkPhysicalDeviceFaultFeaturesEXT.ndeviceFaultVendorBinary(at, VK13.VK_TRUE);
            }
        }
        if (bindings) {
            long at = features.added(
                    EXTDeviceAddressBindingReport.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
                    VkPhysicalDeviceAddressBindingReportFeaturesEXT.SIZEOF);
            VkPhysicalDeviceAddressBindingReportFeaturesEXT.nreportAddressBinding(at, VK13.VK_TRUE);
        }
    }
}
