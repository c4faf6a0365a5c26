package io.frameloom.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MaskSetTest {
    private static final BufferUsage[] ALL = BufferUsage.values();

    /** As sets of the JDK are, in both directions. */
    @Test
    void everySetIsEqualToOneOfTheJdk() {
        for (int mask = 0; mask < 1 << ALL.length; mask++) {
            EnumSet<BufferUsage> expected = EnumSet.noneOf(BufferUsage.class);
            for (BufferUsage usage : ALL) {
                if ((mask >> usage.ordinal() & 1) != 0) {
                    expected.add(usage);
                }
            }
            Set<BufferUsage> set = MaskSet.of(ALL, mask);
            assertThat(set).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
            assertThat((Object) expected).isEqualTo(set);
            assertThat(set).isEqualTo(MaskSet.copyOf(ALL, expected)).isNotEqualTo(MaskSet.of(ALL, mask ^ 1));
            assertThat(MaskSet.mask(set)).isEqualTo(mask);
            for (BufferUsage usage : ALL) {
                assertThat(set.contains(usage)).isEqualTo(expected.contains(usage));
                assertThat(MaskSet.has(set, usage)).isEqualTo(expected.contains(usage));
            }
        }
    }

    @Test
    void holdsConstantsOfOneEnumAlone() {
        Set<?> set = MaskSet.of(ALL, -1 >>> (Integer.SIZE - ALL.length));
        assertThat(set.contains(TextureUsage.SAMPLED)).isFalse();
        assertThat(set.contains("UNIFORM")).isFalse();
        assertThat(set.contains(null)).isFalse();
    }

    @Test
    void nobodyChangesIt() {
        Set<BufferUsage> set = BufferDescription.device(8, BufferUsage.STORAGE, BufferUsage.INDEX)
                .usage();
        assertThatThrownBy(() -> set.add(BufferUsage.VERTEX)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> set.remove(BufferUsage.INDEX)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(set::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(MaskSet.of(ALL, 0).iterator()::next).isInstanceOf(NoSuchElementException.class);
        assertThat(set).containsExactly(BufferUsage.STORAGE, BufferUsage.INDEX);
    }
}
