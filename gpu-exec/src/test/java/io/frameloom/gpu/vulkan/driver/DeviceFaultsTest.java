package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.error.CrashReport.Address;
import io.frameloom.gpu.error.CrashReport.Fault;
import io.frameloom.gpu.error.CrashReport.Marking;
import io.frameloom.gpu.error.CrashReport.Owner;
import io.frameloom.gpu.error.CrashReport.Vendor;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTDeviceAddressBindingReport;
import org.lwjgl.vulkan.EXTDeviceFault;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCheckpointData2NV;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDebugUtilsObjectNameInfoEXT;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceAddressBindingCallbackDataEXT;
import org.lwjgl.vulkan.VkDeviceFaultAddressInfoKHR;
import org.lwjgl.vulkan.VkDeviceFaultCountsEXT;
import org.lwjgl.vulkan.VkDeviceFaultInfoEXT;
import org.lwjgl.vulkan.VkDeviceFaultVendorInfoKHR;
import org.lwjgl.vulkan.VkQueue;

/** Faults as a driver would write them, since no driver of the test machine reports any. */
@Timeout(60)
class DeviceFaultsTest {
    private static final int BUFFER = VK13.VK_OBJECT_TYPE_BUFFER;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    /** Writes a fault with one address, one entry of the vendor and three bytes. */
    private static final class Faulty implements CrashCalls {
        private final int result;

        Faulty(int result) {
            this.result = result;
        }

        @Override
        public Marking marking(VkDevice device) {
            return Marking.NONE;
        }

        @Override
        public void marker(VkCommandBuffer commands, int stage, long buffer, long offset, int word) {}

        @Override
        public void checkpoint(VkCommandBuffer commands, long marker) {}

        @Override
        public void checkpoints(VkQueue queue, IntBuffer count, VkCheckpointData2NV.@Nullable Buffer data) {}

        @Override
        public int fault(VkDevice device, VkDeviceFaultCountsEXT counts, @Nullable VkDeviceFaultInfoEXT info) {
            assertThat(counts.sType()).isEqualTo(EXTDeviceFault.VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT);
            counts.addressInfoCount(1).vendorInfoCount(1).vendorBinarySize(3);
            if (info == null) {
                return VK13.VK_SUCCESS;
            }
            assertThat(info.sType()).isEqualTo(EXTDeviceFault.VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT);
            text(info.address() + VkDeviceFaultInfoEXT.DESCRIPTION, "page fault");
            long address = MemoryUtil.memGetAddress(info.address() + VkDeviceFaultInfoEXT.PADDRESSINFOS);
            MemoryUtil.memPutInt(
                    address + VkDeviceFaultAddressInfoKHR.ADDRESSTYPE,
                    EXTDeviceFault.VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT);
            MemoryUtil.memPutLong(address + VkDeviceFaultAddressInfoKHR.REPORTEDADDRESS, 0xffff_8000_0000_1234L);
            MemoryUtil.memPutLong(address + VkDeviceFaultAddressInfoKHR.ADDRESSPRECISION, 0x1000);
            long vendor = MemoryUtil.memGetAddress(info.address() + VkDeviceFaultInfoEXT.PVENDORINFOS);
            text(vendor + VkDeviceFaultVendorInfoKHR.DESCRIPTION, "unit");
            MemoryUtil.memPutLong(vendor + VkDeviceFaultVendorInfoKHR.VENDORFAULTCODE, 7);
            MemoryUtil.memPutLong(vendor + VkDeviceFaultVendorInfoKHR.VENDORFAULTDATA, 8);
            long binary = MemoryUtil.memGetAddress(info.address() + VkDeviceFaultInfoEXT.PVENDORBINARYDATA);
            for (int i = 0; i < 3; i++) {
                MemoryUtil.memPutByte(binary + i, (byte) (i + 1));
            }
            return result;
        }

        private static void text(long at, String text) {
            MemoryUtil.memUTF8(text, true, MemoryUtil.memByteBuffer(at, text.length() + 1));
        }
    }

    @Test
    void aFaultNamesWhatHoldsAndWhatHeldItsAddress() {
        AddressBook book = new AddressBook();
        book.bound(BUFFER, 1, 0xffff_8000_0000_0000L, 0x1000);
        book.named(BUFFER, 1, "before");
        book.bound(BUFFER, 2, 0xffff_8000_0000_1800L, 0x100);
        book.named(BUFFER, 2, "present");
        book.bound(BUFFER, 3, 0xffff_8000_0000_1ff0L, 0x100);
        book.named(BUFFER, 3, "gone");
        book.unbound(BUFFER, 3, 0xffff_8000_0000_1ff0L);
        book.bound(BUFFER, 4, 0xffff_8000_0000_2000L, 0x100);
        Fault fault = DeviceFaults.read(
                new Faulty(VK13.VK_SUCCESS), gpu.device().core().handle(), book);
        assertThat(fault)
                .isEqualTo(new Fault(
                        "page fault",
                        List.of(new Address(
                                "invalid write",
                                0xffff_8000_0000_1234L,
                                0x1000,
                                List.of(
                                        new Owner("buffer 'present'", 0xffff_8000_0000_1800L, 0x100, false),
                                        new Owner("buffer 'gone'", 0xffff_8000_0000_1ff0L, 0x100, true)))),
                        List.of(new Vendor("unit", 7, 8)),
                        ByteBuffer.wrap(new byte[] {1, 2, 3})));
        for (int reader = 0; reader < 2; reader++) {
            ByteBuffer binary = fault.binary();
            assertThat(new byte[] {binary.get(), binary.get(), binary.get()}).containsExactly(1, 2, 3);
        }
    }

    @Test
    void eachReaderOfTheVendorsBytesBeginsAtTheFirst() {
        Fault fault = new Fault("fault", List.of(), List.of(), ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(fault.binary().get()).isEqualTo((byte) 1);
        assertThat(fault.binary().remaining()).isEqualTo(3);
        assertThat(fault.binary().isReadOnly()).isTrue();
    }

    @Test
    void aDriverThatWritesLessIsBelieved() {
        assertThat(DeviceFaults.read(
                        new Faulty(VK13.VK_INCOMPLETE), gpu.device().core().handle(), new AddressBook()))
                .isNotNull();
        assertThat(DeviceFaults.read(
                        new Faulty(VK13.VK_ERROR_OUT_OF_HOST_MEMORY),
                        gpu.device().core().handle(),
                        new AddressBook()))
                .isNull();
    }

    @Test
    void whatIsGoneIsKeptForAWhile() {
        AddressBook book = new AddressBook();
        for (int i = 0; i <= AddressBook.KEPT; i++) {
            book.bound(BUFFER, i + 1, 16L * i, 16);
            book.named(BUFFER, i + 1, "buffer " + i);
            book.unbound(BUFFER, i + 1, 16L * i);
        }
        assertThat(book.at(0, 15)).isEmpty();
        assertThat(book.at(16, 16)).containsExactly(new Owner("buffer 'buffer 1'", 16, 16, true));
    }

    @Test
    void theDriversReportsOfBindingsFillTheBook() {
        AddressBook book = new AddressBook();
        try (var object = VkDebugUtilsObjectNameInfoEXT.calloc();
                var binding = VkDeviceAddressBindingCallbackDataEXT.calloc()) {
            object.objectType(VK13.VK_OBJECT_TYPE_IMAGE).objectHandle(9);
            binding.baseAddress(0x100).size(0x10);
            AddressReports.note(book, object, binding);
            book.named(VK13.VK_OBJECT_TYPE_IMAGE, 9, "picture");
            assertThat(book.at(0x10f, 0x200)).containsExactly(new Owner("texture 'picture'", 0x100, 0x10, false));
            binding.bindingType(EXTDeviceAddressBindingReport.VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
            AddressReports.note(book, object, binding);
            assertThat(book.at(0, -1)).containsExactly(new Owner("texture 'picture'", 0x100, 0x10, true));
        }
    }
}
