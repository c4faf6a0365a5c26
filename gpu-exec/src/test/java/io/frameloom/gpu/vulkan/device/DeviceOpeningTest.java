package io.frameloom.gpu.vulkan.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Devices of one name are told from each other by what their driver says of them. */
class DeviceOpeningTest {
    private static final VulkanDeviceInfo FIRST = info(0, "00112233445566778899aabbccddeeff", "0000:01:00.0");
    private static final VulkanDeviceInfo SECOND = info(10, "ffeeddccbbaa99887766554433221100", "0000:c1:00.0");
    private static final VulkanDeviceInfo OLD = info(1, "", "");

    private static VulkanDeviceInfo info(int index, String uuid, String pciAddress) {
        return new VulkanDeviceInfo(
                "Some GPU", DeviceKind.DISCRETE, "1.3.0", true, "", index, uuid, pciAddress, Set.of());
    }

    private static List<VulkanDeviceInfo> fitting(String wanted) {
        return List.of(FIRST, SECOND, OLD).stream()
                .filter(info -> DeviceOpening.fits(info, wanted))
                .toList();
    }

    @Test
    void namesFitAllAndTheRestOne() {
        assertThat(fitting("")).hasSize(3);
        assertThat(fitting("some g")).hasSize(3);
        assertThat(fitting("#1")).containsExactly(OLD);
        assertThat(fitting("#10")).containsExactly(SECOND);
        assertThat(fitting("#2")).isEmpty();
        assertThat(fitting("#")).isEmpty();
        assertThat(fitting("00112233-4455-6677-8899-AABBCCDDEEFF")).containsExactly(FIRST);
        assertThat(fitting("0000:C1:00.0")).containsExactly(SECOND);
        assertThat(fitting("-")).isEmpty();
    }

    @Test
    void aListSaysHowToChoose() {
        VulkanDeviceInfo lacking = VulkanAdapter.lacking(VulkanAdapter.lacking(OLD, "a"), "b");
        assertThat(VulkanDevices.describe(List.of(SECOND, lacking)))
                .isEqualTo("#10 Some GPU at 0000:c1:00.0, UUID ffeeddccbbaa99887766554433221100;"
                        + " #1 Some GPU (lacks a, b)");
        assertThat(VulkanDevices.describe(List.of())).isEqualTo("none");
    }
}
