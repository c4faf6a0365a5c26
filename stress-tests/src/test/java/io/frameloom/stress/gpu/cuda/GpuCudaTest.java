package io.frameloom.stress.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.error.NoSuchDeviceException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On machines with CUDA; elsewhere the program says what it lacks. */
class GpuCudaTest {
    /** In a thread of its own: after a failure of CUDA, closing may wait for ever. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void cudaAndVulkanTakeTurnsOnOneBuffer() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
            assertThat(GpuCudaMain.run("", CudaDevice.load(CudaDevice.LIBRARY), to, failure -> {}))
                    .isTrue();
        } catch (NoSuchDeviceException lacking) {
            assumeTrue(false, lacking.getMessage());
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("20 rounds of 65536 words, all right");
    }

    @Test
    void aMachineWithoutCudaNamesTheLibrary() {
        assertThatThrownBy(() -> CudaDevice.load("libcuda-of-nobody.so.1"))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("libcuda-of-nobody.so.1, CUDA's driver, is not on this machine");
    }
}
