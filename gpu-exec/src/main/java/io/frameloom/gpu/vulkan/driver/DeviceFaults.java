package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport.Address;
import io.frameloom.gpu.error.CrashReport.Fault;
import io.frameloom.gpu.error.CrashReport.Vendor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDeviceFault;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceFaultAddressInfoKHR;
import org.lwjgl.vulkan.VkDeviceFaultCountsEXT;
import org.lwjgl.vulkan.VkDeviceFaultInfoEXT;
import org.lwjgl.vulkan.VkDeviceFaultVendorInfoKHR;

/** Asks the driver for the fault of a lost device, and finds the resources at its addresses. */
final class DeviceFaults {
    /** More of a kind are cut off. */
    private static final int MOST = 1024;

    private static final long MOST_BYTES = 256 << 20;

    private DeviceFaults() {}

    /** Returns the fault, or null if the driver has none or does not answer. */
    static @Nullable Fault read(CrashCalls calls, VkDevice device, AddressBook book) {
        try (VkDeviceFaultCountsEXT counts = VkDeviceFaultCountsEXT.calloc().sType$Default();
                VkDeviceFaultInfoEXT info = VkDeviceFaultInfoEXT.calloc().sType$Default()) {
            if (calls.fault(device, counts, null) != VK13.VK_SUCCESS) {
                return null;
            }
            int addresses = Math.max(0, Math.min(MOST, counts.addressInfoCount()));
            int vendors = Math.max(0, Math.min(MOST, counts.vendorInfoCount()));
            int bytes = (int) Math.max(0, Math.min(MOST_BYTES, counts.vendorBinarySize()));
            try (var addressInfos = VkDeviceFaultAddressInfoKHR.calloc(Math.max(1, addresses));
                    var vendorInfos = VkDeviceFaultVendorInfoKHR.calloc(Math.max(1, vendors))) {
                ByteBuffer binary = MemoryUtil.memCalloc(Math.max(1, bytes));
                try {
                    counts.addressInfoCount(addresses).vendorInfoCount(vendors).vendorBinarySize(bytes);
                    info.pAddressInfos(addresses == 0 ? null : addressInfos);
                    info.pVendorInfos(vendors == 0 ? null : vendorInfos);
                    info.pVendorBinaryData(bytes == 0 ? null : binary);
                    int result = calls.fault(device, counts, info);
                    if (result != VK13.VK_SUCCESS && result != VK13.VK_INCOMPLETE) {
                        return null;
                    }
                    return new Fault(
                            info.descriptionString(),
                            addresses(addressInfos, Math.min(addresses, counts.addressInfoCount()), book),
                            vendors(vendorInfos, Math.min(vendors, counts.vendorInfoCount())),
                            copy(binary, (int) Math.min(bytes, counts.vendorBinarySize())));
                } finally {
                    MemoryUtil.memFree(binary);
                }
            }
        }
    }

    private static List<Address> addresses(VkDeviceFaultAddressInfoKHR.Buffer infos, int count, AddressBook book) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            VkDeviceFaultAddressInfoKHR info = infos.get(i);
            long within = Math.max(1, info.addressPrecision()) - 1;
            long at = info.reportedAddress();
            addresses.add(new Address(kind(info.addressType()), at, within + 1, book.at(at & ~within, at | within)));
        }
        return addresses;
    }

    private static String kind(int type) {
        return switch (type) {
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT -> "nothing";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT -> "invalid read";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT -> "invalid write";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT -> "invalid execution";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT -> "instruction";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT -> "invalid instruction";
            case EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT -> "faulting instruction";
            default -> "address of type " + type;
        };
    }

    private static List<Vendor> vendors(VkDeviceFaultVendorInfoKHR.Buffer infos, int count) {
        List<Vendor> vendors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            VkDeviceFaultVendorInfoKHR info = infos.get(i);
            vendors.add(new Vendor(info.descriptionString(), info.vendorFaultCode(), info.vendorFaultData()));
        }
        return vendors;
    }

    private static ByteBuffer copy(ByteBuffer binary, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        copy.put(0, binary, 0, bytes);
        return copy;
    }
}
