package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What no pass declares the checker cannot judge, and says so. */
class UndeclaredAccessContractTest {
    private static final long BYTES = 64;

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, BYTES, access, access.writes());
    }

    /** Records and executes a list of commands on two buffers. */
    private interface Commands {
        void record(CommandList list, Buffer first, Buffer second, Buffer staging);
    }

    private static void check(Backend backend, Commands commands, Consumer<List<Hazard>> expected) {
        HazardChecker checker = new HazardChecker();
        check(backend, checker, commands);
        assertThat(checker.hazards()).isEmpty();
        expected.accept(checker.undeclared());
    }

    private static void check(Backend backend, HazardChecker checker, Commands commands) {
        BufferDescription shape = BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        try (TaskGraph tasks = TaskGraph.builder().name("checked").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "checked", false, checker));
                FrameContext frame = device.createFrameContext("frame");
                Buffer first = device.createBuffer("first", shape);
                Buffer second = device.createBuffer("second", shape);
                Buffer staging =
                        device.createBuffer("staging", BufferDescription.upload(BYTES, BufferUsage.COPY_SRC))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            commands.record(list, first, second, staging);
            list.end();
            TimelinePoint done = queue.submit(new Submission("frame", List.of(list), List.of()));
            assertThat(queue.timeline().await(done.value(), Duration.ofSeconds(60)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void commandsOutsideOfPassesAreReported(Backend backend) {
        check(
                backend,
                (list, first, second, staging) -> {
                    list.fillBuffer(first, 0, BYTES, 1);
                    list.fillBuffer(first, 0, BYTES, 2);
                },
                hazards -> assertThat(hazards)
                        .extracting(Hazard::kind, Hazard::resource, Hazard::secondPass)
                        .containsExactly(tuple(Hazard.Kind.UNDECLARED_ACCESS, "first", "submission 'frame'")));
    }

    @ParameterizedTest
    @EnumSource
    void usesThatThePassDoesNotDeclareAreReported(Backend backend) {
        check(
                backend,
                (list, first, second, staging) -> {
                    list.beginPass("fill", List.of(use(first, Access.COPY_DST)));
                    list.fillBuffer(first, 0, BYTES, 1);
                    list.endPass();
                    list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
                    list.beginPass("copy", List.of(use(first, Access.COPY_SRC)));
                    list.copyBuffer(first, 0, second, 0, BYTES);
                    list.endPass();
                },
                hazards -> assertThat(hazards).singleElement().satisfies(hazard -> {
                    assertThat(hazard.kind()).isEqualTo(Hazard.Kind.UNDECLARED_ACCESS);
                    assertThat(hazard.resource()).isEqualTo("second");
                    assertThat(hazard.secondPass()).isEqualTo("copy");
                    assertThat(hazard.explanation())
                            .contains("'copy'")
                            .contains("'second'")
                            .contains("declare");
                }));
    }

    /** A missing declaration is a hazard where it matters: the barrier that would follow from it is missing, too. */
    @ParameterizedTest
    @EnumSource
    void readsOfBuffersThatNothingDeclaresComeAfterWrites(Backend backend) {
        assertThat(hazardsOfAnUndeclaredCopy(backend, BarrierBatch.GlobalBarrier.FULL))
                .isEmpty();
        assertThat(hazardsOfAnUndeclaredCopy(
                        backend,
                        new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                                PipelineStage.COPY.bit(), 0, PipelineStage.COMPUTE_SHADER.bit(), 0))))
                .singleElement()
                .satisfies(hazard -> {
                    assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
                    assertThat(hazard.firstPass()).isEqualTo("fill");
                    assertThat(hazard.secondPass()).isEqualTo("copy");
                    assertThat(hazard.explanation())
                            .endsWith("; pass 'copy' does not declare that it uses 'first' as COPY_SRC: declare it,"
                                    + " and the barrier follows");
                });
    }

    private static List<Hazard> hazardsOfAnUndeclaredCopy(Backend backend, BarrierBatch.GlobalBarrier between) {
        HazardChecker checker = new HazardChecker();
        check(backend, checker, (list, first, second, staging) -> {
            list.beginPass("fill", List.of(use(first, Access.COPY_DST)));
            list.fillBuffer(first, 0, BYTES, 1);
            list.endPass();
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(between)));
            list.beginPass("copy", List.of(use(second, Access.COPY_DST)));
            list.copyBuffer(first, 0, second, 0, BYTES);
            list.endPass();
        });
        assertThat(checker.undeclared())
                .singleElement()
                .extracting(Hazard::resource)
                .isEqualTo("first");
        return checker.hazards();
    }

    /** Each read is judged, and later writes come after it. */
    @ParameterizedTest
    @EnumSource
    void everyReadThatNothingDeclaresIsOrdered(Backend backend) {
        HazardChecker checker = new HazardChecker();
        long half = BYTES / 2;
        check(backend, checker, (list, first, second, staging) -> {
            list.beginPass("fill", List.of(new ResourceUse.OfBuffer(first, half, half, Access.COPY_DST, true)));
            list.fillBuffer(first, half, half, 1);
            list.endPass();
            list.beginPass("copy", List.of(use(second, Access.COPY_DST)));
            list.copyBuffer(first, 0, second, 0, half);
            list.copyBuffer(first, half, second, half, half);
            list.endPass();
            list.beginPass("again", List.of(new ResourceUse.OfBuffer(first, 0, half, Access.COPY_DST, true)));
            list.fillBuffer(first, 0, half, 1);
            list.endPass();
        });
        assertThat(checker.hazards())
                .extracting(Hazard::kind, Hazard::resource, Hazard::firstPass, Hazard::secondPass)
                .containsExactly(
                        tuple(Hazard.Kind.READ_AFTER_WRITE, "first", "fill", "copy"),
                        tuple(Hazard.Kind.WRITE_AFTER_READ, "first", "copy", "again"));
        assertThat(checker.undeclared()).hasSize(1);
    }

    /** A barrier uses nothing: it says what it is of. */
    @ParameterizedTest
    @EnumSource
    void whatIsDeclaredIsNotNorWhatBarriersName(Backend backend) {
        check(
                backend,
                (list, first, second, staging) -> {
                    list.beginPass("fill", List.of(use(first, Access.COPY_DST)));
                    list.fillBuffer(first, 0, BYTES, 1);
                    list.endPass();
                    list.barrier(new BarrierBatch(
                            List.of(),
                            List.of(new BarrierBatch.BufferBarrier(
                                    first, 0, BYTES, BarrierBatch.GlobalBarrier.FULL.scope(), null)),
                            List.of()));
                    list.beginPass("copy", List.of(use(first, Access.COPY_SRC), use(second, Access.COPY_DST)));
                    list.copyBuffer(first, 0, second, 0, BYTES);
                    list.endPass();
                },
                hazards -> assertThat(hazards).isEmpty());
    }

    /** What stays bound from one pass to the next is used by both. */
    @ParameterizedTest
    @EnumSource
    void whatWasBoundInAnotherPassIsReported(Backend backend) throws Exception {
        checkSecondPass(backend, (device, pipeline, list, words) -> {
            list.bindBuffer("Target", words, 0, BYTES);
            return () -> {};
        });
    }

    /** What is in a binding set is used by whoever uses the set. */
    @ParameterizedTest
    @EnumSource
    void whatIsInABindingSetIsReported(Backend backend) throws Exception {
        checkSecondPass(backend, (device, pipeline, list, words) -> {
            BindingSet set = device.createBindingSet(
                    "target", pipeline, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, BYTES)));
            list.bindSet(set);
            return set;
        });
    }

    /** Binds the words and returns what is to be closed before the device. */
    private interface Binding {
        AutoCloseable bind(GpuDevice device, ComputePipeline pipeline, CommandList list, Buffer words);
    }

    /** Dispatches twice with what is bound once: in a pass that declares it, and in one that does not. */
    private static void checkSecondPass(Backend backend, Binding binding) throws Exception {
        String write = """
                #version 450
                layout(local_size_x = 1) in;
                layout(set = 0, binding = 0) buffer Target { int target[]; };
                void main() { target[0] = 1; }
                """;
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("checked").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "checked", false, checker));
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = device.createBuffer("words", BufferDescription.device(BYTES, BufferUsage.STORAGE));
                ComputePipeline pipeline = device.createComputePipeline(new ComputePipelineDescription(
                        "write", new ShaderSource("write.comp", ShaderStage.COMPUTE, write), invocation -> {}))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            list.beginPass("first", List.of(use(words, Access.STORAGE_READ_WRITE_COMPUTE)));
            list.bindPipeline(pipeline);
            AutoCloseable bound = binding.bind(device, pipeline, list, words);
            list.dispatch(1, 1, 1);
            list.endPass();
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
            list.beginPass("second", List.of());
            list.dispatch(1, 1, 1);
            list.endPass();
            list.end();
            TimelinePoint done = queue.submit(new Submission("frame", List.of(list), List.of()));
            assertThat(queue.timeline().await(done.value(), Duration.ofSeconds(60)))
                    .isTrue();
            assertThat(checker.undeclared())
                    .extracting(Hazard::resource, Hazard::secondPass)
                    .containsExactly(tuple("words", "second"));
            bound.close();
        }
    }

    /** An image that is bound alone is read like any other; its sampler has no memory. */
    @ParameterizedTest
    @EnumSource
    void imagesThatAreBoundWithoutTheirSamplersAreReported(Backend backend) {
        String sample = """
                #version 450
                layout(local_size_x = 1) in;
                layout(set = 0, binding = 0) buffer Target { vec4 target; };
                layout(set = 0, binding = 1) uniform texture2D picture;
                layout(set = 0, binding = 2) uniform sampler how;
                void main() { target = texture(sampler2D(picture, how), vec2(0)); }
                """;
        HazardChecker checker = new HazardChecker();
        TextureDescription shape =
                TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST);
        try (TaskGraph tasks = TaskGraph.builder().name("checked").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "checked", false, checker));
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = device.createBuffer("words", BufferDescription.device(BYTES, BufferUsage.STORAGE));
                Texture picture = device.createTexture("picture", shape);
                ComputePipeline pipeline = device.createComputePipeline(new ComputePipelineDescription(
                        "sample", new ShaderSource("sample.comp", ShaderStage.COMPUTE, sample), invocation -> {}))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            ResourceUse write = use(words, Access.STORAGE_READ_WRITE_COMPUTE);
            SubresourceRange all = SubresourceRange.all(shape);
            list.barrier(new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(
                            picture,
                            all,
                            BarrierBatch.GlobalBarrier.FULL.scope(),
                            TextureLayout.UNDEFINED,
                            TextureLayout.TRANSFER_DST,
                            null)),
                    List.of(),
                    List.of()));
            list.beginPass(
                    "clear",
                    List.of(new ResourceUse.OfTexture(
                            picture, all, Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
            list.clearTexture(picture, all, RenderingInfo.ClearColor.BLACK_TRANSPARENT);
            list.endPass();
            list.barrier(new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(
                            picture,
                            all,
                            BarrierBatch.GlobalBarrier.FULL.scope(),
                            TextureLayout.TRANSFER_DST,
                            TextureLayout.SHADER_RO,
                            null)),
                    List.of(),
                    List.of()));
            list.beginPass(
                    "first",
                    List.of(
                            write,
                            new ResourceUse.OfTexture(
                                    picture, all, Access.SAMPLED_COMPUTE, false, TextureLayout.SHADER_RO)));
            list.bindPipeline(pipeline);
            list.bindBuffer("Target", words, 0, BYTES);
            list.bindTexture("picture", picture.view());
            list.bindSampler("how", device.sampler(SamplerDescription.NEAREST_CLAMP));
            list.dispatch(1, 1, 1);
            list.endPass();
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
            list.beginPass("second", List.of(use(words, Access.STORAGE_READ_WRITE_COMPUTE)));
            list.dispatch(1, 1, 1);
            list.endPass();
            list.end();
            TimelinePoint done = queue.submit(new Submission("frame", List.of(list), List.of()));
            assertThat(queue.timeline().await(done.value(), Duration.ofSeconds(60)))
                    .isTrue();
            assertThat(checker.hazards()).isEmpty();
            assertThat(checker.undeclared())
                    .extracting(Hazard::resource, Hazard::secondPass)
                    .containsExactly(tuple("picture", "second"));
        }
    }

    /** As a frame context gives it out: what the host writes nobody sees in any case. */
    @ParameterizedTest
    @EnumSource
    void uploadMemoryMayBeUsedUndeclared(Backend backend) {
        check(
                backend,
                (list, first, second, staging) -> {
                    list.beginPass("upload", List.of(use(first, Access.COPY_DST)));
                    list.copyBuffer(staging, 0, first, 0, BYTES);
                    list.endPass();
                },
                hazards -> assertThat(hazards).isEmpty());
    }
}
