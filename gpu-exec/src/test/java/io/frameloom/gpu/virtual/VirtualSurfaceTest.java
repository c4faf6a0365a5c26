package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.virtual.device.SimulatedDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VirtualSurfaceTest {
    private static final int ROUNDS = 200;

    /** Whoever asks for a picture gets an answer even if the device's thread ends meanwhile. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void answersBesideTheEndOfItsDevice() throws InterruptedException {
        try (TaskGraph tasks = TaskGraph.builder().name("test").workers(1).build();
                ShaderCompiler shaders = new ShaderCompiler()) {
            DeviceOptions options = new DeviceOptions(tasks, "test", false, null);
            for (int round = 0; round < ROUNDS; round++) {
                VirtualDevice device = SimulatedDevice.open(new VirtualGpuOptions(1, 7), options, shaders);
                VirtualSurface surface = device.createHeadlessSurface("surface", 64, 64);
                AtomicBoolean stop = new AtomicBoolean();
                CountDownLatch asks = new CountDownLatch(1);
                Thread asking = new Thread(() -> {
                    surface.newest();
                    asks.countDown();
                    while (!stop.get()) {
                        surface.newest();
                    }
                    surface.newest();
                });
                asking.start();
                asks.await();
                surface.close();
                device.close();
                stop.set(true);
                asking.join();
                assertThat(surface.newest()).isNull();
            }
        }
    }
}
