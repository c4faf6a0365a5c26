package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.TimestampSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A timestamp is written once between two resets, on all backends. */
@Timeout(60)
class TimestampContractTest {
    private static void refused(CommandList list, TimestampSet stamps, int index) {
        assertThatThrownBy(() -> list.writeTimestamp(stamps, index))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'" + list.label() + "'")
                .hasMessageContaining("timestamp " + index + " of set 'stamps' is written already");
    }

    @ParameterizedTest
    @EnumSource
    void aTimestampIsWrittenOnceUntilItsSetIsReset(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TimestampSet stamps = rig.own(rig.device.createTimestampSet("stamps", 2));
            for (int round = 0; round < 3; round++) {
                stamps.reset();
                rig.execute(list -> {
                    list.writeTimestamp(stamps, 0);
                    refused(list, stamps, 0);
                    CommandList other = rig.frame.beginCommands(rig.queue(), "other");
                    refused(other, stamps, 0);
                    other.end();
                    list.writeTimestamp(stamps, 1);
                });
                if (rig.device.capabilities().timestamps()) {
                    assertThat(stamps.readNanos()).doesNotContain(Long.MIN_VALUE);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListThatIsNeverSubmittedCounts(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TimestampSet stamps = rig.own(rig.device.createTimestampSet("stamps", 1));
            CommandList dropped = rig.frame.beginCommands(rig.queue(), "dropped");
            dropped.writeTimestamp(stamps, 0);
            dropped.end();
            rig.frame.reset();
            rig.execute(list -> refused(list, stamps, 0));
            stamps.reset();
            rig.execute(list -> list.writeTimestamp(stamps, 0));
        }
    }
}
