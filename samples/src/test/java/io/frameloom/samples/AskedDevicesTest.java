package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.samples.demo.UsageException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AskedDevicesTest {
    private static final List<VulkanDeviceInfo> FOUR = List.of(
            device("NVIDIA H200", 2), device("NVIDIA H200", 0), device("NVIDIA H200", 3), device("llvmpipe", 1));

    private static VulkanDeviceInfo device(String name, int index) {
        return new VulkanDeviceInfo(
                name,
                DeviceKind.DISCRETE,
                "1.3.0",
                true,
                "",
                index,
                String.format(Locale.ROOT, "%032x", 0xA0 + index),
                String.format(Locale.ROOT, "0000:%02x:00.0", index),
                Set.of());
    }

    private static List<String> each(List<VulkanDeviceInfo> able, String... asked) throws UsageException {
        List<DeviceSelector> selectors =
                Stream.of(asked).map(DeviceSelector::parse).toList();
        return AskedDevices.each(selectors, able).stream()
                .map(selector -> selector instanceof DeviceSelector.Named named ? named.name() : selector.toString())
                .toList();
    }

    @Test
    void allAreTheBestAndThoseThatAreEqual() throws UsageException {
        assertThat(each(FOUR, "all")).containsExactly("#2", "#0", "#3");
    }

    /** However they are named, the devices are different ones as long as there are such. */
    @Test
    void equalDevicesAreTakenOnceEach() throws UsageException {
        assertThat(each(FOUR, "h200", "H200", "NVIDIA")).containsExactly("#2", "#0", "#3");
        assertThat(each(FOUR, "auto", "auto:orFail")).containsExactly("#2", "#0");
        assertThat(each(FOUR, "#2", "H200")).containsExactly("#2", "#0");
        assertThat(each(FOUR, "H200", "0000:02:00.0", "H200")).containsExactly("#0", "#2", "#3");
        assertThat(each(FOUR, "H200", "00000000-0000-0000-0000-0000000000A2")).containsExactly("#0", "#2");
    }

    @Test
    void aDeviceWithoutAnEqualOneIsTakenAgain() throws UsageException {
        assertThat(each(FOUR, "llvm", "pipe")).containsExactly("#1", "#1");
        assertThat(each(FOUR, "h200", "h200", "h200", "h200")).containsExactly("#2", "#0", "#3", "#2");
    }

    /** Opening it says what is there. */
    @Test
    void whatNoDeviceIsCalledStays() throws UsageException {
        assertThat(each(FOUR, "#7", "Radeon", "H200")).containsExactly("#7", "Radeon", "#2");
        assertThat(AskedDevices.each(List.of(DeviceSelector.parse("virtual"), DeviceSelector.parse("#0")), FOUR))
                .element(0)
                .isInstanceOf(DeviceSelector.Virtual.class);
    }
}
