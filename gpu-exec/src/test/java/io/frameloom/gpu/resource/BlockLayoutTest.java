package io.frameloom.gpu.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Places of members by the rules of GLSL, and members that cannot be. Real shaders: VulkanBufferAddressTest. */
class BlockLayoutTest {
    @Test
    void aVectorOfThreeIsAlignedAsOneOfFourOrAsAWord() {
        BlockLayout std430 = BlockLayout.std430();
        BlockLayout scalar = BlockLayout.scalar();
        assertThat(std430.word().at(0)).isZero();
        BlockLayout.Member wide = BlockLayout.std430().vector(3);
        assertThat(wide.at(2)).isEqualTo(32);
        scalar.word();
        BlockLayout.Member tight = scalar.vector(3);
        assertThat(tight.at(0, 2)).isEqualTo(12);
        assertThat(scalar.bytes()).isEqualTo(16);
    }

    @Test
    void badMembersAreRefused() {
        BlockLayout struct = BlockLayout.std430();
        assertThatThrownBy(() -> struct.vector(5)).hasMessage("a vector has 2 to 4 components a side, got 5");
        assertThatThrownBy(() -> struct.matrix(2, 1)).hasMessage("a matrix has 2 to 4 components a side, got 1");
        assertThatThrownBy(() -> struct.pointer(12))
                .hasMessage("a pointer's target is aligned to a power of two, got 12");
        assertThatThrownBy(() -> struct.structs(BlockLayout.scalar(), 1))
                .hasMessage("a struct in a block has the rules of the block; make both std430 or both scalar");
        assertThatThrownBy(() -> struct.structs(BlockLayout.std430(), 0))
                .hasMessage("an array has at least one struct, got 0");
        struct.word();
        assertThat(struct.bytes()).isEqualTo(4);
        assertThatThrownBy(struct::word)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the struct was asked for places; add its members before");
    }
}
