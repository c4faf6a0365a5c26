package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Levels of a sparse image are filled after they have got memory, also where another queue than that of copies binds. */
class SparseMemoryTest {
    private static final int SIZE = 128;
    private static final int LEVELS = 8;

    @Test
    void aLevelThatAnotherQueueBindsComesAndGoes() {
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("sparse").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            DeviceOptions options =
                    new DeviceOptions(tasks, "sparse", false, checker).require(Capability.SPARSE_RESIDENCY);
            try (GpuDevice device = VirtualDevice.open(new VirtualGpuOptions(3, 1), options);
                    Uploader uploader = new Uploader(device, "levels");
                    Buffer feedback =
                            device.createBuffer("feedback", BufferDescription.device(4, BufferUsage.STORAGE))) {
                GpuQueue binder = device.queues().stream()
                        .filter(each -> each != uploader.queue())
                        .findFirst()
                        .orElseThrow();
                Texture texture = device.createSparseTexture(
                        "wall",
                        TextureDescription.of(
                                        SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)
                                .withMips(LEVELS));
                FrameLedger ledger = new FrameLedger(device);
                SparseMemory memory = new SparseMemory(texture, binder, uploader, view -> null, ledger);
                long[] bytes = new long[LEVELS];
                bytes[0] = memory.bytes(0);
                bytes[1] = memory.bytes(1);
                Residency residency = new Residency(0, 0, 1, true, bytes, new long[LEVELS]);
                for (int i = 0; i < 3; i++) {
                    ledger.add(bytes[0] - bytes[1]);
                    ResidentImage image = memory.create(0, 1);
                    uploader.upload(texture, 0, 0, ByteBuffer.allocate(4 * SIZE * SIZE), TextureLayout.SHADER_RO)
                            .arrived()
                            .await();
                    memory.leave(residency, memory.shown(image), 1);
                    ledger.declared(CompletableFuture.completedFuture(ByteBuffer.allocate(0)), feedback, List.of());
                    assertThat(residency.isBusy).isTrue();
                    while (ledger.leavingBytes() > 0) {
                        ledger.takeEnded(frame -> {});
                    }
                    assertThat(residency.isBusy).isFalse();
                    assertThat(ledger.imageBytes()).isZero();
                }
                memory.close();
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }
}
