package io.frameloom.stress.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryUtil;

/** Some frames of the soak with fixed seeds; {@code ./frameloom stress --gpu-soak MINUTES} runs more. */
class GpuSoakTest {
    private static final int FRAMES = TestEffort.of(75, 150);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "virtual:queues=3,seed=5",
                "virtual:queues=5,order=reverse",
                "virtual:queues=1,seed=2",
                "virtual:queues=16+8+2,seed=3"
            })
    void onTheVirtualGpu(String device) {
        soak(device, false, false);
    }

    @Test
    void onAVulkanDevice() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        soak("auto", true, false);
    }

    @Test
    void theCityOnTheVirtualGpu() {
        soak("virtual:queues=3,seed=4", false, true);
    }

    private static void soak(String name, boolean validation, boolean city) {
        HazardChecker checker = new HazardChecker();
        DeviceSelector selector = DeviceSelector.parse(name);
        boolean windows = GpuSoakMain.hasSurfaces(selector);
        try (TaskGraph tasks = TaskGraph.builder().name("soak-test").workers(1).build();
                GpuDevice device = GpuDevices.open(
                        selector,
                        GpuSoakMain.options(tasks, validation, checker, windows).withQueues(QueueCounts.ALL))) {
            tasks.start(NamedThread.RHI);
            try (GpuSoak soak = new GpuSoak(device, checker, 7);
                    SoakFrames frames = new SoakFrames(device, tasks, new SplittableRandom(7), windows, city)) {
                for (int i = 0; i < FRAMES; i++) {
                    soak.frame();
                    frames.frame();
                    assertThat(soak.problems()).as("after frame %d", i).isEmpty();
                    assertThat(frames.problems()).as("after frame %d", i).isEmpty();
                }
                frames.drain();
                assertThat(frames.problems()).isEmpty();
                assertThat(frames.failed()).isPositive();
                assertThat(frames.summary())
                        .startsWith(FRAMES + " frames of other graphs, ")
                        .contains(" pipelines; ")
                        .doesNotContainPattern("(^|\\D)0 (of them|resizes|lost|edits|requests)");
                if (city) {
                    assertThat(frames.summary()).containsPattern("[1-9]\\d* frames of the city, [1-9]\\d* read back");
                }
                assertThat(soak.wordsChecked()).isGreaterThan(10_000);
                assertThat(soak.created()).isGreaterThan(50);
                assertThat(device.queues())
                        .allSatisfy(queue -> assertThat(soak.submissions(queue)).isPositive());
                assertThat(device.queues().stream().mapToLong(soak::submissions).sum())
                        .isEqualTo(soak.submissions());
                assertThat(GpuSoakMain.summary(device, soak))
                        .startsWith(device.queues(QueueKind.GRAPHICS).size() + " queue")
                        .contains("graphics with "
                                + soak.submissions(device.queues().get(0)));
            }
            assertThat(device.validationMessages()).isEmpty();
        }
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.passesChecked()).isGreaterThan(500);
    }

    @Test
    void aCurveThatRisesIsNamedAndOneThatIsFlatIsNot() {
        MemoryCurve leaking = new MemoryCurve();
        MemoryCurve flat = new MemoryCurve();
        MemoryCurve driver = new MemoryCurve();
        MemoryCurve collected = new MemoryCurve();
        MemoryCurve onDevice = new MemoryCurve();
        MemoryCurve brief = new MemoryCurve();
        for (int second = 1; second <= 300; second++) {
            long wave = (second % 7) * (4L << 20);
            // Both grow while they warm up; one goes on.
            long grown = Math.min(second, 60) * (2L << 20);
            flat.add(new MemoryCurve.Sample(second, wave, wave, grown + wave, wave));
            leaking.add(new MemoryCurve.Sample(second, wave, wave, grown + wave + second * (1L << 18), wave));
            driver.add(new MemoryCurve.Sample(second, wave, wave + second * (1L << 18), 1L << 30, 0));
            onDevice.add(new MemoryCurve.Sample(second, wave, wave, 1L << 30, wave + second * (1L << 18)));
            // Twice as much as there was in the begin: small, but nothing that is in use may grow.
            collected.add(new MemoryCurve.Sample(second, (8L << 20) + second * (1L << 15), wave, 1L << 30, 0));
            if (second < 80) {
                brief.add(new MemoryCurve.Sample(second, 0, 0, second * (1L << 24), 0));
            }
        }
        assertThat(flat.rising()).isEmpty();
        assertThat(leaking.rising()).singleElement().asString().contains("resident memory rises by");
        assertThat(driver.rising()).singleElement().asString().contains("native memory in use rises by");
        assertThat(collected.rising()).singleElement().asString().contains("the Java heap after collections rises by");
        assertThat(onDevice.rising()).singleElement().asString().contains("device memory rises by");
        assertThat(brief.isTooShort()).isTrue();
        assertThat(brief.rising()).isEmpty();
    }

    @Test
    void nativeMemoryInUseIsWhatTheCLibraryHasHandedOut() {
        NativeHeap.Use use = NativeHeap.parse("""
                <malloc version="1">
                <heap nr="0"><sizes></sizes>
                <total type="fast" count="1" size="32"/>
                <total type="rest" count="2" size="1000"/>
                <system type="current" size="135168"/>
                </heap>
                <total type="fast" count="1" size="64"/>
                <total type="rest" count="2" size="5000"/>
                <total type="mmap" count="1" size="70000"/>
                <system type="current" size="200000"/>
                <system type="max" size="900000"/>
                </malloc>
                """);
        assertThat(use).isEqualTo(new NativeHeap.Use(200000 - 64 - 5000 + 70000, 270000));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nativeMemoryThatIsTakenIsSeen() {
        NativeHeap.Use before = NativeHeap.now();
        assumeTrue(before.kept() > 0, "the C library does not say");
        ByteBuffer taken = MemoryUtil.memAlloc(64 << 20);
        try {
            assertThat(NativeHeap.now().inUse()).isBetween(before.inUse() + (32L << 20), before.inUse() + (96L << 20));
        } finally {
            MemoryUtil.memFree(taken);
        }
    }

    @Test
    void whatHasGrownIsNamed() {
        ResidentMappings before = ResidentMappings.parse(List.of(
                "7f00-7f01 rw-p 00000000 00:00 0 ",
                "Rss:                 100 kB",
                "7f02-7f03 rw-p 00000000 00:00 0                          [heap]",
                "Rss:                2048 kB",
                "7f04-7f05 rw-s 00000000 00:05 11                         /dev/gpu 0",
                "Rss:                1024 kB"));
        ResidentMappings after = ResidentMappings.parse(List.of(
                "7f00-7f01 rw-p 00000000 00:00 0 ",
                "Rss:                 300 kB",
                "7f02-7f03 rw-p 00000000 00:00 0                          [heap]",
                "Rss:                3072 kB",
                "7f08-7f09 rw-p 00000000 00:00 0 ",
                "Size:               9999 kB",
                "Rss:                 100 kB"));
        assertThat(after.since(before))
                .containsExactly(
                        "/dev/gpu 0: -1.0 MiB, to 0.0",
                        "[heap]: +1.0 MiB, to 3.0",
                        "anonymous memory: +0.3 MiB, to 0.4");
        assertThat(after.since(after)).isEmpty();
    }
}
