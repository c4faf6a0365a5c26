package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
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

    private final ForwardingDriver driver = new ForwardingDriver() {
        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (onlyEarly) {
                MemoryUtil.memPutLong(address, 1);
                return VK13.VK_SUCCESS;
            }
            return super.counterValue(device, semaphore, address);
        }

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            if (brokenWaits) {
                throw new IllegalStateException("broken for the test");
            }
            return super.waitSemaphore(device, semaphore, value, timeoutNanos);
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

    @Test
    void eventsFailWhenTheThreadThatWouldCompleteThemDies() {
        onlyEarly = true;
        brokenWaits = true;
        gpu.graphics().submit(new Submission("first", List.of(), List.of()));
        long value = gpu.graphics()
                .submit(new Submission("second", List.of(), List.of()))
                .value();
        GraphEvent event = gpu.graphics().timeline().reached(value);
        assertThatThrownBy(() -> event.await(ValidatedDevice.LONG))
                .isInstanceOf(TaskFailedException.class)
                .rootCause()
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("broken for the test");
    }
}
