package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.record.CommandRig.Backend;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Depth bias and line width as commands are held against the device alike by all backends. */
@Timeout(60)
class DynamicStateContractTest {
    @ParameterizedTest
    @EnumSource(Backend.class)
    void linesAreAsWideAsTheDeviceDrawsThem(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Pipelines limits = rig.device.capabilities().limits().pipelines();
            assertThat(limits.minLineWidth()).isLessThanOrEqualTo(1);
            assertThat(limits.maxLineWidth()).isGreaterThanOrEqualTo(1);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            for (float width : new float[] {1, limits.minLineWidth(), limits.maxLineWidth()}) {
                list.setLineWidth(width);
            }
            for (float width : new float[] {-1, limits.maxLineWidth() + 1, Float.NaN, Float.POSITIVE_INFINITY}) {
                assertThatThrownBy(() -> list.setLineWidth(width))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("setLineWidth in command list 'list'")
                        .hasMessageContaining("to " + limits.maxLineWidth() + ", got " + width);
            }
            list.end();
            assertThatThrownBy(() -> list.setLineWidth(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void depthBiasIsFiniteAndClampedWhereTheDeviceCan(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.setDepthBias(-2, 1.5f, 0);
            if (rig.device.capabilities().limits().pipelines().depthBiasClamp()) {
                list.setDepthBias(1, 0, 0.01f);
            } else {
                assertThatThrownBy(() -> list.setDepthBias(1, 0, 0.01f))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("cannot clamp a depth bias; give clamp 0");
            }
            for (float odd : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
                for (int place = 0; place < 3; place++) {
                    float[] numbers = {0, 0, 0};
                    numbers[place] = odd;
                    assertThatThrownBy(() -> list.setDepthBias(numbers[0], numbers[1], numbers[2]))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("setDepthBias in command list 'list' needs finite numbers");
                }
            }
            list.end();
            assertThatThrownBy(() -> list.setDepthBias(0, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
            rig.frame.reset();
        }
    }
}
