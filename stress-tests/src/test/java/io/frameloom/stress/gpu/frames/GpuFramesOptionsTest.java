package io.frameloom.stress.gpu.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GpuFramesOptionsTest {
    private static GpuFramesOptions parse(String... arguments) {
        return GpuFramesOptions.parse(arguments, 7);
    }

    @Test
    void withoutOptionsTwoHundredGraphsOnAllQueues() {
        assertThat(parse())
                .isEqualTo(new GpuFramesOptions(new DeviceSelector.Auto(), QueueCounts.ALL, 7, 0, 200, false));
    }

    @Test
    void readsEachOption() {
        assertThat(parse("--device", "Some GPU", "--queues", "2,1,1", "--seed", "-3", "--graphs", "9"))
                .isEqualTo(new GpuFramesOptions(
                        new DeviceSelector.Named("Some GPU"), new QueueCounts(2, 1, 1), -3, 0, 9, false));
        assertThat(parse("--minutes", "0.5", "--validate", "yes"))
                .isEqualTo(new GpuFramesOptions(new DeviceSelector.Auto(), QueueCounts.ALL, 7, 0.5, 0, true));
        assertThat(parse("--validate", "yes", "--validate", "no").validation()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--graph 3|unknown option --graph",
                "--graphs|--graphs needs a number, got ''",
                "--graphs 1.5|--graphs needs a number, got '1.5'",
                "--graphs 0|--graphs: must be from 1 to 10000000, got 0",
                "--minutes x|--minutes needs a number, got 'x'",
                "--minutes -1|--minutes: must be positive",
                "--minutes NaN|--minutes: must be positive",
                "--seed 1e3|--seed needs a number, got '1e3'",
                "--validate maybe|--validate: is yes or no, got 'maybe'",
                "--queues 0,1,1|--queues: a device has 1 to 64 graphics queues and 0 to 64 compute and copy queues,"
                        + " got 0, 1 and 1",
                "--queues 2,1|--queues: numbers of queues are 'all' or GRAPHICS,COMPUTE,COPY as in 2,1,1, got '2,1'",
                "--device virtual:seed=x|--device: setting 'seed' of the virtual device needs a whole number, got 'x'",
                "--minutes 1 --graphs 1|--minutes and --graphs both say how long it runs; give one of them"
            },
            quoteCharacter = '"')
    void whatIsWrongIsTold(String arguments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(arguments.split(" ")))
                .withMessage(message);
    }
}
