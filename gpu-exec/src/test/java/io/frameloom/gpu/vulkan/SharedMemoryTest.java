package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VK13;

/** Two devices of one process, each with an instance of its own, that use the same memory. */
class SharedMemoryTest {
    private static final int WORDS = 1024;
    private static final long BYTES = WORDS * 4L;
    private static final BufferDescription BOTH =
            BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private static final TextureDescription PICTURE =
            TextureDescription.of(32, WORDS / 32, Format.R32_UINT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);

    private TaskGraph tasks;
    private VulkanDevice first;
    private VulkanDevice second;

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("sharing").workers(1).build();
        DeviceOptions options = new DeviceOptions(tasks, "sharing", true, null).prefer(Capability.EXTERNAL_MEMORY_FD);
        first = VulkanDevices.open("", options);
        second = VulkanDevices.open("", options);
    }

    @AfterEach
    void close() {
        for (VulkanDevice device : new VulkanDevice[] {second, first}) {
            if (device != null) {
                device.close();
                assertThat(device.validationMessages()).isEmpty();
            }
        }
        if (tasks != null) {
            tasks.close();
        }
    }

    private void assumeSharing() {
        assumeTrue(
                first.capabilities().has(Capability.EXTERNAL_MEMORY_FD),
                first.capabilities().name() + " has no " + Capability.EXTERNAL_MEMORY_FD);
    }

    private static void run(VulkanDevice device, Consumer<CommandList> recorder) {
        try (FrameContext context = device.createFrameContext("frame")) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = context.beginCommands(queue, "list");
            recorder.accept(list);
            list.end();
            long done = queue.submit(new Submission("work", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(done, ValidatedDevice.LONG)).isTrue();
        }
    }

    private static int[] read(VulkanDevice device, Buffer from) {
        BarrierBatch forHost = ValidatedDevice.memory(
                PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ);
        try (Buffer readback = device.createBuffer("readback", BufferDescription.readback(BYTES))) {
            run(device, list -> {
                list.copyBuffer(from, 0, readback, 0, BYTES);
                list.barrier(forHost);
            });
            return ValidatedDevice.words(readback);
        }
    }

    private static void write(VulkanDevice device, Buffer to, int base) {
        try (FrameContext context = device.createFrameContext("upload")) {
            BufferSlice slice = context.allocateUpload(BYTES, 4);
            for (int i = 0; i < WORDS; i++) {
                slice.data().putInt(4 * i, base + i);
            }
            run(device, list -> list.copyBuffer(slice.buffer(), slice.offset(), to, 0, BYTES));
        }
    }

    /** The texture is in GENERAL when it is handed over. */
    private static void write(VulkanDevice device, Texture to, int base) {
        try (FrameContext context = device.createFrameContext("upload")) {
            BufferSlice slice = context.allocateUpload(BYTES, 4);
            for (int i = 0; i < WORDS; i++) {
                slice.data().putInt(4 * i, base + i);
            }
            run(device, list -> {
                list.barrier(ValidatedDevice.transition(to, TextureLayout.GENERAL, TextureLayout.TRANSFER_DST));
                list.copyBufferToTexture(slice.buffer(), slice.offset(), to, 0, 0);
                list.barrier(ValidatedDevice.transition(to, TextureLayout.TRANSFER_DST, TextureLayout.GENERAL));
            });
        }
    }

    private static int[] read(VulkanDevice device, Texture from) {
        BarrierBatch forHost = ValidatedDevice.memory(
                PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ);
        try (Buffer readback = device.createBuffer("readback", BufferDescription.readback(BYTES))) {
            run(device, list -> {
                list.barrier(ValidatedDevice.transition(from, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC));
                list.copyTextureToBuffer(from, 0, 0, readback, 0);
                list.barrier(ValidatedDevice.transition(from, TextureLayout.TRANSFER_SRC, TextureLayout.GENERAL));
                list.barrier(forHost);
            });
            return ValidatedDevice.words(readback);
        }
    }

    private static void assertCounts(int[] words, int base) {
        for (int i = 0; i < WORDS; i++) {
            assertThat(words[i]).as("word %d", i).isEqualTo(base + i);
        }
    }

    @Test
    void whatOneDeviceWritesTheOtherReads() {
        assumeSharing();
        try (Buffer ours = first.createSharedBuffer("ours", BOTH)) {
            SharedMemory shared = first.share(ours);
            assertThat(shared.bytes()).isGreaterThanOrEqualTo(BYTES);
            try (Buffer theirs = second.importBuffer("theirs", BOTH, shared)) {
                write(first, ours, 1000);
                assertCounts(read(second, theirs), 1000);
                write(second, theirs, 5000);
                assertCounts(read(first, ours), 5000);
            }
        }
    }

    @Test
    void theTexelsThatOneDeviceWritesTheOtherReads() {
        assumeSharing();
        try (Texture ours = first.createSharedTexture("ours", PICTURE);
                Texture theirs = second.importTexture("theirs", first.share(ours))) {
            assertThat(theirs.description()).isEqualTo(PICTURE);
            run(
                    first,
                    list -> list.barrier(
                            ValidatedDevice.transition(ours, TextureLayout.UNDEFINED, TextureLayout.GENERAL)));
            run(
                    second,
                    list -> list.barrier(
                            ValidatedDevice.transition(theirs, TextureLayout.UNDEFINED, TextureLayout.GENERAL)));
            write(first, ours, 1000);
            assertCounts(read(second, theirs), 1000);
            write(second, theirs, 5000);
            assertCounts(read(first, ours), 5000);
        }
        second.waitIdle();
        assertThat(second.memoryStatistics().byKind()).doesNotContainKey(MemoryStatistics.Kind.TEXTURE);
    }

    @Test
    void texturesThatDoNotFitAreRefused() {
        assumeSharing();
        try (Texture ours = first.createSharedTexture("ours", PICTURE);
                Texture plain = first.createTexture("plain", PICTURE)) {
            SharedTexture shared = first.share(ours);
            SharedMemory memory = shared.memory();
            TextureDescription larger = TextureDescription.of(256, 256, Format.R32_UINT, TextureUsage.COPY_SRC);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importTexture("larger", new SharedTexture(undescribed(memory), larger)),
                    "texture 'larger' needs ",
                    "imported from " + memory.bytes());
            String nobody = "0".repeat(32);
            SharedMemory elsewhere = new SharedMemory(
                    memory.fileDescriptor(), memory.bytes(), memory.memoryType(), nobody, memory.driver(), memory.of());
            refused(
                    IllegalArgumentException.class,
                    () -> second.importTexture("elsewhere", new SharedTexture(elsewhere, PICTURE)),
                    "texture 'elsewhere' is imported from device " + nobody,
                    "this is device " + memory.device(),
                    "of one GPU and driver");
            refused(IllegalArgumentException.class, () -> first.share(plain), "'plain'", "createSharedTexture");
            refused(IllegalArgumentException.class, () -> second.share(ours), "texture 'ours' is of another device");
            assertThat(UNISTD.close(null, memory.fileDescriptor())).isZero();
        }
    }

    /** It does not know what the other device has written. */
    @Test
    void aCheckerTakesSharedContentsAsDefined() {
        assumeSharing();
        HazardChecker checker = new HazardChecker();
        try (Buffer ours = first.createSharedBuffer("ours", BOTH);
                VulkanDevice checked = VulkanDevices.open(
                        "", new DeviceOptions(tasks, "checked", true, checker).require(Capability.EXTERNAL_MEMORY_FD));
                Buffer theirs = checked.importBuffer("theirs", BOTH, first.share(ours));
                Buffer copy = checked.createBuffer("copy", BOTH)) {
            write(first, ours, 7);
            run(checked, list -> {
                list.beginPass(
                        "copy",
                        List.of(
                                new ResourceUse.OfBuffer(theirs, 0, BYTES, Access.COPY_SRC, false),
                                new ResourceUse.OfBuffer(copy, 0, BYTES, Access.COPY_DST, true)));
                list.copyBuffer(theirs, 0, copy, 0, BYTES);
                list.endPass();
            });
            assertThat(checker.passesChecked()).isEqualTo(1);
            assertThat(checker.hazards()).isEmpty();
        }
    }

    /** The importer keeps the memory, as a process does that outlives the one it has it from. */
    @Test
    void memoryLivesAsLongAsAnybodyHasIt() {
        assumeSharing();
        Buffer ours = first.createSharedBuffer("ours", BOTH);
        try (Buffer theirs = second.importBuffer("theirs", BOTH, first.share(ours))) {
            write(first, ours, 7);
            ours.close();
            first.waitIdle();
            assertCounts(read(second, theirs), 7);
            assertThat(buffers(second)).isGreaterThanOrEqualTo(BYTES);
        }
        assertThat(buffers(first)).isZero();
        second.waitIdle();
        assertThat(buffers(second)).isZero();
    }

    private static long buffers(VulkanDevice device) {
        return device.memoryStatistics().byKind().getOrDefault(MemoryStatistics.Kind.BUFFER, 0L);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assumeSharing();
        try (Buffer ours = first.createSharedBuffer("ours", BOTH);
                Buffer plain = first.createBuffer("plain", BOTH)) {
            SharedMemory shared = first.share(ours);
            BufferDescription larger = BufferDescription.device(16 * BYTES, BufferUsage.COPY_SRC);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("larger", larger, undescribed(shared)),
                    "'larger' needs " + 16 * BYTES,
                    "imported from " + shared.bytes());
            SharedMemory elsewhere = new SharedMemory(
                    shared.fileDescriptor(), shared.bytes(), 40, shared.device(), shared.driver(), shared.of());
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("elsewhere", BOTH, elsewhere),
                    "of type 40");
            refused(IllegalArgumentException.class, () -> first.share(plain), "'plain'", "createSharedBuffer");
            refused(IllegalArgumentException.class, () -> second.share(ours), "'ours' is of another device");
            refused(
                    IllegalArgumentException.class,
                    () -> first.createSharedBuffer("mapped", BufferDescription.readback(16)),
                    "'mapped' is shared as READBACK");
            SharedMemory none = withDescriptor(shared, 1 << 20);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("none", BOTH, none),
                    "'none' is imported from " + (1 << 20) + ", which is no open file descriptor");
            // No import has taken it.
            assertThat(UNISTD.close(null, shared.fileDescriptor())).isZero();
        }
    }

    /** As another library hands it over. */
    private static SharedMemory undescribed(SharedMemory shared) {
        return new SharedMemory(
                shared.fileDescriptor(), shared.bytes(), shared.memoryType(), shared.device(), shared.driver(), null);
    }

    private static SharedMemory withDescriptor(SharedMemory shared, int descriptor) {
        return new SharedMemory(
                descriptor, shared.bytes(), shared.memoryType(), shared.device(), shared.driver(), shared.of());
    }

    /** Drivers take what is as large, and do with it what they like. */
    @Test
    void whatIsDescribedOtherwiseIsRefused() {
        assumeSharing();
        TextureDescription format = TextureDescription.of(
                32, WORDS / 32, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
        TextureDescription shape =
                TextureDescription.of(64, WORDS / 64, Format.R32_UINT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
        TextureDescription usage = TextureDescription.of(32, WORDS / 32, Format.R32_UINT, TextureUsage.SAMPLED);
        try (Texture ours = first.createSharedTexture("ours", PICTURE);
                Buffer bytes = first.createSharedBuffer("bytes", BOTH)) {
            SharedMemory texture = first.share(ours).memory();
            SharedMemory buffer = first.share(bytes);
            for (TextureDescription other : List.of(format, shape, usage)) {
                refused(
                        IllegalArgumentException.class,
                        () -> second.importTexture("theirs", new SharedTexture(texture, other)),
                        "texture 'theirs' is described as " + other,
                        "imported from memory of " + PICTURE,
                        "describe both alike");
            }
            refused(
                    IllegalArgumentException.class,
                    () -> second.importTexture("theirs", new SharedTexture(buffer, PICTURE)),
                    "imported from memory of " + BOTH);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("theirs", BOTH, texture),
                    "imported from memory of " + PICTURE);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("theirs", BufferDescription.device(BYTES, BufferUsage.STORAGE), buffer),
                    "imported from memory of " + BOTH);
            second.importBuffer("of another interface", BOTH, undescribed(buffer))
                    .close();
            assertThat(UNISTD.close(null, texture.fileDescriptor())).isZero();
        }
    }

    @Test
    void aFileIsNoMemory(@TempDir Path folder) throws Exception {
        assumeSharing();
        Path file = Files.write(folder.resolve("file"), new byte[(int) BYTES]);
        try (Buffer ours = first.createSharedBuffer("ours", BOTH);
                InputStream open = Files.newInputStream(file);
                Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.read()).isZero();
            int descriptor = descriptors
                    .filter(each -> file.equals(target(each)))
                    .mapToInt(each -> Integer.parseInt(each.getFileName().toString()))
                    .findFirst()
                    .orElseThrow();
            SharedMemory shared = first.share(ours);
            SharedMemory wrong = withDescriptor(shared, descriptor);
            refused(
                    IllegalArgumentException.class,
                    () -> second.importBuffer("theirs", BOTH, wrong),
                    "buffer 'theirs' is imported from file descriptor " + descriptor + ", which is of no memory",
                    "VulkanDevice.share");
            assertThat(UNISTD.close(null, shared.fileDescriptor())).isZero();
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException gone) {
            return link;
        }
    }

    /** Vulkan exports only what was allocated for that. */
    @Test
    void whatIsImportedOrClosedIsNotShared() {
        assumeSharing();
        Buffer ours = first.createSharedBuffer("ours", BOTH);
        try (Buffer theirs = second.importBuffer("theirs", BOTH, first.share(ours))) {
            refused(IllegalArgumentException.class, () -> second.share(theirs), "'theirs'", "createSharedBuffer");
        }
        ours.close();
        refused(IllegalStateException.class, () -> first.share(ours), "'ours' is shared after it was closed");
    }

    /** Also where the driver has taken the memory already. */
    @Test
    void anImportThatFailsTakesNoFileDescriptor() throws Exception {
        assumeSharing();
        assertThat(ChildJvm.run(FailingImport.class).stream().filter(line -> line.startsWith("import: ")))
                .containsExactly("import: bind the memory of buffer 'theirs'", "import: 0", "import: []");
    }

    /** Imports, in a process of its own, a buffer to which the driver binds no memory. */
    static final class FailingImport {
        private FailingImport() {}

        public static void main(String[] arguments) {
            FaultyVulkan driver = FaultyVulkan.install();
            driver.arm(null, false);
            try (TaskGraph tasks =
                            TaskGraph.builder().name("importing").workers(1).build();
                    VulkanDevice device = VulkanDevices.open(
                            "",
                            new DeviceOptions(tasks, "importing", true, null).require(Capability.EXTERNAL_MEMORY_FD));
                    Buffer ours = device.createSharedBuffer("ours", BOTH)) {
                SharedMemory shared = device.share(ours);
                driver.arm(new FaultyVulkan.Fault("vkBindBufferMemory", 1, VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY), false);
                try {
                    device.importBuffer("theirs", BOTH, shared);
                } catch (GpuException e) {
                    String message = String.valueOf(e.getMessage());
                    System.out.println("import: " + message.replaceAll("(cannot )?(.*'theirs').*", "$2"));
                }
                System.out.println("import: " + UNISTD.close(null, shared.fileDescriptor()));
                System.out.println("import: " + device.validationMessages());
            }
        }
    }

    @Test
    void aDeviceWithoutTheCapabilityNamesIt() {
        VulkanDevice plain = VulkanDevices.open("", new DeviceOptions(tasks, "plain", true, null));
        try {
            refused(
                    GpuException.class,
                    () -> plain.createSharedBuffer("ours", BOTH),
                    "'ours'",
                    "EXTERNAL_MEMORY_FD",
                    "DeviceOptions.require");
        } finally {
            plain.close();
        }
    }

    private static void refused(Class<? extends Throwable> type, Runnable action, String... words) {
        assertThatThrownBy(action::run).isInstanceOf(type).hasMessageContainingAll(words);
    }
}
