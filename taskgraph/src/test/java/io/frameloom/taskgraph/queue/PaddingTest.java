package io.frameloom.taskgraph.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.parts.PaddedLong;
import java.util.List;
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

    @Test
    void aDequeKeepsItsOwnersAndItsThievesWordsApart() {
        ClassLayout layout = ClassLayout.parseClass(WorkStealingDeque.class);
        List<FieldLayout> words = layout.fields().stream()
                .filter(f -> !f.typeClass().equals("byte"))
                .toList();
        List<FieldLayout> owners =
                words.stream().filter(f -> !f.name().equals("top")).toList();
        FieldLayout top =
                words.stream().filter(f -> f.name().equals("top")).findFirst().orElseThrow();
        long ownersBegin = owners.stream().mapToLong(FieldLayout::offset).min().orElseThrow();
        long ownersEnd =
                owners.stream().mapToLong(f -> f.offset() + f.size()).max().orElseThrow();
        assertThat(owners).hasSize(8);
        assertThat(ownersEnd - ownersBegin).isLessThanOrEqualTo(64);
        assertThat(ownersBegin - layout.headerSize()).isGreaterThanOrEqualTo(128);
        assertThat(top.offset() - ownersEnd).isGreaterThanOrEqualTo(128);
        assertThat(layout.instanceSize() - (top.offset() + top.size())).isGreaterThanOrEqualTo(128);
    }
}
