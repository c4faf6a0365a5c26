package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FrameLoopTest {
    @TempDir
    private Path folder;

    /** The device as it is, but lost as soon as somebody waits for it. */
    private static GpuDevice losing(GpuDevice device) {
        return (GpuDevice) Proxy.newProxyInstance(
                FrameLoopTest.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("waitIdle")) {
                        throw new DeviceLostException("lost on purpose");
                    }
                    try {
                        return method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void releasesEverythingWhenTheDeviceIsLost() throws Exception {
        Scene scene = GltfLoader.load(Files.write(folder.resolve("model.glb"), TestModel.bytes()), note -> {});
        try (TaskGraph tasks = TaskGraph.builder().name("loop").workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            // Closing the device fails over anything that was left open on it.
            try (GpuDevice device = VirtualDevice.open(
                    new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "loop test", false, null))) {
                FrameLoop loop = new FrameLoop(
                        losing(device), tasks, new TraceRecorder(), scene, 32, 16, 2, RdgOptions.defaults());
                assertThat(loop.run(() -> false, begun -> {})).isTrue();
                assertThatThrownBy(loop::close)
                        .isInstanceOf(DeviceLostException.class)
                        .hasMessage("lost on purpose");
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }
}
