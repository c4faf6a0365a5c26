package io.frameloom.taskgraph.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** A task, its event, its counter and its list are one object of one cache line. */
final class TaskLayoutTest {
    @Test
    void aTaskHasAtMost64Bytes() {
        ClassLayout layout = ClassLayout.parseClass(Task.class);
        assertThat(layout.instanceSize()).as(layout.toPrintable()).isLessThanOrEqualTo(64);
    }
}
