package io.frameloom.rdg.tools.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.Browser;
import io.frameloom.testing.Chromium;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a live view shows of frames, in a browser, and what it costs the thread that executes them. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveViewIT {
    private static final String HOSTILE = "<img src=x onerror=document.title=1>";

    @TempDir
    private Path folder;

    private final TraceRecorder trace = new TraceRecorder();

    /** What frames are executed with. */
    private final class Rig implements AutoCloseable {
        private final TaskGraph tasks =
                TaskGraph.builder().name("live").workers(1).observer(trace).build();
        private final GpuDevice device;
        private final FrameExecutor executor;

        Rig() {
            tasks.start(NamedThread.RHI);
            device = VirtualDevice.open(new VirtualGpuOptions(1, 1), DeviceOptions.of(tasks, "live"));
            executor = new FrameExecutor(
                    device, tasks, FrameExecutorOptions.defaults().withTrace(trace));
        }

        FramePlan plan(int frame, int passes, Runnable setup) {
            RenderGraph graph = new RenderGraph("frame " + frame);
            RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(1024, BufferUsage.COPY_DST));
            var ready = graph.setupTask(tasks, "set up", setup::run);
            for (int i = 0; i < passes; i++) {
                graph.addPass("pass " + i + (i == 0 ? HOSTILE : ""), PassKind.COPY)
                        .writes(buffer, Access.COPY_DST)
                        .flag(PassFlag.NEVER_CULL)
                        .after(ready)
                        .record(context -> context.commands().fillBuffer(context.buffer(buffer), 0, 1024, 1));
            }
            return executor.compile(graph);
        }

        @Override
        public void close() {
            executor.close();
            device.close();
            tasks.close();
        }
    }

    /** Where it is said that a machine tests for others, nothing is left out. */
    private static void requireBrowser() {
        if (!Chromium.isInstalled()) {
            String missing = "no Chromium on the path (Debian, Ubuntu: apt install chromium), so nobody looks at the"
                    + " live view in a browser";
            assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
            Assumptions.abort(missing);
        }
    }

    @Test
    void showsFramesWhileTheyRun() throws Exception {
        requireBrowser();
        try (Rig rig = new Rig();
                LiveView live = LiveView.open(0, rig.device, trace);
                Browser browser = Browser.in(folder)) {
            browser.look(1200, 900, false);
            browser.go(live.address());
            browser.until("document.getElementById('device').textContent.includes('irtual')");
            int frame = 0;
            while (!browser.evaluate("document.querySelectorAll('#lanes rect.own').length > 0"
                            + " && document.getElementById('lanes').textContent.includes('GPU')"
                            + " && document.querySelectorAll('#worst a').length > 1"
                            + " && document.querySelectorAll('#memory tr').length > 1")
                    .equals("true")) {
                FramePlan plan = rig.plan(frame, 2, () -> {});
                live.show(plan, rig.executor.execute(plan));
                frame++;
            }
            assertThat(browser.evaluate("document.getElementById('plan').textContent"))
                    .isEqualTo("It has not changed.");
            while (!browser.evaluate("document.getElementById('plan').textContent")
                    .contains("pass 2")) {
                FramePlan plan = rig.plan(frame, 3, () -> {});
                live.show(plan, rig.executor.execute(plan));
                frame++;
            }
            assertThat(browser.evaluate("document.getElementById('plan-frame').textContent"))
                    .startsWith("changed in frame ");
            assertThat(browser.evaluate("document.getElementById('millis').textContent"))
                    .endsWith(" ms");
            assertThat(browser.evaluate("document.getElementById('lanes').textContent"))
                    .contains("GPU", "RHI", "Frames in flight");
            assertThat(Double.parseDouble(browser.evaluate("document.querySelectorAll('#times rect').length")))
                    .isPositive();
            URI worst = URI.create(browser.evaluate("document.querySelector('#worst a').href"));
            assertThat(browser.evaluate("document.title")).isEqualTo("Frameloom, live");
            assertThat(browser.evaluate("document.querySelectorAll('img').length"))
                    .isEqualTo("0");
            // What was shown last stays while the page is looked at.
            for (int width : new int[] {1200, 400}) {
                for (boolean dark : new boolean[] {false, true}) {
                    browser.look(width, 900, dark);
                    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                            .as("nothing is beside a window of %s", width)
                            .isEqualTo("true");
                    assertThat(isDark(browser)).isEqualTo(dark);
                }
            }
            assertThat(browser.complaints()).isEmpty();
            browser.go(worst);
            assertThat(live.leftOut()).isNotNegative();
        }
    }

    private boolean isDark(Browser browser) throws IOException, InterruptedException {
        Path file = folder.resolve("page.png");
        browser.picture(file);
        BufferedImage picture = ImageIO.read(file.toFile());
        return (picture.getRGB(2, 2) & 0xff) < 0x80;
    }

    @Test
    void framesThatComeTooFastAreLeftOutAndNobodyWaits() throws IOException {
        CountDownLatch hold = new CountDownLatch(1);
        try (Rig rig = new Rig()) {
            LiveView live = LiveView.open(0, rig.device, trace);
            try {
                FramePlan plan = rig.plan(0, 1, () -> {
                    try {
                        hold.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
                FrameHandle handle = rig.executor.execute(plan);
                // The frame does not end. The view waits for it, and has room for some more.
                for (int i = 0; i < 200; i++) {
                    live.show(plan, handle);
                }
                assertThat(live.leftOut()).isBetween(200L - 65, 200L - 64);
                live.close();
                assertThat(handle.completed().isComplete()).isFalse();
            } finally {
                hold.countDown();
                live.close();
            }
        }
    }

    @Test
    void aFailedFrameIsNotTheEnd() throws Exception {
        try (Rig rig = new Rig();
                LiveView live = LiveView.open(0, rig.device, trace)) {
            FramePlan failing = rig.plan(0, 1, () -> {
                throw new IllegalStateException("no such thing");
            });
            try (InputStream events = events(live)) {
                read(events, "event: device");
                live.show(failing, rig.executor.execute(failing));
                read(events, "no such thing");
                for (int i = 1; i < 4; i++) {
                    FramePlan plan = rig.plan(i, 1, () -> {});
                    FrameHandle handle = rig.executor.execute(plan);
                    handle.completed().await();
                    live.show(plan, handle);
                }
                read(events, "{\"frame\":3,");
            }
            FramePlan again = rig.plan(4, 1, () -> {});
            try (InputStream events = events(live)) {
                read(events, "event: device");
                live.show(again, rig.executor.execute(again));
                assertThat(read(events, "event: frame")).doesNotContain("no such thing");
            }
        }
    }

    /** A millisecond passes from each frame to the next, and many are left out. */
    @Test
    void aFrameIsTimedFromTheOneBeforeAlsoIfThatIsLeftOut() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        AtomicLong clock = new AtomicLong();
        try (Rig rig = new Rig();
                LiveView live = LiveView.open(0, rig.device, trace, () -> clock.addAndGet(1_000_000))) {
            try {
                FramePlan plan = rig.plan(0, 1, () -> {
                    try {
                        hold.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
                FrameHandle handle = rig.executor.execute(plan);
                while (live.leftOut() < 100) {
                    live.show(plan, handle);
                }
                FramePlan next = rig.plan(1, 1, () -> {});
                FrameHandle shown = rig.executor.execute(next);
                hold.countDown();
                long leftOut;
                do {
                    leftOut = live.leftOut();
                    live.show(next, shown);
                } while (live.leftOut() != leftOut);
                // A page that looks meanwhile may be dropped.
                String text = "";
                while (!text.contains("{\"frame\":1,")) {
                    try (InputStream events = events(live)) {
                        StringBuilder seen = new StringBuilder();
                        for (int one = events.read();
                                one >= 0 && seen.indexOf("event: device") < 0;
                                one = events.read()) {
                            seen.append((char) one);
                        }
                        text = seen.toString();
                    }
                }
                assertThat(Pattern.compile("\"millis\":([^,]*),").matcher(text).results())
                        .isNotEmpty()
                        .allSatisfy(millis -> assertThat(millis.group(1)).isEqualTo("1.0"));
            } finally {
                hold.countDown();
            }
        }
    }

    private static InputStream events(LiveView live) throws IOException {
        return live.address().resolve("events").toURL().openStream();
    }

    /** Reads until a text has come; returns all that came. */
    private static String read(InputStream events, String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (!seen.toString().endsWith(text)) {
            int next = events.read();
            assertThat(next).isNotNegative();
            seen.append((char) next);
        }
        return seen.toString();
    }

    @Test
    void wrongPortsAreRefused() {
        try (Rig rig = new Rig()) {
            for (int port : List.of(-1, 65_536)) {
                assertThatThrownBy(() -> LiveView.open(port, rig.device, trace))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("port must be 0 to 65535, got " + port);
            }
        }
    }
}
