package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.AdoptionException;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.resource.ResourceInfos;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;

/** Resources that queues of an engine use as well, which Frameloom has none of. */
@Timeout(60)
class ImportedSharingTest {
    private static final BufferDescription WORDS = BufferDescription.device(1024, BufferUsage.COPY_DST);
    private static final QueueFamily ANY =
            new QueueFamily(2, VK13.VK_QUEUE_GRAPHICS_BIT | VK13.VK_QUEUE_COMPUTE_BIT, 1, 64, CopyUnit.TEXEL);

    private static DriverDevice adopt(TestEngine engine, TaskGraph tasks) {
        engine.description.queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard);
        return SeamedDevices.adopt(
                engine.description.build(), new DeviceOptions(tasks, "sharing", true, null), DeviceSeams.none());
    }

    @Test
    void whatIsMadeHereIsSharedWithTheFamiliesOfTheEngine() {
        ValidatedDevice.assumeDriver();
        try (TestEngine engine = new TestEngine();
                MemoryStack stack = MemoryStack.stackPush()) {
            QueuePlan.Entry entry = new QueuePlan.Entry("graphics", QueueKind.GRAPHICS, ANY, QueuePlan.LENT);
            DeviceQueue queue = new DeviceQueue(entry, engine.queue, new ReentrantLock());
            int[] families = OpenedDevice.lent(
                            engine.device, DeviceFeatures.read(0, 0), List.of(queue), Set.of(5, 2, 1))
                    .families();
            assertThat(families).containsExactly(1, 2, 5);
            assertThat(ResourceInfos.buffer(WORDS, families, stack).sharingMode())
                    .isEqualTo(VK13.VK_SHARING_MODE_CONCURRENT);
            assertThat(ResourceInfos.buffer(WORDS, families, stack).queueFamilyIndexCount())
                    .isEqualTo(3);
        }
    }

    @Test
    void familiesThatTheDeviceDoesNotHaveAreNamedWithEverythingElse() {
        ValidatedDevice.assumeDriver();
        try (TestEngine engine = new TestEngine();
                TaskGraph tasks = TaskGraph.builder().name("sharing").workers(1).build()) {
            engine.description.sharedWith(TestEngine.FAMILY, 77);
            assertThatThrownBy(() -> adopt(engine, tasks))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("shared with family 77");
        }
    }

    @Test
    void theFamilyOfALentQueueMayBeNamedAgain() {
        ValidatedDevice.assumeDriver();
        try (TestEngine engine = new TestEngine();
                TaskGraph tasks = TaskGraph.builder().name("sharing").workers(1).build()) {
            engine.description.sharedWith(TestEngine.FAMILY);
            try (DriverDevice gpu = adopt(engine, tasks);
                    Buffer ours = gpu.createBuffer("ours", WORDS)) {
                assertThat(ours.sharedFamilies()).isEmpty();
            }
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void importsSayWhichFamiliesShareThem() {
        ImportedSharing sharing = ImportedSharing.of(4, 0, 2);
        assertThat(sharing.check("buffer 'b'")).isEmpty();
        assertThat(sharing.check("buffer 'b'", 3, 2, 3)).containsExactly(2, 3);
        assertThatThrownBy(() -> sharing.check("buffer 'b'", 0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("buffer 'b'")
                .hasMessageContaining("family 4");
        assertThatThrownBy(() -> sharing.check("buffer 'b'", -1, 0)).hasMessageContaining("family -1");
        assertThatThrownBy(() -> sharing.check("buffer 'b'", 2, 2)).hasMessageContaining("family 2 alone");
        assertThatThrownBy(() -> sharing.check("buffer 'b'", 1, 3))
                .hasMessageContaining("[1, 3]")
                .hasMessageContaining("[0, 2]");
    }

    @Test
    void whatIsMadeExclusiveIsSharedWithNobody() {
        ValidatedDevice.assumeDriver();
        int[] families = {1, 2, 5};
        TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        try (TestEngine engine = new TestEngine();
                TaskGraph tasks = TaskGraph.builder().name("sharing").workers(1).build();
                DriverDevice gpu = adopt(engine, tasks);
                MemoryStack stack = MemoryStack.stackPush()) {
            DeviceCore core = gpu.core();
            for (QueueSharing sharing : QueueSharing.values()) {
                int mode = sharing == QueueSharing.EXCLUSIVE
                        ? VK13.VK_SHARING_MODE_EXCLUSIVE
                        : VK13.VK_SHARING_MODE_CONCURRENT;
                assertThat(ResourceInfos.buffer(WORDS.withSharing(sharing), families, stack)
                                .sharingMode())
                        .isEqualTo(mode);
                assertThat(ResourceInfos.image(core, shape.withSharing(sharing), families, stack)
                                .sharingMode())
                        .isEqualTo(mode);
            }
            Buffer imported = gpu.importBuffer(
                    "engine's",
                    engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT).buffer(),
                    WORDS.withSharing(QueueSharing.CONCURRENT));
            assertThat(imported.isExclusive()).as("what the import says counts").isTrue();
            imported.close();
        }
    }

    @Test
    void importsOfFamiliesThatTheDeviceDoesNotHaveAreRefused() {
        ValidatedDevice.assumeDriver();
        try (TestEngine engine = new TestEngine();
                TaskGraph tasks = TaskGraph.builder().name("sharing").workers(1).build();
                DriverDevice gpu = adopt(engine, tasks)) {
            long buffer =
                    engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT).buffer();
            assertThatThrownBy(() -> gpu.importBuffer("engine's", buffer, WORDS, 0, 99))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("buffer 'engine's'");
            TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            assertThatThrownBy(() -> gpu.importTexture("picture", 1, shape, TextureLayout.GENERAL, 99, 0))
                    .hasMessageContaining("texture 'picture'");
        }
    }

    /** There is nothing to hand over between families that share. */
    @Test
    void transfersOfSharedImportsAreRefusedAndOfExclusiveOnesAreNot() {
        ValidatedDevice.assumeDriver();
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(TestEngine.FAMILY, 1);
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                Access.COPY_DST.stages(), Access.COPY_DST.memoryAccess(), Access.COPY_DST.stages(), 0);
        try (TestEngine engine = new TestEngine();
                TaskGraph tasks = TaskGraph.builder().name("sharing").workers(1).build();
                DriverDevice gpu = adopt(engine, tasks);
                FrameContext context = gpu.createFrameContext("frame")) {
            long handle =
                    engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT).buffer();
            DeviceCore core = gpu.core();
            VulkanBuffer shared = new VulkanBuffer(core, gpu.memory(), "shared", WORDS, handle, Set.of(0, 1));
            VulkanTexture picture = new VulkanTexture(
                    core,
                    gpu.memory(),
                    "picture",
                    TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED),
                    handle,
                    TextureLayout.GENERAL,
                    Set.of(0, 1));
            CommandList list = context.beginCommands(gpu.queues().get(0), "hands over");
            assertThatThrownBy(() -> list.barrier(new BarrierBatch(
                            List.of(),
                            List.of(new BarrierBatch.BufferBarrier(shared, 0, 1024, scope, transfer)),
                            List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'shared'")
                    .hasMessageContaining("leave the transfer out");
            assertThat(picture.sharedFamilies()).containsExactlyInAnyOrder(0, 1);
            list.end();
        }
    }
}
