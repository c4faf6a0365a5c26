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
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.MovingModel;
import io.frameloom.samples.gltf.SmallModel;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.joml.Matrix3d;
import org.joml.Matrix4d;
import org.joml.Vector3d;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures of models that move, against pictures of the same vertices moved by the processor. */
final class MovingModelPictureTest {
    private static final int WIDTH = 120;
    private static final int HEIGHT = 90;
    private static final int REGION = 10;

    @TempDir
    private Path root;

    @BeforeEach
    void needsADevice() {
        boolean usable = VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable);
        assumeTrue(usable, "no usable Vulkan device: " + VulkanDevices.unavailableReason());
    }

    @Test
    void skinsAndMorphTargetsLookAsIfTheProcessorHadMovedThem() throws Exception {
        List<CapturedTexture> moved = render(new MovingModel().bending(70, 0, 0.6, 0));
        List<CapturedTexture> still = render(baked(70, 0.6));
        List<CapturedTexture> rest = render(baked(0, 0.6));
        for (int i = 0; i < moved.size(); i++) {
            float[] one = means(moved.get(i));
            float[] other = means(still.get(i));
            assertThat(one).as("texture %d", i).containsExactly(other, within(0.02f));
            float most = 0;
            float[] unmoved = means(rest.get(i));
            for (int region = 0; region < one.length; region++) {
                most = Math.max(most, Math.abs(one[region] - unmoved[region]));
            }
            assertThat(most).as("difference of texture %d to the rest pose", i).isGreaterThan(0.1f);
        }
    }

    @Test
    void spotsLightWhatIsInTheirCones() throws Exception {
        SmallModel model = new SmallModel();
        String square = "{\"primitives\":[{\"mode\":5,\"material\":0,\"attributes\":{\"POSITION\":%d}}]}"
                .formatted(model.floats("VEC3", -1, 0, 1, 1, 0, 1, -1, 0, -1, 1, 0, -1));
        byte[] lit = model.glb(("\"nodes\":[{\"mesh\":0,\"scale\":[8,1,8]},{\"translation\":[-4,4,0],"
                        + "\"rotation\":[-0.70710678,0,0,0.70710678],"
                        + "\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}],\"meshes\":[%s],"
                        + "\"materials\":[{\"pbrMetallicRoughness\":{\"metallicFactor\":0}}],"
                        + "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"spot\",\"color\":[1,0,0],"
                        + "\"intensity\":200,\"spot\":{\"outerConeAngle\":0.6}}]}}")
                .formatted(square));
        CapturedTexture radiance = render(lit).get(2);
        float red = 0;
        int at = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            float here = radiance.number(i % WIDTH, i / WIDTH, 0) - radiance.number(i % WIDTH, i / WIDTH, 2);
            if (here > red) {
                red = here;
                at = i;
            }
        }
        // What is left of the middle of the model is on the left of the picture; on the right there is daylight alone.
        assertThat(at % WIDTH).isLessThan(WIDTH / 2);
        float daylight = radiance.number(WIDTH - 1 - at % WIDTH, at / WIDTH, 0);
        // Four units below it shine 200 / 16 lux; a white surface scatters them everywhere, and is seen exposed by 0.8.
        float expected = 200f / 16 / (float) Math.PI * 0.8f;
        assertThat(radiance.number(at % WIDTH, at / WIDTH, 0) - daylight).isCloseTo(expected, within(0.2f * expected));
    }

    /** Moves the vertices as the file of {@link MovingModel#bending} has them moved at the time 0. */
    private static byte[] baked(double degrees, double swell) {
        MovingModel model = new MovingModel();
        double[] positions = model.positions();
        double[] normals = model.normals();
        double[] upper = model.upper();
        Matrix4d turn = new Matrix4d().rotationZ(Math.toRadians(degrees));
        for (int i = 0; i < upper.length; i++) {
            // A blend of turns is none, which the class does not see by itself.
            Matrix4d blend = new Matrix4d().lerp(turn, upper[i]).determineProperties();
            Vector3d normal = new Vector3d(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
            Vector3d position =
                    new Vector3d(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]).fma(swell, normal);
            blend.transformPosition(position);
            blend.normal(new Matrix3d()).transform(normal).normalize();
            for (int axis = 0; axis < 3; axis++) {
                positions[3 * i + axis] = position.get(axis);
                normals[3 * i + axis] = normal.get(axis);
            }
        }
        return model.still(positions, normals);
    }

    /** Returns the mean of each channel in each square of the picture. */
    private static float[] means(CapturedTexture texture) {
        int columns = WIDTH / REGION;
        float[] means = new float[columns * (HEIGHT / REGION) * 3];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                for (int channel = 0; channel < 3; channel++) {
                    means[(y / REGION * columns + x / REGION) * 3 + channel] +=
                            texture.number(x, y, channel) / (REGION * REGION);
                }
            }
        }
        return means;
    }

    /** Renders a frame; returns albedo, normals and light. */
    private List<CapturedTexture> render(byte[] model) throws Exception {
        Scene scene = GltfLoader.load(Files.write(root.resolve("model.glb"), model), note -> {});
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            new DeviceSelector.Auto(), new DeviceOptions(tasks, "moving model", true, null));
                    FrameLoop loop = new FrameLoop(
                            device, tasks, new TraceRecorder(), scene, WIDTH, HEIGHT, 1, RdgOptions.defaults(), 0)) {
                assertThat(loop.run(() -> false, begun -> {})).isTrue();
                List<CapturedTexture> captured = loop.capture(
                        List.of(
                                Capture.parse("g-buffer albedo"),
                                Capture.parse("g-buffer normal"),
                                Capture.parse("radiance")),
                        warning -> {});
                assertThat(device.validationMessages()).isEmpty();
                return captured;
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }
}
