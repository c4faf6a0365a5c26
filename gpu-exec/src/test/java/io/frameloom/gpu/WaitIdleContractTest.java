package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever has waited for a whole device may do what needs its work to be done, as far as the checker is concerned. */
class WaitIdleContractTest {
    /** So many that the device is still at work when it is waited for. */
    private static final long BYTES = 16 << 20;

    private static final int COPIES = 8;

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, BYTES, access, access.writes());
    }

    @ParameterizedTest
    @EnumSource
    void theHostMayRewriteWhatTheDeviceHasRead(Backend backend) {
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("idle").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "idle", false, checker));
                FrameContext frame = device.createFrameContext("frame");
                Buffer staging = device.createBuffer("staging", BufferDescription.upload(BYTES, BufferUsage.COPY_SRC));
                Buffer target = device.createBuffer("target", BufferDescription.device(BYTES, BufferUsage.COPY_DST))) {
            BarrierBatch all = new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
            GpuQueue queue = device.queues().get(0);
            for (int round = 0; round < 3; round++) {
                CommandList list = frame.beginCommands(queue, "list");
                list.beginPass("write", List.of(use(staging, Access.HOST_WRITE)));
                list.endPass();
                for (int i = 0; i < COPIES; i++) {
                    list.barrier(all);
                    list.beginPass("copy", List.of(use(staging, Access.COPY_SRC), use(target, Access.COPY_DST)));
                    list.copyBuffer(staging, 0, target, 0, BYTES);
                    list.endPass();
                }
                list.end();
                queue.submit(new Submission("frame", List.of(list), List.of()));
                device.waitIdle();
                frame.reset();
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }
}
