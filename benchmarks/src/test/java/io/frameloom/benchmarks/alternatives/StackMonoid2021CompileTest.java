package io.frameloom.benchmarks.alternatives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The baseline on a device that compiles only the first of its two pipelines. */
@Timeout(60)
final class StackMonoid2021CompileTest {
    private final List<String> done = new ArrayList<>();

    private <T> T stand(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void thePipelineBeforeOneThatDoesNotCompileIsClosed() {
        try (TaskGraph tasks = TaskGraph.builder().name("baseline").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "baseline", false, null))) {
            ComputePipeline pipeline = stand(ComputePipeline.class, (self, method, arguments) -> {
                done.add(method.getName());
                return null;
            });
            GpuDevice compiler = stand(GpuDevice.class, (self, method, arguments) -> {
                if (!method.getName().equals("createComputePipeline")) {
                    return method.invoke(device, arguments);
                }
                if (done.contains("compile")) {
                    throw new IllegalStateException("the fallback does not compile");
                }
                done.add("compile");
                return pipeline;
            });
            assertThatIllegalStateException()
                    .isThrownBy(() -> new StackMonoid2021(compiler, 64))
                    .withMessageContaining("does not compile");
            assertThat(done).containsExactly("compile", "close");
        }
    }
}
