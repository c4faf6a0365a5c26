package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Deformation;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.Motion;
import io.frameloom.samples.scene.Rig;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.util.List;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What moves is smoothed over the frames as well as what stands still. */
final class MotionPictureTest {
    private static final int WIDTH = 96;
    private static final int HEIGHT = 64;
    private static final int FRAMES = 14;
    private static final float DISTANCE = 9;
    private static final float TANGENT_X = (float) Math.tan(0.5) * WIDTH / HEIGHT;
    /** Metres in a frame: two texels of the front. */
    private static final float STEP = 2 * DISTANCE * 2 * TANGENT_X / WIDTH;
    /** Where it is in the last frame, in metres and in texels. */
    private static final float END = (FRAMES - 8) * STEP;

    private static final int MIDDLE = Math.round((END / (DISTANCE * TANGENT_X) * 0.5f + 0.5f) * WIDTH);

    @BeforeEach
    void needsADevice() {
        boolean usable = VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable);
        assumeTrue(usable, "no usable Vulkan device: " + VulkanDevices.unavailableReason());
    }

    @Test
    void whatMovesLooksLikeWhatStandsThere() throws Exception {
        CapturedTexture[] still = render(null, false);
        assertThat(still[0].number(MIDDLE, HEIGHT / 2, 0)).isZero();
        check("box", render((seconds, rig, transform) -> transform.translation(x(seconds), 0, 0), false), still);
        check("skin and morph target", render(null, true), still);
    }

    /** Where the front is, in metres. */
    private static float x(double seconds) {
        return (float) (seconds * 60 - FRAMES + 1) * STEP + END;
    }

    private static void check(String name, CapturedTexture[] moving, CapturedTexture[] still) {
        // In the middle of its front, and beside it.
        assertThat(moving[0].number(MIDDLE, HEIGHT / 2, 0)).as(name).isCloseTo(-2f / WIDTH, within(1e-3f));
        assertThat(moving[0].number(MIDDLE, HEIGHT / 2, 1)).as(name).isCloseTo(0, within(1e-5f));
        assertThat(moving[0].number(2, 2, 0)).isZero();
        int differing = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            float here = moving[1].number(i % WIDTH, i / WIDTH, 0);
            if (Math.abs(here - still[1].number(i % WIDTH, i / WIDTH, 0)) > 0.05f) {
                differing++;
            }
        }
        assertThat(differing)
                .as("texels of a moving %s that differ from those of a box that stands", name)
                .isZero();
    }

    /** A matrix of a joint that moves all, and a weight of a morph target that does as much. */
    private static final Rig RIG = new Rig() {
        @Override
        public int floats() {
            return 20;
        }

        @Override
        public void at(double seconds, float[] state) {
            new Matrix4f().translation(0.5f * (x(seconds) - END), 0, 0).get(state);
            state[16] = 0.5f * (x(seconds) - END);
        }
    };

    private static Mesh deformable(Mesh box) {
        int vertices = box.vertexCount();
        int[] joints = new int[Deformable.SET * vertices];
        float[] weights = new float[joints.length];
        float[] target = new float[Deformable.POSITION_AND_NORMAL * vertices];
        for (int i = 0; i < vertices; i++) {
            weights[Deformable.SET * i] = 1;
            target[Deformable.POSITION_AND_NORMAL * i] = 1;
        }
        return new Mesh(
                "box",
                box.vertices(),
                box.indices(),
                new Deformable(
                        box.vertices(), 1, joints, weights, List.of(target), Deformable.POSITION_AND_NORMAL, false));
    }

    /** Returns motion and picture of the last frame of a box that shines, in front of nothing. */
    private static CapturedTexture[] render(@Nullable Motion motion, boolean deformed) throws Exception {
        Vector3f dark = new Vector3f();
        Matrix4f at = new Matrix4f().translation(END, 0, 0);
        Mesh box = new MeshBuilder().box(-1, -1, 0.99f, 1, 1, 1).build("box");
        Scene scene = new Scene(
                "box",
                List.of(box, deformable(box)),
                List.of(new Materials()
                        .of(
                                "shines",
                                null,
                                null,
                                null,
                                null,
                                null,
                                new Vector4f(0, 0, 0, 1),
                                new Vector3f(0.5f),
                                0,
                                1,
                                0,
                                0,
                                0,
                                false,
                                false,
                                false)),
                List.of(new DrawItem(
                        deformed ? 1 : 0,
                        0,
                        at,
                        motion,
                        DrawItem.WHITE,
                        DrawItem.OWN_MAPPING,
                        deformed ? new Deformation(0, 16) : null)),
                List.of(),
                (seconds, pose) -> {
                    pose.eye.set(0, 0, DISTANCE + 1);
                    pose.target.set(0, 0, 0);
                    pose.fovY = 1;
                    pose.near = 0.1f;
                    pose.far = 100;
                },
                new Atmosphere(new Vector3f(0, 1, 0), dark, dark, dark, dark, dark, 0, 0, 1, 0, 50, 1),
                new Bounds(new Vector3f(-10), new Vector3f(10)),
                deformed ? RIG : Rig.NONE);
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device =
                            GpuDevices.open(new DeviceSelector.Auto(), new DeviceOptions(tasks, "motion", true, null));
                    FrameLoop loop = new FrameLoop(
                            device,
                            tasks,
                            new TraceRecorder(),
                            scene,
                            WIDTH,
                            HEIGHT,
                            FRAMES,
                            RdgOptions.defaults(),
                            0)) {
                assertThat(loop.run(() -> false, begun -> {})).isTrue();
                List<CapturedTexture> captured = loop.capture(
                        List.of(Capture.parse("g-buffer motion"), Capture.parse("picture")), warning -> {});
                assertThat(device.validationMessages()).isEmpty();
                return captured.toArray(CapturedTexture[]::new);
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }
}
