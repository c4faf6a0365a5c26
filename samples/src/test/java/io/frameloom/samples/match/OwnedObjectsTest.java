package io.frameloom.samples.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever fails to close, the rest is closed. */
@Timeout(60)
final class OwnedObjectsTest {
    @Test
    void allAreClosedAndTheFirstFailureIsThrownWithTheOthers() {
        List<String> closed = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        AssertionError second = new AssertionError("second");
        Exception third = new Exception("third");
        OwnedObjects objects = new OwnedObjects();
        objects.own(() -> closed.add("a"));
        objects.own(() -> {
            throw third;
        });
        objects.own(() -> {
            throw second;
        });
        objects.own(() -> closed.add("b"));
        objects.own(() -> {
            throw first;
        });
        assertThatThrownBy(objects::close).isSameAs(first);
        assertThat(closed).containsExactly("b", "a");
        assertThat(first.getSuppressed()).hasSize(2);
        assertThat(first.getSuppressed()[0]).isSameAs(second);
        assertThat(first.getSuppressed()[1])
                .isInstanceOf(IllegalStateException.class)
                .hasCause(third);
        objects.close();
    }

    @Test
    void theFailureThatEndedTheRestIsKept() {
        IllegalStateException closing = new IllegalStateException("closing");
        Exception failure = new Exception("failure");
        OwnedObjects objects = new OwnedObjects();
        objects.own(() -> {
            throw closing;
        });
        objects.closeAfter(failure);
        assertThat(failure.getSuppressed()).containsExactly(closing);
    }

    /** A device whose buffers complain when they are closed, and that refuses to make one of them. */
    private static final class Complaining implements InvocationHandler {
        private final GpuDevice device;
        private final String refused;
        private final List<String> open = new ArrayList<>();

        Complaining(GpuDevice device, String refused) {
            this.device = device;
            this.refused = refused;
        }

        GpuDevice proxy() {
            return (GpuDevice)
                    Proxy.newProxyInstance(GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, this);
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (!method.getName().equals("createBuffer")) {
                return call(device, method, arguments);
            }
            String name = (String) arguments[0];
            if (name.equals(refused)) {
                throw new IllegalStateException("no " + name);
            }
            Buffer buffer = (Buffer) call(device, method, arguments);
            open.add(name);
            return Proxy.newProxyInstance(
                    Buffer.class.getClassLoader(), new Class<?>[] {Buffer.class}, (self, called, given) -> {
                        Object result = call(buffer, called, given);
                        if (called.getName().equals("close")) {
                            open.remove(name);
                            throw new IllegalStateException(name + " complains");
                        }
                        return result;
                    });
        }

        private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Test
    void aMatcherOfWindowsClosesAllThatItHas() {
        try (TaskGraph tasks = TaskGraph.builder().name("match").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 3), new DeviceOptions(tasks, "match tests", false, null))) {
            Complaining complaining = new Complaining(device, "");
            WindowMatcher windows = new WindowMatcher(complaining.proxy(), 64);
            assertThat(complaining.open).contains("window", "results");
            assertThatThrownBy(windows::close)
                    .hasMessage("results complains")
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(10));
            assertThat(complaining.open).isEmpty();

            Complaining refusing = new Complaining(device, "results");
            assertThatThrownBy(() -> new WindowMatcher(refusing.proxy(), 64)).hasMessage("no results");
            assertThat(refusing.open).isEmpty();
        }
    }
}
