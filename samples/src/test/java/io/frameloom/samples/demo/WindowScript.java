package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.samples.Main;
import java.awt.AWTException;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.event.KeyEvent;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import javax.imageio.ImageIO;

/**
 * A user of the demo in windows, in a process of its own: a thread that presses keys and looks at the screen, while the
 * main thread runs the demo. The overlay shows other numbers in each frame, so frames are counted by looking at it.
 */
final class WindowScript {
    static final int WIDTH = 420;
    static final int HEIGHT = 200;

    /** The panel, and beside it what only the scene draws to. */
    private static final Rectangle PANEL = new Rectangle(10, 10, 326, HEIGHT - 20);

    private static final Rectangle SCENE = new Rectangle(342, 0, WIDTH - 342, HEIGHT);
    private static final Rectangle SECOND = new Rectangle(WIDTH + 16, 0, 640 - WIDTH - 16, HEIGHT);

    /** What was under way when a key was pressed, and one more. */
    private static final int SETTLED = FrameLoop.FRAMES_IN_FLIGHT + 2;

    private static final long PATIENCE_NANOS = 80_000_000_000L;
    private static final long NAP_MILLIS = 10;
    private static final int FAILED = 3;

    private final Robot robot;
    private final Path folder;

    private WindowScript(Robot robot, Path folder) {
        this.robot = robot;
        this.folder = folder;
    }

    /** Runs a command line: which script, folder for pictures, and the arguments of the demo. */
    public static void main(String[] arguments) throws AWTException {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        WindowScript script = new WindowScript(new Robot(), Path.of(arguments[1]));
        Thread user = new Thread(() -> script.run(arguments[0]), "user");
        user.setDaemon(true);
        user.start();
        System.exit(Main.run(out, out, Arrays.copyOfRange(arguments, 2, arguments.length)));
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private void run(String script) {
        try {
            if (script.equals("all")) {
                all();
            } else {
                pause();
            }
        } catch (Throwable failure) {
            failure.printStackTrace();
            keep("failed");
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void all() {
        robot.mouseMove(WIDTH - 20, HEIGHT / 2);
        awaitFrames(2);
        keep("overlay");
        assertThat(colors(SCENE)).as("colours of the scene").isGreaterThan(20);
        assertThat(colors(SECOND)).as("colours of the second window").isGreaterThan(20);

        press(KeyEvent.VK_SPACE);
        awaitFrames(SETTLED);
        int[] paused = texels(SCENE);
        awaitFrames(2);
        assertThat(texels(SCENE)).as("a paused scene").isEqualTo(paused);

        press(KeyEvent.VK_PERIOD);
        awaitFrames(SETTLED);
        int[] stepped = texels(SCENE);
        assertThat(stepped).as("the scene a step later").isNotEqualTo(paused);

        int[] panel = texels(PANEL);
        press(KeyEvent.VK_F1);
        await("the overlay to go", () -> far(texels(PANEL), panel) > PANEL.width * PANEL.height / 2);
        keep("scene");
        assertThat(texels(SCENE)).as("the scene beside the overlay").isEqualTo(stepped);
        press(KeyEvent.VK_F1);
        await("the overlay to come back", () -> far(texels(PANEL), panel) < PANEL.width * PANEL.height / 4);

        robot.keyPress(KeyEvent.VK_W);
        awaitFrames(SETTLED);
        robot.keyRelease(KeyEvent.VK_W);
        assertThat(texels(SCENE)).as("the scene from another place").isNotEqualTo(stepped);

        Rectangle below = new Rectangle(0, HEIGHT + 10, WIDTH, 100);
        assertThat(colors(below)).as("colours below the window").isEqualTo(1);
        press(KeyEvent.VK_F11);
        await("the window to fill the screen", () -> colors(below) > 20);
        awaitFrames(1);
        keep("full");
        press(KeyEvent.VK_F11);
        await("the window to be what it was", () -> colors(below) == 1);
        awaitFrames(1);

        press(KeyEvent.VK_ESCAPE);
        await("the first window to close", () -> colors(SCENE) == 1);
        assertThat(colors(SECOND)).as("colours of the second window").isGreaterThan(20);
        robot.mouseMove(WIDTH + 16 + 50, HEIGHT - 2);
        press(KeyEvent.VK_ESCAPE);
    }

    private void pause() {
        robot.mouseMove(WIDTH - 20, HEIGHT / 2);
        awaitFrames(1);
        press(KeyEvent.VK_SPACE);
        awaitFrames(SETTLED);
        int[] paused = texels(SCENE);
        keep("sdl");
        assertThat(colors(SCENE)).as("colours of the scene").isGreaterThan(20);
        awaitFrames(2);
        assertThat(texels(SCENE)).as("a paused scene").isEqualTo(paused);
        press(KeyEvent.VK_ESCAPE);
    }

    private void press(int key) {
        robot.keyPress(key);
        robot.keyRelease(key);
    }

    /** Waits until the overlay has shown so many other frames. */
    private void awaitFrames(int frames) {
        for (int i = 0; i < frames; i++) {
            int[] before = texels(PANEL);
            await("frame " + (i + 1) + " of " + frames, () -> !Arrays.equals(texels(PANEL), before));
        }
    }

    private static void await(String what, BooleanSupplier happened) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!happened.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(end);
            try {
                Thread.sleep(NAP_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private int[] texels(Rectangle part) {
        return robot.createScreenCapture(part).getRGB(0, 0, part.width, part.height, null, 0, part.width);
    }

    private long colors(Rectangle part) {
        return Arrays.stream(texels(part)).distinct().count();
    }

    /** Counts the texels that are visibly of another colour. */
    private static int far(int[] texels, int[] others) {
        int far = 0;
        for (int i = 0; i < texels.length; i++) {
            int off = Math.abs((texels[i] >> 8 & 0xff) - (others[i] >> 8 & 0xff));
            far += off > 12 ? 1 : 0;
        }
        return far;
    }

    /** Keeps the screen for people. */
    private void keep(String name) {
        BufferedImage screen = robot.createScreenCapture(new Rectangle(0, 0, 640, 480));
        try {
            Files.createDirectories(folder);
            ImageIO.write(screen, "png", folder.resolve(name + ".png").toFile());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
