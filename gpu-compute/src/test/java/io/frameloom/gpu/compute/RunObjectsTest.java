package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything of a run is closed, or the device, which names what is open when it is closed, could not be. */
@Timeout(60)
class RunObjectsTest {
    private static final VirtualGpuOptions OPTIONS =
            new VirtualGpuOptions(1, 3).withOrder(VirtualGpuOptions.Order.REVERSE);

    private static void withDevice(VirtualGpuOptions options, Consumer<GpuDevice> body) {
        try (TaskGraph tasks = TaskGraph.builder().name("run").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        options, new DeviceOptions(tasks, "run objects", false, null, SharedPrograms.CACHE))) {
            body.accept(device);
        }
    }

    /** Returns the device, which tells when a frame context of it is closed. */
    private static GpuDevice telling(GpuDevice device, CountDownLatch closed) {
        return proxy(GpuDevice.class, device, (method, result) -> {
            if (!method.equals("createFrameContext")) {
                return result;
            }
            return proxy(FrameContext.class, (FrameContext) result, (called, returned) -> {
                if (called.equals("close")) {
                    closed.countDown();
                }
                return returned;
            });
        });
    }

    private static <T> T proxy(Class<T> type, T real, BiFunction<String, Object, Object> behind) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return behind.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static void awaitClosed(CountDownLatch closed) {
        try {
            assertThat(closed.await(30, TimeUnit.SECONDS)).as("closed").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Buffer buffer(GpuDevice device) {
        return device.createBuffer("buffer", BufferDescription.device(256, BufferUsage.COPY_DST));
    }

    private static CommandList commands(RunObjects objects, Buffer buffer) {
        CommandList list = objects.begin();
        list.fillBuffer(buffer, 0, 256, 1);
        list.end();
        return list;
    }

    @Test
    void oneThatCannotBeClosedKeepsNoOtherOpen() {
        List<String> closed = new ArrayList<>();
        IllegalStateException second = new IllegalStateException("second");
        withDevice(OPTIONS, device -> {
            RunObjects objects = new RunObjects(device, "run");
            Buffer buffer = objects.own(buffer(device));
            objects.own(() -> closed.add("first"));
            objects.own(() -> {
                throw second;
            });
            objects.own(() -> closed.add("third"));
            objects.own(() -> {
                throw new IOException("fourth");
            });
            commands(objects, buffer);
            assertThatIllegalStateException()
                    .isThrownBy(objects::close)
                    .withMessageContaining("cannot be closed")
                    .satisfies(failure -> {
                        assertThat(failure).hasCauseInstanceOf(IOException.class);
                        assertThat(failure.getSuppressed()).containsExactly(second);
                    });
            assertThat(closed).containsExactly("third", "first");
            assertThat(buffer.isClosed()).isTrue();
            objects.close();
        });
    }

    @Test
    void aFailureOfTheRunIsToldBeforeThoseOfItsEnd() {
        withDevice(
                OPTIONS,
                device -> assertThatThrownBy(() -> {
                            try (RunObjects objects = new RunObjects(device, "run")) {
                                objects.own(() -> {
                                    throw new IllegalStateException("end");
                                });
                                commands(objects, objects.own(buffer(device)));
                                throw new IllegalArgumentException("run");
                            }
                        })
                        .isInstanceOf(IllegalArgumentException.class)
                        .satisfies(failure ->
                                assertThat(failure.getSuppressed()[0]).hasMessage("end")));
    }

    /** Nobody waits for the device, which begins with what it must when it is asked. */
    @Test
    void commandsThatTheDeviceIsAtWorkOnAreClosedLater() {
        withDevice(OPTIONS, device -> {
            CountDownLatch closed = new CountDownLatch(1);
            RunObjects objects = new RunObjects(telling(device, closed), "run");
            Buffer buffer = objects.own(buffer(device));
            long value = objects.submit(commands(objects, buffer));
            objects.close();
            assertThat(buffer.isClosed()).isTrue();
            awaitClosed(closed);
            assertThat(device.queues().get(0).timeline().completed()).isEqualTo(value);
        });
    }

    @Test
    void aLostDeviceIsAtWorkOnNothing() {
        withDevice(OPTIONS.withLossAt(1), device -> {
            RunObjects objects = new RunObjects(device, "run");
            Buffer buffer = objects.own(buffer(device));
            long value = objects.submit(commands(objects, buffer));
            assertThatThrownBy(() -> device.queues().get(0).timeline().await(value, Duration.ofSeconds(30)))
                    .isInstanceOf(DeviceLostException.class);
            objects.close();
        });
    }
}
