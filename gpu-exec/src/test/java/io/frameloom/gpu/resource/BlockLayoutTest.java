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

    /** A number that is given away would be a place of another member or element. */
    @Test
    void placesThatAreNotThereAreRefused() {
        BlockLayout struct = BlockLayout.std430();
        BlockLayout.Member tint = struct.vector(3);
        BlockLayout.Member flags = struct.word();
        assertThatThrownBy(() -> tint.at(0, 3))
                .hasMessage("part 3 of a member that has 3 parts: components, columns or structs, counted from 0");
        assertThatThrownBy(() -> tint.at(0, -1)).hasMessageStartingWith("part -1 of ");
        assertThatThrownBy(() -> flags.at(0, 1)).hasMessageStartingWith("part 1 of a member that has 1 part:");
        assertThatThrownBy(() -> flags.at(-1))
                .hasMessage(
                        "element -1 of structs of 16 bytes: elements are counted from 0, and begin within 2147483632"
                                + " bytes");
        assertThatThrownBy(() -> flags.at(1 << 28)).hasMessageStartingWith("element 268435456 of structs of 16 bytes");
        assertThatThrownBy(() -> tint.at((1 << 27) - 1, 1))
                .hasMessageStartingWith("element 134217727 of structs of 16");
        BlockLayout columns = BlockLayout.std430();
        BlockLayout.Member matrix = columns.matrix(3, 3);
        assertThatThrownBy(() -> matrix.at(44739242, 2)).hasMessageStartingWith("element 44739242 of structs of 48");
        assertThat(flags.at((1 << 27) - 2)).isEqualTo(Integer.MAX_VALUE - 16 - 3);
    }

    @Test
    void structsThatCannotBeAreRefused() {
        BlockLayout empty = BlockLayout.std430();
        assertThatThrownBy(empty::bytes).hasMessage("a struct has at least one member; add it before");
        BlockLayout struct = BlockLayout.std430();
        assertThatThrownBy(() -> struct.structs(empty, 5)).hasMessageContaining("at least one member");
        empty.matrix(4, 4);
        assertThatThrownBy(() -> struct.structs(empty, Integer.MAX_VALUE))
                .hasMessage("a struct has up to 2147483632 bytes, and would end at 137438953408");
    }
}
