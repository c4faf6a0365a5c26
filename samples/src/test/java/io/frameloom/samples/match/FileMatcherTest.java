package io.frameloom.samples.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files matched in windows of every size on both backends, against a loop with a stack. */
final class FileMatcherTest {
    private static final String BRACKETS = "()[]{}";

    /** One for all devices: they run the same shaders, which are compiled for most of the time. */
    private static final TaskGraph COMPILING =
            TaskGraph.builder().name("compiling").workers(1).build();

    private static final ProgramCache PROGRAMS = ProgramCache.open(ProgramCacheOptions.inMemory(), COMPILING);

    @AfterAll
    static void forgetPrograms() {
        PROGRAMS.close();
        COMPILING.close();
    }

    @TempDir
    private Path folder;

    enum Backend {
        VULKAN,
        VIRTUAL
    }

    /** A device that is watched. */
    private static final class Rig implements AutoCloseable {
        final HazardChecker hazards = new HazardChecker();
        final TaskGraph tasks = TaskGraph.builder().name("match").workers(1).build();
        final GpuDevice device;

        Rig(Backend backend) {
            DeviceOptions options =
                    new DeviceOptions(tasks, "match tests", backend == Backend.VULKAN, hazards, PROGRAMS);
            if (backend == Backend.VIRTUAL) {
                device = VirtualDevice.open(new VirtualGpuOptions(1, 3), options);
                return;
            }
            String reason = VulkanDevices.unavailableReason();
            if (!reason.isEmpty()) {
                tasks.close();
            }
            assumeTrue(reason.isEmpty(), reason);
            device = VulkanDevices.open("", options);
        }

        @Override
        public void close() {
            device.close();
            tasks.close();
            assertThat(device.validationMessages()).isEmpty();
            assertThat(hazards.hazards()).isEmpty();
        }
    }

    private MatchResult match(WindowMatching windows, byte[] text) throws IOException {
        Path file = Files.write(folder.resolve("text"), text);
        return new FileMatcher(windows).match(file, bytes -> {});
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 32, 33, 1000, 70_000})
    void windowsOnTheProcessor(int bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(bytes);
        try (TaskGraph tasks = TaskGraph.builder().name("match").workers(4).build();
                WindowMatching windows = new CpuWindowMatcher(tasks, bytes)) {
            for (int length : new int[] {0, 1, 31, 64, 999, 5000, 150_000}) {
                byte[] text = new byte[length];
                for (int i = 0; i < length; i++) {
                    text[i] = (byte) (BRACKETS + "x ").charAt(random.nextInt(BRACKETS.length() + 2));
                }
                assertThat(match(windows, text)).as("%d bytes", length).isEqualTo(SequentialMatch.of(text));
            }
        }
    }

    /**
     * Of all sizes up to eight, and of some beyond that are odd, even and longer than each text; a thorough run has more.
     * A driver, which takes milliseconds for each window, gets a small and the largest size in a usual run.
     */
    @ParameterizedTest
    @EnumSource
    void everyWindow(Backend backend) throws IOException {
        String[] texts = {
            "",
            "no brackets\n",
            "(",
            "}",
            "a(b[c{d}e]f)g",
            "((([[[{{{}}}]]])))",
            "{[(])}",
            ")))(((",
            "([{ x }])]([{",
            "((((((((((((((((((((((((((((((((((((((((((",
            "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
            "(1)[2]{3}(((4)))[[[5]]]{({[6]})}((( \n )))}",
        };
        try (Rig rig = new Rig(backend)) {
            List<Integer> sizes = new ArrayList<>();
            for (int window = 1; window <= 44; window += window < 8 ? 1 : TestEffort.of(18, 3)) {
                sizes.add(window);
            }
            for (int window : backend == Backend.VULKAN ? TestEffort.share(sizes, 3, 6) : sizes) {
                try (WindowMatcher windows = new WindowMatcher(rig.device, window)) {
                    assertThat(windows.capacity()).isEqualTo(window);
                    for (String text : texts) {
                        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                        assertThat(match(windows, bytes))
                                .as("%s in windows of %d", text, window)
                                .isEqualTo(SequentialMatch.of(bytes));
                    }
                }
            }
        }
    }

    /** At the first and the last or, in a thorough run, every fourth boundary. */
    @ParameterizedTest
    @EnumSource
    void everyBoundaryOfAMixture(Backend backend) throws IOException {
        byte[] text = mixture(97, 5);
        MatchResult expected = SequentialMatch.of(text);
        try (Rig rig = new Rig(backend)) {
            for (int window = 33; window <= 97; window += TestEffort.of(64, 4)) {
                try (WindowMatcher windows = new WindowMatcher(rig.device, window)) {
                    assertThat(match(windows, text)).as("windows of %d", window).isEqualTo(expected);
                }
            }
        }
    }

    /** Also where there is no driver. */
    @ParameterizedTest
    @ValueSource(strings = {"count", "place", "mark", "fold"})
    void shadersCompile(String stage) {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            ShaderSource source = ShaderSource.file(stage + ".comp", ShaderStage.COMPUTE, WindowMatcher.FILES);
            assertThat(compiler.compile(source).reflection().bindings())
                    .allMatch(binding -> binding.name().startsWith("Match"));
        }
    }

    /** Runs of opens, closes and anything, with bytes of every value in between. */
    private static byte[] mixture(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] text = new byte[length];
        int at = 0;
        while (at < length) {
            int end = Math.min(length, at + 1 + random.nextInt(1 << random.nextInt(12)));
            int kind = random.nextInt(4);
            for (; at < end; at++) {
                int one =
                        kind == 3 ? random.nextInt(6) : 2 * random.nextInt(3) + (kind == 2 ? random.nextInt(2) : kind);
                text[at] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : BRACKETS.charAt(one));
            }
        }
        return text;
    }

    /** A failure names the seed and the shortest beginning that fails. */
    @ParameterizedTest
    @EnumSource
    void largeMixtures(Backend backend) throws IOException {
        try (Rig rig = new Rig(backend);
                WindowMatcher windows = new WindowMatcher(rig.device, 50_001)) {
            for (int seed = 0; seed < 6; seed++) {
                byte[] text = mixture(40_000 * (seed + 1), seed);
                int right = 0;
                int wrong = text.length;
                if (isRight(windows, text)) {
                    continue;
                }
                while (wrong - right > 1) {
                    int middle = (right + wrong) >>> 1;
                    if (isRight(windows, Arrays.copyOf(text, middle))) {
                        right = middle;
                    } else {
                        wrong = middle;
                    }
                }
                byte[] shortest = Arrays.copyOf(text, wrong);
                assertThat(match(windows, shortest))
                        .as("seed %d, %d bytes", seed, shortest.length)
                        .isEqualTo(SequentialMatch.of(shortest));
            }
        }
    }

    private boolean isRight(WindowMatcher windows, byte[] text) throws IOException {
        return match(windows, text).equals(SequentialMatch.of(text));
    }

    @ParameterizedTest
    @EnumSource
    void deepNestsOfOneKindAcrossWindows(Backend backend) throws IOException {
        byte[] text = new byte[300_000];
        Arrays.fill(text, 0, 150_000, (byte) '[');
        Arrays.fill(text, 150_000, text.length, (byte) ']');
        try (Rig rig = new Rig(backend);
                WindowMatcher windows = new WindowMatcher(rig.device, 1 << 16)) {
            assertThat(match(windows, text)).isEqualTo(new MatchResult(300_000, 300_000, 150_000, 0, null));
            text[200_000] = '}';
            assertThat(match(windows, text))
                    .isEqualTo(new MatchResult(300_000, 300_000, 150_000, 1, new Mismatch(200_000, '}', '[')));
            text[299_999] = 'x';
            text[200_000] = ']';
            assertThat(match(windows, text))
                    .isEqualTo(new MatchResult(300_000, 299_999, 150_000, 1, Mismatch.neverClosed(0, '[')));
        }
    }
}
