package io.frameloom.gpu.vulkan.command;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanComputeTest;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.pipeline.KeptSets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Descriptor sets of bindings by name are kept by content, under validation and the hazard checker. */
@Timeout(60)
class VulkanKeptSetsTest {
    private static final String PUT = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Cell { uint cell; };
            layout(push_constant) uniform Push { uint amount; };
            void main() { cell = amount; }
            """;
    /** The largest alignment of storage buffers that a device may ask for. */
    private static final int STRIDE = 256;

    private static final int CELLS = 2_000;
    private static final int THREADS = 4;

    private final HazardChecker checker = new HazardChecker();

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(checker, DeviceSeams.none());

    private ComputePipeline put;
    private Buffer cells;
    private Buffer readback;
    private VulkanFrameContext context;
    private KeptSets sets;

    @BeforeEach
    void open() {
        put = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "put", new ShaderSource("put.comp", ShaderStage.COMPUTE, PUT), null)));
        cells = gpu.own(gpu.device()
                .createBuffer(
                        "cells",
                        BufferDescription.device((long) CELLS * STRIDE, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(4L * CELLS)));
        context = (VulkanFrameContext) gpu.own(gpu.device().createFrameContext("frame"));
        sets = context.sets();
    }

    private void put(CommandList list, Buffer into, int cell, int amount) {
        list.bindBuffer("Cell", into, (long) cell * STRIDE, 4);
        list.pushConstants(VulkanComputeTest.push(amount));
        list.dispatch(1, 1, 1);
    }

    /** Records a round, submits it, waits for it and recycles the context. */
    private void round(Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(gpu.graphics(), "round");
        list.bindPipeline(put);
        recorder.accept(list);
        finish(list);
    }

    /** Records a round that is not submitted. */
    private void record(Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(gpu.graphics(), "record");
        list.bindPipeline(put);
        recorder.accept(list);
        list.end();
        context.reset();
    }

    private void finish(CommandList list) {
        list.barrier(memory(
                PipelineStage.COMPUTE_SHADER, MemoryAccess.STORAGE_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
        for (int cell = 0; cell < 8; cell++) {
            list.copyBuffer(cells, (long) cell * STRIDE, readback, 4L * cell, 4);
        }
        list.end();
        submit(List.of(list));
    }

    private void submit(List<CommandList> lists) {
        long value =
                gpu.graphics().submit(new Submission("round", lists, List.of())).value();
        assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG)).isTrue();
        context.reset();
    }

    @Test
    void equalContentsAreWrittenOnce() {
        for (int i = 1; i <= 20; i++) {
            int base = 100 * i;
            round(list -> {
                for (int cell = 0; cell < 3; cell++) {
                    put(list, cells, cell, base + cell);
                }
            });
            assertThat(words(readback)).startsWith(base, base + 1, base + 2);
            assertThat(sets.written()).as("round %d", i).isEqualTo(3);
        }
        assertThat(sets.size()).isEqualTo(3);
        assertThat(checker.hazards()).isEmpty();
    }

    @Test
    void otherContentsTakeAnotherSet() {
        round(list -> put(list, cells, 0, 1));
        round(list -> put(list, cells, 1, 2));
        round(list -> {
            put(list, cells, 0, 3);
            list.bindBuffer("Cell", cells, 0, 8);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE));
            list.pushConstants(VulkanComputeTest.push(4));
            list.dispatch(1, 1, 1);
        });
        assertThat(words(readback)).startsWith(4, 2);
        assertThat(sets.written()).isEqualTo(3);
        assertThat(sets.size()).isEqualTo(3);
    }

    @Test
    void aContextHasSetsOfItsOwnSinceItsRoundsEndAlone() {
        VulkanFrameContext other = (VulkanFrameContext) gpu.own(gpu.device().createFrameContext("other"));
        round(list -> put(list, cells, 0, 1));
        CommandList list = other.beginCommands(gpu.graphics(), "other");
        list.bindPipeline(put);
        put(list, cells, 0, 2);
        list.end();
        assertThat(sets.written()).isEqualTo(1);
        assertThat(other.sets().written()).isEqualTo(1);
    }

    @Test
    void aSetGoesWithAResourceInItAndIsNotTakenForTheNextUnderItsHandle() {
        long handle = gpu.device().handles().buffer(cells);
        BufferDescription description = cells.description();
        Buffer before = gpu.own(gpu.device().importBuffer("before", handle, description));
        round(list -> put(list, before, 0, 1));
        round(list -> put(list, before, 0, 2));
        assertThat(sets.written()).isEqualTo(1);
        before.close();
        Buffer after = gpu.own(gpu.device().importBuffer("after", handle, description));
        round(list -> put(list, after, 0, 3));
        assertThat(words(readback)[0]).isEqualTo(3);
        assertThat(sets.written()).as("of equal handles, but another buffer").isEqualTo(2);
        assertThat(sets.size()).as("that of the closed one is gone").isEqualTo(1);
        round(list -> put(list, after, 0, 4));
        assertThat(sets.written()).isEqualTo(2);
    }

    @Test
    void idleSetsGoAndThenGoBackToTheirPools() {
        record(list -> {
            for (int cell = 0; cell < 200; cell++) {
                put(list, cells, cell, cell);
            }
        });
        for (int i = 0; i < KeptSets.LONGEST_IDLE; i++) {
            record(list -> put(list, cells, 0, 1));
            assertThat(sets.size()).as("after %d rounds", i + 1).isEqualTo(200);
        }
        record(list -> put(list, cells, 0, 1));
        assertThat(sets.size()).isEqualTo(1);
        assertThat(sets.held()).isEqualTo(200);
        for (int i = 0; i < KeptSets.LONGEST_IDLE; i++) {
            record(list -> put(list, cells, 0, 1));
        }
        assertThat(sets.held()).isEqualTo(1);
        assertThat(sets.written()).isEqualTo(200);
    }

    @Test
    void contentsThatNeverComeAgainAreBounded() {
        int each = 200;
        for (int i = 0; i < 20; i++) {
            int first = i * each;
            record(list -> {
                for (int cell = 0; cell < each; cell++) {
                    put(list, cells, (first + cell) % CELLS, cell);
                }
            });
            assertThat(sets.size()).isLessThanOrEqualTo(each + KeptSets.MOST_IDLE);
            assertThat(sets.held()).isLessThanOrEqualTo(2 * each + KeptSets.MOST_IDLE);
        }
    }

    @Test
    void moreSetsThanThereArePlacesAreFoundFromTheNextRoundOn() {
        for (int i = 0; i < 3; i++) {
            record(list -> {
                for (int cell = 0; cell < CELLS; cell++) {
                    put(list, cells, cell, cell);
                }
            });
            assertThat(sets.written()).as("round %d", i).isEqualTo(CELLS);
        }
    }

    @Test
    void threadsThatBindTheSameShareItsSets() throws Exception {
        int each = 64;
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        try {
            long afterFirst = 0;
            for (int i = 0; i < 30; i++) {
                int amount = i * 1000;
                List<Future<CommandList>> parts = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    parts.add(pool.submit(() -> {
                        together.await();
                        CommandList list = context.beginCommands(gpu.graphics(), "part");
                        list.bindPipeline(put);
                        list.barrier(memory(
                                PipelineStage.COMPUTE_SHADER,
                                MemoryAccess.STORAGE_WRITE,
                                PipelineStage.COMPUTE_SHADER,
                                MemoryAccess.STORAGE_WRITE));
                        for (int cell = 0; cell < each; cell++) {
                            put(list, cells, cell, amount + cell);
                        }
                        list.end();
                        return list;
                    }));
                }
                List<CommandList> lists = new ArrayList<>();
                for (Future<CommandList> part : parts) {
                    lists.add(part.get());
                }
                CommandList last = context.beginCommands(gpu.graphics(), "last");
                last.barrier(memory(
                        PipelineStage.COMPUTE_SHADER,
                        MemoryAccess.STORAGE_WRITE,
                        PipelineStage.COPY,
                        MemoryAccess.COPY_READ));
                for (int cell = 0; cell < each; cell++) {
                    last.copyBuffer(cells, (long) cell * STRIDE, readback, 4L * cell, 4);
                }
                last.end();
                lists.add(last);
                submit(lists);
                int[] words = words(readback);
                for (int cell = 0; cell < each; cell++) {
                    assertThat(words[cell]).isEqualTo(amount + cell);
                }
                afterFirst = i == 0 ? sets.written() : afterFirst;
                assertThat(sets.written()).isEqualTo(afterFirst).isBetween((long) each, (long) each * THREADS);
            }
        } finally {
            pool.shutdown();
        }
        assertThat(sets.size())
                .as("what several have written at once is used once")
                .isEqualTo(each);
        assertThat(checker.hazards()).isEmpty();
    }

    @Test
    void theCheckerHearsOfWhatIsInASetThatWasFound() {
        for (String pass : List.of("written", "found")) {
            round(list -> {
                list.beginPass(pass, List.of());
                put(list, cells, 0, 1);
                list.endPass();
            });
        }
        assertThat(sets.written()).isEqualTo(1);
        assertThat(checker.undeclared())
                .extracting(Hazard::resource, Hazard::secondPass)
                .contains(tuple("cells", "written"), tuple("cells", "found"));
    }
}
