package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** What a driver does that shows a point reached before everything is done, or fails in the thread that waits for it. */
@Timeout(60)
class VulkanEarlySignalTest {
    private volatile boolean onlyEarly;
    private volatile boolean brokenWaits;
    /** Whether values are broken, too, once a wait was. */
    private volatile boolean breakingValues;

    private volatile boolean brokenValues;

    private final ForwardingDriver driver = new ForwardingDriver() {
        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (brokenValues) {
                return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
            }
            if (onlyEarly) {
                MemoryUtil.memPutLong(address, 1);
                return VK13.VK_SUCCESS;
            }
            return super.counterValue(device, semaphore, address);
        }

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            if (brokenWaits) {
                brokenValues = breakingValues;
                onlyEarly = false;
                throw new IllegalStateException("broken for the test");
            }
            return onlyEarly && timeoutNanos == 0 && value > 1
                    ? VK13.VK_TIMEOUT
                    : super.waitSemaphore(device, semaphore, value, timeoutNanos);
        }
    };

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(null, new DeviceSeams(driver, Set.of()));

    @Test
    void aFrameIsRecycledWhenEverythingIsDoneAndNotAtTheEarlyPoint() {
        onlyEarly = true;
        FrameContext frame = gpu.own(gpu.device().createFrameContext("frame"));
        CommandList list = frame.beginCommands(gpu.graphics(), "list");
        list.end();
        long early = gpu.graphics()
                .submit(new Submission("early", List.of(list), List.of())
                        .signalling(PipelineStage.COMPUTE_SHADER.bit()))
                .value();
        assertThat(gpu.graphics().timeline().completed()).isEqualTo(early);
        assertThatThrownBy(frame::reset)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has not completed its submission " + (early + 1));
        onlyEarly = false;
        gpu.device().waitIdle();
        frame.reset();
    }

    /** Returns the event of a submission whose waiter dies. */
    private GraphEvent withoutWaiter() {
        onlyEarly = true;
        brokenWaits = true;
        gpu.graphics().submit(new Submission("first", List.of(), List.of()));
        long value = gpu.graphics()
                .submit(new Submission("second", List.of(), List.of()))
                .value();
        return gpu.graphics().timeline().reached(value);
    }

    @Test
    void eventsCompleteThoughTheThreadThatWouldCompleteThemDies() {
        assertThat(withoutWaiter().await(ValidatedDevice.LONG)).isTrue();
        assertThatThrownBy(() -> gpu.graphics().submit(new Submission("third", List.of(), List.of())))
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("broken for the test");
    }

    @Test
    void eventsFailWhenTheThreadThatWouldCompleteThemDiesAndNobodyKnowsTheirValues() {
        breakingValues = true;
        GraphEvent event = withoutWaiter();
        assertThatThrownBy(() -> event.await(ValidatedDevice.LONG))
                .isInstanceOf(TaskFailedException.class)
                .rootCause()
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("broken for the test");
    }
}
