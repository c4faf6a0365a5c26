package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.samples.Causes;
import io.frameloom.samples.frame.MeshletForm;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FrameLoopTest {
    @TempDir
    private Path folder;

    /** The device as it is, but for the answers of one method, if there are any. */
    private static GpuDevice other(GpuDevice device, String but, Supplier<@Nullable Object> answers) {
        return (GpuDevice) Proxy.newProxyInstance(
                FrameLoopTest.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    Object answer = method.getName().equals(but) ? answers.get() : null;
                    if (answer != null) {
                        return answer;
                    }
                    try {
                        return method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private interface Use {
        void of(GpuDevice device, TaskGraph tasks);
    }

    private static void onVirtualGpu(Use use) {
        onVirtualGpu(null, use);
    }

    private static void onVirtualGpu(@Nullable HazardChecker hazards, Use use) {
        try (TaskGraph tasks = TaskGraph.builder().name("loop").workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            // Closing the device fails over anything that was left open on it.
            try (GpuDevice device = VirtualDevice.open(
                    new VirtualGpuOptions(1, 1),
                    new DeviceOptions(tasks, "loop test", false, hazards).prefer(Capability.MESH_SHADERS))) {
                use.of(device, tasks);
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }

    private static FrameLoop loop(GpuDevice device, TaskGraph tasks, Scene scene) {
        return new FrameLoop(device, tasks, new TraceRecorder(), scene, 32, 16, 2, RdgOptions.defaults(), 0);
    }

    @Test
    void releasesEverythingWhenTheDeviceIsLost() throws Exception {
        Scene scene = GltfLoader.load(Files.write(folder.resolve("model.glb"), TestModel.bytes()), note -> {});
        onVirtualGpu((device, tasks) -> {
            GpuDevice losing = other(device, "waitIdle", () -> {
                throw new DeviceLostException("lost on purpose");
            });
            FrameLoop loop = loop(losing, tasks, scene);
            assertThat(loop.run(() -> false, begun -> {})).isTrue();
            assertThatThrownBy(loop::close)
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessage("lost on purpose");
        });
    }

    /** Three boxes, a meshlet each. */
    private static Scene boxes() {
        Vector3f dark = new Vector3f(0, 1, 0);
        return new Scene(
                "boxes",
                List.of(new MeshBuilder().box(0, 0, 0, 1, 1, 1).build("box")),
                List.of(new Materials().glowing("lamp", 1)),
                List.of(
                        new DrawItem(0, 0, new Matrix4f()),
                        new DrawItem(0, 0, new Matrix4f().translate(2, 0, 0)),
                        new DrawItem(0, 0, new Matrix4f().translate(4, 0, 0))),
                List.of(),
                (seconds, pose) -> {
                    pose.eye.set(2, 1, 9);
                    pose.target.set(2, 0, 0);
                    pose.fovY = 1;
                },
                new Atmosphere(dark, dark, dark, dark, dark, dark, 0, 0, 1, 0, 50, 1),
                new Bounds(new Vector3f(), new Vector3f(5, 1, 1)));
    }

    /** Returns a record that is another in one component. */
    private static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        try {
            Object[] values = new Object[components.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = components[i].getName().equals(component)
                        ? value
                        : components[i].getAccessor().invoke(record);
            }
            @SuppressWarnings("unchecked")
            R made = (R) record.getClass().getConstructors()[0].newInstance(values);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** What the demo does with meshlets, without its city; thorough runs look at the pictures of that. */
    @Test
    void meshletsAreDrawnWhereTheDeviceCanAndRefusedInOneLineElsewhere() {
        Map<String, String> problems = Map.of(
                "multiDrawIndirect", "takes no numbers of draws from buffers",
                "drawIndirectCount", "takes no numbers of draws from buffers",
                "drawIndirectFirstInstance", "takes no first instances of draws from buffers",
                "maxIndirectDraws", "takes 2 draws from a buffer at once, not 3");
        HazardChecker hazards = new HazardChecker();
        AtomicReference<@Nullable Object> says = new AtomicReference<>();
        onVirtualGpu(hazards, (device, tasks) -> {
            DeviceCapabilities has = device.capabilities();
            try (FrameLoop loop = loop(other(device, "capabilities", says::get), tasks, boxes())) {
                problems.forEach((limit, problem) -> {
                    DeviceLimits.Drawing drawing = has.limits().drawing();
                    DeviceLimits.Drawing less =
                            limit.equals("maxIndirectDraws") ? with(drawing, limit, 2L) : with(drawing, limit, false);
                    says.set(with(has, "limits", with(has.limits(), "drawing", less)));
                    refuses(loop, MeshletForm.VERTEX, has.name() + " " + problem);
                });
                DeviceLimits.MeshShaders meshes = has.limits().meshShaders();
                for (DeviceLimits.MeshShaders less : List.of(
                        DeviceLimits.MeshShaders.NONE,
                        with(meshes, "task", with(meshes.task(), "maxTotalGroups", 0L)))) {
                    says.set(with(has, "limits", with(has.limits(), "meshShaders", less)));
                    refuses(loop, MeshletForm.MESH, has.name() + " takes 0 tasks of mesh shaders at once, not 1");
                }
                says.set(null);
                for (MeshletForm form : MeshletForm.values()) {
                    loop.drawMeshlets(form);
                    assertThat(loop.run(() -> false, begun -> {})).isTrue();
                    List<String> passes = loop.lastPlan().passes().stream()
                            .map(FramePlan.PassPlan::name)
                            .toList();
                    assertThat(passes)
                            .contains(
                                    "cull meshlets early",
                                    "depth pyramid 0",
                                    "cull meshlets late",
                                    "depth prepass late");
                    assertThat(passes.contains("compact meshlets early")).isEqualTo(form == MeshletForm.VERTEX);
                }
            }
        });
        assertThat(hazards.hazards()).isEmpty();
    }

    private static void refuses(FrameLoop loop, MeshletForm form, String problem) {
        assertThat(Causes.find(catchThrowable(() -> loop.drawMeshlets(form)), UsageException.class))
                .hasMessage("--meshlets: " + problem + "; leave it out, or name another --device");
    }

    /** The device would refuse to close over what they leave. */
    @Test
    void meshletsThatCannotBeMadeLeaveNothing() {
        Scene scene = boxes();
        AtomicBoolean fails = new AtomicBoolean();
        onVirtualGpu((device, tasks) -> {
            GpuDevice failing = other(device, "sampler", () -> {
                if (fails.get()) {
                    throw new IllegalStateException("no sampler");
                }
                return null;
            });
            try (FrameLoop loop = loop(failing, tasks, scene)) {
                fails.set(true);
                assertThatThrownBy(() -> loop.drawMeshlets(MeshletForm.VERTEX))
                        .rootCause()
                        .hasMessage("no sampler");
            }
        });
    }
}
