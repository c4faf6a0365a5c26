package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

/** Memory for the structures of one command after another. */
class CommandScratchTest {
    /** A validation layer keeps their address until it gets another. */
    @Test
    void numbersStayWhenOtherCommandsAreRecorded() {
        try (CommandScratch scratch = new CommandScratch()) {
            long numbers = scratch.numbers();
            MemoryUtil.memSet(scratch.unset(8192), -1, 8192);
            assertThat(scratch.numbers()).isEqualTo(numbers);
            assertThat(MemoryUtil.memIntBuffer(numbers, 9))
                    .isEqualTo(IntBuffer.wrap(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}));
        }
    }
}
