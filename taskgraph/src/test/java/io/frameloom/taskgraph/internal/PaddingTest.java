package io.frameloom.taskgraph.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** The pads around hot words are where they are meant to be. */
final class PaddingTest {
    @Test
    void aPaddedLongHas128BytesOnBothSides() {
        ClassLayout layout = ClassLayout.parseClass(PaddedLong.class);
        FieldLayout value = layout.fields().stream()
                .filter(f -> f.name().equals("value"))
                .findFirst()
                .orElseThrow();
        long firstOwn = layout.headerSize();
        assertThat(value.offset() - firstOwn).isGreaterThanOrEqualTo(128);
        assertThat(layout.instanceSize() - (value.offset() + value.size())).isGreaterThanOrEqualTo(128);
    }
}
