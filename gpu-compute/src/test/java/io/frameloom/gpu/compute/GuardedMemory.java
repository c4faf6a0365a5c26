package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;

/** Memory that a primitive may not write, or only within a range; closed with its buffer. */
abstract class GuardedMemory implements AutoCloseable {
    static final int CANARY_WORDS = 67;

    final BufferRange range;

    private GuardedMemory(BufferRange range) {
        this.range = range;
    }

    /** Fails if something was written that must not be. */
    abstract void check();

    @Override
    public void close() {
        range.buffer().close();
    }

    /** What is only read: words in mapped storage memory, with canaries around them. */
    static GuardedMemory input(ComputeRig rig, int[] words, int offset) {
        int[] all = new int[offset + words.length + CANARY_WORDS];
        Arrays.fill(all, ComputeRig.POISON);
        System.arraycopy(words, 0, all, offset, words.length);
        Buffer buffer = rig.device.createBuffer(
                "upload", BufferDescription.upload(4L * all.length, BufferUsage.STORAGE, BufferUsage.COPY_SRC));
        mapped(buffer).put(all);
        return new GuardedMemory(new BufferRange(buffer, 4L * offset, 4L * words.length)) {
            @Override
            void check() {
                assertThat(mapped(buffer).mismatch(IntBuffer.wrap(all)))
                        .as("first word that was written of an input of %d from word %d on", words.length, offset)
                        .isNegative();
            }
        };
    }

    private static IntBuffer mapped(Buffer buffer) {
        return buffer.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /** Poisoned scratch memory with canaries around it, which begins as crookedly as the device allows. */
    static GuardedMemory scratch(ComputeRig rig, long bytes) {
        int alignment = rig.device.capabilities().storageAlignment();
        long before = (4L * CANARY_WORDS / alignment | 1) * alignment;
        long behind = before + (bytes + 3) / 4 * 4;
        long end = behind + 4L * CANARY_WORDS;
        Buffer buffer = rig.device.createBuffer(
                "scratch",
                BufferDescription.device(end, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
        rig.execute(list -> ComputeRig.fill(list, buffer));
        return new GuardedMemory(new BufferRange(buffer, before, bytes)) {
            @Override
            void check() {
                assertThat(rig.read(new BufferRange(buffer, 0, before)))
                        .as("before the scratch memory")
                        .containsOnly(ComputeRig.POISON);
                assertThat(rig.read(new BufferRange(buffer, behind, end - behind)))
                        .as("behind the scratch memory")
                        .containsOnly(ComputeRig.POISON);
            }
        };
    }
}
