package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.overlay.FrameOverlay;
import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.window.StageKey;
import io.frameloom.samples.window.StageListener.Button;
import io.frameloom.taskgraph.TaskGraph;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The camera of a window, and the keys and the mouse that move it. */
final class FreeCameraTest {
    /** Along x, looking into the screen, which is -z. */
    private static final CameraPath PATH = (seconds, pose) -> {
        pose.eye.set((float) seconds, 2, 0);
        pose.target.set((float) seconds, 2, -5);
        pose.fovY = 1;
        pose.near = 0.1f;
        pose.far = 100;
    };

    private final TaskGraph tasks =
            TaskGraph.builder().name("camera").workers(1).build();
    private final GpuDevice device = VirtualDevice.open(new VirtualGpuOptions(1, 1), DeviceOptions.of(tasks, "camera"));
    private final FrameOverlay overlay = new FrameOverlay(device, Format.R8G8B8A8_UNORM);
    private final WindowInput input = new WindowInput(overlay);
    private final FreeCamera camera = new FreeCamera(PATH, 3);

    @AfterEach
    void close() {
        overlay.close();
        device.close();
        tasks.close();
    }

    private void assertAt(float x, float y, float z) {
        assertThat(camera.pose().eye.distance(new Vector3f(x, y, z))).isCloseTo(0, within(1e-3f));
    }

    @Test
    void followsThePathUntilItIsTaken() {
        assertThat(camera.update(input, 1, 1, true)).isTrue();
        assertAt(4, 2, 0);
        assertThat(camera.previous().eye.x).isEqualTo(3);
        input.key(StageKey.W, true);
        assertThat(camera.update(input, 0.5f, 1, false)).isTrue();
        assertAt(4, 2, -6);
        input.key(StageKey.W, false);
        assertThat(camera.update(input, 0.5f, 50, true)).isTrue();
        assertAt(4, 2, -6);
    }

    @Test
    void aFrameInWhichNothingMovesHasTheCamerasOfTheOneBefore() {
        camera.update(input, 1, 1, true);
        camera.update(input, 0.5f, 1.5, true);
        assertThat(camera.update(input, 1, 1.5, false)).isFalse();
        assertThat(camera.previous().eye.x).isEqualTo(4);
        assertThat(camera.previousSeconds()).isEqualTo(1);
        assertAt(4.5f, 2, 0);
    }

    @Test
    void shiftAndWheelChangeTheSpeedAndDraggingTheDirection() {
        input.key(StageKey.SHIFT, true);
        input.key(StageKey.RIGHT, true);
        input.wheel(0, 1);
        camera.update(input, 1, 0, false);
        assertAt(3 + 12 * 4 * 1.25f, 2, 0);
        input.key(StageKey.SHIFT, false);
        input.key(StageKey.RIGHT, false);
        input.button(Button.LEFT, true, 10, 10);
        // A quarter turn to the right: from -z to x.
        input.pointer(10 + (float) (Math.PI / 2 / 0.005), 10);
        input.button(Button.LEFT, false, 0, 0);
        camera.update(input, 1, 0, false);
        Vector3f forward = new Vector3f(camera.pose().target).sub(camera.pose().eye);
        assertThat(forward.distance(new Vector3f(1, 0, 0))).isCloseTo(0, within(1e-3f));
        input.pointer(500, 500);
        assertThat(camera.update(input, 1, 0, false)).isFalse();
    }

    @Test
    void keysThatWereHeldCountOnce() {
        input.key(StageKey.SPACE, true);
        input.key(StageKey.SPACE, true);
        assertThat(input.takePressed()).isEqualTo(StageKey.SPACE);
        assertThat(input.takePressed()).isNull();
        input.key(StageKey.SPACE, false);
        input.key(StageKey.SPACE, true);
        assertThat(input.takePressed()).isEqualTo(StageKey.SPACE);
    }
}
