package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.LONG;
import static io.frameloom.gpu.TransferRig.buffer;
import static io.frameloom.gpu.TransferRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An allocation that waits holds nobody up who needs none, and ends well whatever happens meanwhile. */
class ReadbackAllocationContractTest {
    private static final int BYTES = 4096;
    private static final int GRANTED = 4 * BYTES;

    private final TaskGraph tasks =
            TaskGraph.builder().name("readbacks").workers(1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
        threads.shutdown();
        tasks.close();
    }

    @FunctionalInterface
    private interface Body {
        void run(Readbacks readbacks, Buffer source, FaultyDevice faulty) throws Exception;
    }

    private void with(Backend backend, Body body) throws Exception {
        try (GpuDevice real = backend.open(new DeviceOptions(tasks, "readbacks", false, null))) {
            FaultyDevice faulty = new FaultyDevice(real);
            GpuDevice device = faulty.device();
            try (Buffer source = buffer(real, "source", GRANTED)) {
                try (Readbacks readbacks = new Readbacks(device, device.queues().get(0), "readbacks", GRANTED)) {
                    body.run(readbacks, source, faulty);
                } finally {
                    goOn.countDown();
                }
                faulty.heal();
                real.waitIdle();
            }
        }
    }

    /** Reads twice as much as is at hand, on a thread whose allocation waits. */
    private Future<Readback> waiting(Readbacks readbacks, Buffer source, FaultyDevice faulty) throws Exception {
        try (Readback first = readbacks.read(source, 0, BYTES)) {
            bytes(first);
        }
        faulty.fail("createBuffer", new AssertionError("not failed"), () -> {
            reached.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return false;
        });
        Future<Readback> larger = threads.submit(() -> readbacks.read(source, 0, 2 * BYTES));
        reached.await();
        return larger;
    }

    @ParameterizedTest
    @EnumSource
    void readsThatNeedNoneGoOn(Backend backend) throws Exception {
        with(backend, (readbacks, source, faulty) -> {
            Future<Readback> larger = waiting(readbacks, source, faulty);
            Future<Integer> small = threads.submit(() -> {
                try (Readback readback = readbacks.read(source, 0, BYTES)) {
                    return bytes(readback).length;
                }
            });
            assertThat(small.get(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(BYTES);
            // What is being allocated counts as lent.
            assertThatThrownBy(() -> readbacks.read(source, 0, 3 * BYTES))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("have " + 2 * BYTES + " of " + GRANTED + " bytes in use");
            goOn.countDown();
            try (Readback readback = larger.get()) {
                assertThat(bytes(readback)).hasSize(2 * BYTES);
            }
            // The memory of other sizes makes room.
            try (Readback all = readbacks.read(source, 0, GRANTED)) {
                assertThat(bytes(all)).hasSize(GRANTED);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anAllocationThatFailsGivesItsShareBack(Backend backend) throws Exception {
        with(backend, (readbacks, source, faulty) -> {
            faulty.fail("createBuffer", new GpuOutOfMemoryException("no room"));
            assertThatThrownBy(() -> readbacks.read(source, 0, GRANTED)).isInstanceOf(GpuOutOfMemoryException.class);
            faulty.heal();
            try (Readback all = readbacks.read(source, 0, GRANTED)) {
                assertThat(bytes(all)).hasSize(GRANTED);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void closingMeanwhileRefusesTheRead(Backend backend) throws Exception {
        with(backend, (readbacks, source, faulty) -> {
            Future<Readback> larger = waiting(readbacks, source, faulty);
            threads.submit(readbacks::close).get(LONG.toSeconds(), TimeUnit.SECONDS);
            goOn.countDown();
            // The device fails if its memory is left open.
            assertThatThrownBy(larger::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("readbacks 'readbacks' were closed meanwhile");
        });
    }
}
