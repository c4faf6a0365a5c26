package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A dispatch in whose kernel the virtual GPU stays until it is released. */
public final class HeldDispatch {
    private static final String TOUCH = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Data { int data[]; };
            void main() { data[0] = 1; }
            """;

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    /** Submits it to the first queue, using the first word of a buffer. */
    public TimelinePoint submit(VirtualRig rig, Buffer data) {
        ComputePipeline hold = rig.pipeline("hold", TOUCH, invocation -> stay());
        return rig.submit(rig.queue(0), List.of(), list -> {
            list.bindPipeline(hold);
            list.bindBuffer("Data", data, 0, 4);
            list.dispatch(1, 1, 1);
        });
    }

    private void stay() {
        running.countDown();
        try {
            if (!finish.await(VirtualRig.LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("not released");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the virtual GPU is in the kernel, for which somebody has to ask. */
    public void awaitRunning() throws InterruptedException {
        assertThat(running.await(VirtualRig.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    public void release() {
        finish.countDown();
    }
}
