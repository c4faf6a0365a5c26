package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.backend.DeviceSelector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessorTest {
    private final List<String> told = new ArrayList<>();

    private boolean taken(String device, String unavailable) {
        return Processor.isTaken(DeviceSelector.parse(device), unavailable, told::add);
    }

    @Test
    void takenWithoutVulkanAndSaid() {
        assertThat(taken("auto", "there is no driver")).isTrue();
        assertThat(told).containsExactly("taking the processor, because there is no driver");
    }

    @Test
    void takenWhenAskedForAndNotOtherwise() {
        assertThat(taken("cpu", "")).isTrue();
        assertThat(taken("CPU", "")).isTrue();
        assertThat(taken("Cpu", "there is no driver")).isTrue();
        assertThat(taken("cpus", "")).isFalse();
        assertThat(taken("auto", "")).isFalse();
        assertThat(taken("virtual", "there is no driver")).isFalse();
        assertThat(taken("auto:orFail", "there is no driver")).isFalse();
        assertThat(taken("llvmpipe", "there is no driver")).isFalse();
        assertThat(told).isEmpty();
    }
}
