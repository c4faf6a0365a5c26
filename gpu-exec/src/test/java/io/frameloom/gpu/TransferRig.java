package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A device of a backend with an uploader and readbacks; the hazard checker and the validation layer must have nothing to
 * say, and whatever is left open fails the test when the device is closed.
 */
final class TransferRig {
    static final Duration LONG = Duration.ofSeconds(30);
    static final int RING = 64 << 10;
    static final int GRANTED = 1 << 20;

    private TransferRig() {}

    /** What is done with a device. */
    @FunctionalInterface
    interface Body {
        void run(GpuDevice device, Uploader uploader, Readbacks readbacks) throws Exception;
    }

    static void with(Backend backend, TaskGraph tasks, Body body) throws Exception {
        HazardChecker checker = new HazardChecker();
        try (GpuDevice device = backend.open(new DeviceOptions(tasks, "transfer", false, checker))) {
            try (Uploader uploader = new Uploader(device, "uploads", RING);
                    Readbacks readbacks = new Readbacks(device, device.queues().get(0), "readbacks", GRANTED)) {
                body.run(device, uploader, readbacks);
            }
            assertThat(device.validationMessages()).isEmpty();
        }
        assertThat(checker.hazards()).isEmpty();
    }

    static Buffer buffer(GpuDevice device, String name, int bytes) {
        return device.createBuffer(name, BufferDescription.device(bytes, BufferUsage.COPY_DST, BufferUsage.COPY_SRC));
    }

    static byte[] random(long seed, int bytes) {
        byte[] data = new byte[bytes];
        new SplittableRandom(seed).nextBytes(data);
        return data;
    }

    static byte[] bytes(Readback readback) {
        try (readback) {
            readback.event().await(LONG);
            ByteBuffer arrived = readback.bytes();
            byte[] data = new byte[arrived.remaining()];
            arrived.get(data);
            return data;
        }
    }
}
