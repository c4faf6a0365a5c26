package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An observer hears of what a program was told to be complete, and not of what the device has done by the way. */
@Timeout(60)
class HostWaitsTest {
    private final ConcurrentLinkedQueue<Long> heard = new ConcurrentLinkedQueue<>();

    private final SubmissionObserver observer = new SubmissionObserver() {
        @Override
        public void submitted(SubmissionRecord record) {}

        @Override
        public void hostWaited(TimelinePoint point) {
            heard.add(point.value());
        }
    };

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(observer, new DeviceSeams(new StagedDriver(), Set.of()));

    private TimelinePoint submitNothing() {
        return gpu.graphics().submit(new Submission("nothing", List.of(), List.of()));
    }

    @Test
    void anEventTellsOfItsOwnValueAlone() {
        for (int round = 0; round < 50; round++) {
            TimelinePoint first = submitNothing();
            submitNothing();
            gpu.graphics().timeline().reached(first.value()).await();
            heard.clear();
            submitNothing();
            assertThat(heard).containsExactly(first.value());
        }
    }

    @Test
    void anAnswerTellsOfWhatItSays() {
        submitNothing();
        TimelinePoint second = submitNothing();
        assertThat(gpu.graphics().timeline().await(second.value(), ValidatedDevice.LONG))
                .isTrue();
        assertThat(gpu.graphics().timeline().completed()).isEqualTo(second.value());
        submitNothing();
        assertThat(heard).containsExactly(second.value());
    }
}
