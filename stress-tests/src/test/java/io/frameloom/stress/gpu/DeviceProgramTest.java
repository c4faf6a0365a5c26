package io.frameloom.stress.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceProgramTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Properties properties = new Properties();

    private int run(BooleanSupplier body) {
        return DeviceProgram.run(properties, body, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String complaints() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tellsHowTheProgramEnded() {
        assertThat(run(() -> true)).isZero();
        assertThat(run(() -> false)).isEqualTo(1);
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aWrongPropertyIsOneLineAndStatusTwo() {
        int code = run(() -> {
            throw new SystemPropertyException("frameloom.gpu.queues", ": wrong", null);
        });
        assertThat(code).isEqualTo(2);
        assertThat(complaints())
                .isEqualToNormalizingNewlines("frameloom stress: system property frameloom.gpu.queues: wrong\n");
    }

    @Test
    void aDeviceThatIsNotThereIsOneLineAndStatusTwo() {
        int code = run(() -> {
            throw new NoSuchDeviceException("no usable Vulkan device has 'zzz' in its name");
        });
        assertThat(code).isEqualTo(2);
        assertThat(complaints())
                .isEqualToNormalizingNewlines("frameloom stress: no usable Vulkan device has 'zzz' in its name\n");
    }

    @Test
    void aFailureIsToldWithItsPlace() {
        int code = run(() -> {
            throw new GpuException("the device is tired");
        });
        assertThat(code).isEqualTo(1);
        assertThat(complaints()).contains("the device is tired", "at io.frameloom.stress.gpu.DeviceProgramTest");
    }

    @Test
    void aMisspeltPropertyIsToldWithTheNearest() {
        properties.setProperty("frameloom.gpu.queue", "all");
        assertThat(run(() -> true)).isEqualTo(2);
        assertThat(complaints().lines()).hasSize(1);
        assertThat(complaints()).contains("'frameloom.gpu.queue'", "'frameloom.gpu.queues'");
    }
}
