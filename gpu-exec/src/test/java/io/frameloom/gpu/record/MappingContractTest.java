package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the host sees of buffers, and of those that no ByteBuffer can show as a whole. */
@Timeout(60)
class MappingContractTest {
    /** More than a ByteBuffer has; of memory that nobody touches there are no pages. */
    private static final long LARGE = (1L << 31) + (1 << 20);

    private static void refused(Class<? extends Throwable> type, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(type).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void aPartShowsTheBytesOfTheWhole(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer buffer = rig.upload(new int[] {1, 2, 3, 4});
            ByteBuffer part = buffer.mapped(4, 8);
            assertThat(part.order()).isEqualTo(ByteOrder.nativeOrder());
            assertThat(part.position()).isZero();
            assertThat(part.limit()).isEqualTo(8);
            assertThat(part.getInt(0)).isEqualTo(2);
            part.putInt(4, 7);
            assertThat(buffer.mapped().getInt(8)).isEqualTo(7);
            assertThat(buffer.mapped(16, 0).remaining()).isZero();
            Buffer read = rig.readback(16);
            rig.execute(list -> list.copyBuffer(buffer, 0, read, 0, 16));
            assertThat(words(read)).containsExactly(1, 2, 7, 4);
            assertThat(read.mapped(8, 4).getInt(0)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsAreWithinBuffersThatTheHostSees(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer upload = rig.upload(new int[4]);
            Class<IllegalArgumentException> bad = IllegalArgumentException.class;
            refused(bad, () -> upload.mapped(-1, 4), "-1+4", "'upload' of 16 bytes");
            refused(bad, () -> upload.mapped(0, -1), "0+-1", "'upload' of 16 bytes");
            refused(bad, () -> upload.mapped(13, 4), "13+4", "'upload' of 16 bytes");
            refused(bad, () -> upload.mapped(Long.MAX_VALUE, 4), "'upload' of 16 bytes");
            Buffer unseen = rig.buffer("unseen", 16, BufferUsage.STORAGE);
            refused(IllegalStateException.class, unseen::mapped, "buffer 'unseen' is in DEVICE memory", "READBACK");
            refused(IllegalStateException.class, () -> unseen.mapped(0, 4), "'unseen' is in DEVICE memory", "READBACK");
            upload.close();
            refused(IllegalStateException.class, upload::mapped, "buffer 'upload' is closed");
            refused(IllegalStateException.class, () -> upload.mapped(0, 4), "buffer 'upload' is closed");
        }
    }

    @Test
    void buffersThatNoByteBufferShowsAreSeenInParts() {
        BufferDescription description = BufferDescription.upload(LARGE, BufferUsage.COPY_SRC);
        Buffer large = (Buffer) Proxy.newProxyInstance(
                Buffer.class.getClassLoader(),
                new Class<?>[] {Buffer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> "large";
                    case "description" -> description;
                    case "isClosed" -> false;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        refused(
                IllegalStateException.class,
                () -> MappingRules.whole(large, true),
                "buffer 'large' of " + LARGE + " bytes is too large to be seen as one ByteBuffer",
                "mapped(offset, bytes)");
        MappingRules.part(large, true, LARGE - 8, 8);
        MappingRules.part(large, true, LARGE - Integer.MAX_VALUE, Integer.MAX_VALUE);
        refused(IllegalArgumentException.class, () -> MappingRules.part(large, true, LARGE - 7, 8), "'large'");
    }

    /** Needs more memory than lavapipe 22.3 says that it has, which is 2 GiB. */
    @Test
    void largeBuffersAreSeenInParts() {
        try (CommandRig rig = new CommandRig(Backend.VULKAN)) {
            Buffer large = large(rig);
            refused(IllegalStateException.class, large::mapped, "'large'", "mapped(offset, bytes)");
            large.mapped(LARGE - 8, 8).putLong(0, 42);
            assertThat(large.mapped(LARGE - 4096, 4096).getLong(4088)).isEqualTo(42);
            assertThat(large.mapped(LARGE - Integer.MAX_VALUE, Integer.MAX_VALUE)
                            .getLong(Integer.MAX_VALUE - 8))
                    .isEqualTo(42);
            Buffer read = rig.readback(16);
            rig.execute(list -> list.copyBuffer(large, LARGE - 8, read, 0, 8));
            assertThat(read.mapped().getLong(0)).isEqualTo(42);
        }
    }

    private static Buffer large(CommandRig rig) {
        try {
            return rig.own(rig.device.createBuffer("large", BufferDescription.upload(LARGE, BufferUsage.COPY_SRC)));
        } catch (GpuOutOfMemoryException | IllegalArgumentException tooLarge) {
            return abort("too large for the device: " + tooLarge.getMessage());
        }
    }

    @Test
    void theVirtualDeviceHoldsLargeBuffersThatTheHostDoesNotSee() {
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL)) {
            refused(
                    IllegalArgumentException.class,
                    () -> rig.device.createBuffer("large", BufferDescription.upload(LARGE, BufferUsage.COPY_SRC)),
                    "buffer 'large' of " + LARGE + " bytes in UPLOAD memory is too large",
                    "maps at most 2147483647 bytes",
                    "DEVICE memory");
            refused(
                    IllegalArgumentException.class,
                    () -> rig.device.requirements(BufferDescription.readback(LARGE)),
                    "in READBACK memory is too large");
            assertThat(rig.device.memoryStatistics().allocations())
                    .noneMatch(allocation -> allocation.name().equals("large"));
            Buffer sparse = rig.buffer("sparse", LARGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer read = rig.readback(16);
            rig.execute(list -> {
                list.fillBuffer(sparse, 0, LARGE, 1);
                CommandRig.full(list);
                list.fillBuffer(sparse, LARGE - 8, 4, 2);
                CommandRig.full(list);
                list.copyBuffer(sparse, LARGE - 16, read, 0, 16);
            });
            assertThat(words(read)).containsExactly(1, 1, 2, 1);
        }
    }
}
