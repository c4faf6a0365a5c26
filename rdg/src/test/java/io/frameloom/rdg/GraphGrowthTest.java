package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.ThreadAllocation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a graph may have any number of costs about the same for each of them, however many there are, when a frame is
 * declared, compiled and executed: the bytes that are allocated for one are held against those for one of fewer. The hazard
 * checker watches.
 */
class GraphGrowthTest {
    private static final int FEW = TestEffort.of(200, 1_000);
    private static final int MANY = TestEffort.of(1_000, 16_000);
    private static final BufferDescription BUFFER = BufferDescription.device(1024, BufferUsage.STORAGE);

    /** Declares so many of something. */
    @FunctionalInterface
    private interface Scene {
        void declare(Declaring declaring, int count);
    }

    /** Where something is declared, and what is to be closed after the frame. */
    private record Declaring(
            GpuDevice device,
            RenderGraph graph,
            List<Resource> owned,
            List<BufferHistory> histories,
            List<BufferExtraction> extracted) {}

    private static PassBuilder pass(RenderGraph graph, String name) {
        return graph.addPass(name, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
    }

    private static void chain(RenderGraph graph, int count, int alive) {
        List<RdgBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RdgBuffer made = graph.createBuffer("buffer " + i, BUFFER);
            buffers.add(made);
            PassBuilder pass = pass(graph, "pass " + i).overwrites(made, Access.STORAGE_WRITE_COMPUTE);
            if (i >= alive) {
                pass.reads(buffers.get(i - alive), Access.STORAGE_READ_COMPUTE);
            }
            pass.record(context -> {});
        }
    }

    private static TextureDescription layers(int count) {
        return TextureDescription.of(128, 128, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.STORAGE)
                .withMips(8)
                .withLayers(count / 8);
    }

    // The scenes capture nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private enum Structure {
        PASSES((in, count) -> chain(in.graph, count, 1)),
        TRANSIENTS_ALIVE_AT_ONCE((in, count) -> chain(in.graph, count, count / 2)),
        EDGES_OF_A_PASS((in, count) -> {
            RenderGraph graph = in.graph;
            chain(graph, count, 1);
            PassBuilder last = pass(graph, "last");
            for (int i = 0; i < count; i++) {
                last.reads((RdgBuffer) graph.declaration().handle(i), Access.STORAGE_READ_COMPUTE);
            }
            last.record(context -> {});
        }),
        READERS_OF_A_BUFFER((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
            pass(graph, "first")
                    .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
            for (int i = 0; i < count; i++) {
                pass(graph, "pass " + i)
                        .reads(buffer, Access.STORAGE_READ_COMPUTE)
                        .record(context -> {});
            }
        }),
        WRITERS_OF_A_BUFFER((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
            for (int i = 0; i < count; i++) {
                pass(graph, "pass " + i)
                        .writes(buffer, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
        }),
        PARTS_OF_A_BUFFER((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(16L * count, BufferUsage.STORAGE));
            for (int i = 0; i < count; i++) {
                pass(graph, "pass " + i)
                        .overwrites(buffer, 16L * i, 16, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
            pass(graph, "last").reads(buffer, Access.STORAGE_READ_COMPUTE).record(context -> {});
        }),
        PARTS_OF_A_BUFFER_IN_A_PASS((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(16L * count, BufferUsage.STORAGE));
            PassBuilder pass = pass(graph, "pass");
            for (int i = 0; i < count; i++) {
                pass.overwrites(buffer, 16L * i, 16, Access.STORAGE_WRITE_COMPUTE);
            }
            pass.record(context -> {});
            pass(graph, "last").reads(buffer, Access.STORAGE_READ_COMPUTE).record(context -> {});
        }),
        SUBRESOURCES_OF_A_TEXTURE((in, count) -> {
            RenderGraph graph = in.graph;
            RdgTexture texture = graph.createTexture("texture", layers(count));
            for (int i = 0; i < count; i++) {
                pass(graph, "pass " + i)
                        .overwrites(texture, SubresourceRange.of(i % 8, i / 8), Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
            pass(graph, "last").reads(texture, Access.SAMPLED_COMPUTE).record(context -> {});
        }),
        SUBRESOURCES_OF_A_TEXTURE_IN_A_PASS((in, count) -> {
            RenderGraph graph = in.graph;
            RdgTexture texture = graph.createTexture("texture", layers(count));
            PassBuilder pass = pass(graph, "pass");
            for (int i = 0; i < count; i++) {
                pass.overwrites(texture, SubresourceRange.of(i % 8, i / 8), Access.STORAGE_WRITE_COMPUTE);
            }
            pass.record(context -> {});
            pass(graph, "last").reads(texture, Access.SAMPLED_COMPUTE).record(context -> {});
        }),
        QUEUES_TO_AND_FRO((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
            for (int i = 0; i < count; i++) {
                PassBuilder pass = pass(graph, "pass " + i);
                if (i % 2 == 0) {
                    pass.flag(PassFlag.ASYNC_COMPUTE);
                }
                pass.writes(buffer, Access.STORAGE_WRITE_COMPUTE).record(context -> {});
            }
        }),
        RASTER_PASSES_OF_A_TARGET((in, count) -> {
            RenderGraph graph = in.graph;
            RdgTexture target = graph.createTexture(
                    "target", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            for (int i = 0; i < count; i++) {
                graph.addPass("pass " + i, PassKind.RASTER)
                        .flag(PassFlag.NEVER_CULL)
                        .color(target, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                        .record(context -> {});
            }
        }),
        SCOPES((in, count) -> {
            RenderGraph graph = in.graph;
            RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
            for (int i = 0; i < count; i++) {
                PassScope scope = graph.scope("scope " + i);
                try (scope) {
                    pass(graph, "pass " + i)
                            .writes(buffer, Access.STORAGE_WRITE_COMPUTE)
                            .record(context -> {});
                }
            }
        }),
        CULLED_PASSES((in, count) -> {
            RenderGraph graph = in.graph;
            for (int i = 0; i < count; i++) {
                RdgBuffer made = graph.createBuffer("buffer " + i, BUFFER);
                graph.addPass("pass " + i, PassKind.COMPUTE)
                        .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
        }),
        EXTERNALS((in, count) -> {
            for (int i = 0; i < count; i++) {
                Buffer own = in.device.createBuffer("own " + i, BUFFER);
                in.owned.add(own);
                pass(in.graph, "pass " + i)
                        .overwrites(in.graph.registerExternal(own), Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
        }),
        EXTRACTED((in, count) -> {
            for (int i = 0; i < count; i++) {
                RdgBuffer made = in.graph.createBuffer("buffer " + i, BUFFER);
                in.graph
                        .addPass("pass " + i, PassKind.COMPUTE)
                        .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
                in.extracted.add(in.graph.extract(made));
            }
        }),
        HISTORIES((in, count) -> {
            for (int i = 0; i < count; i++) {
                BufferHistory history = new BufferHistory(in.device, "history " + i, Access.STORAGE_READ_COMPUTE, 0);
                in.histories.add(history);
                BufferHistory.Frame frame = in.graph.history(history, BUFFER);
                pass(in.graph, "pass " + i)
                        .reads(frame.previous(), Access.STORAGE_READ_COMPUTE)
                        .overwrites(frame.current(), Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
        }),
        READBACKS((in, count) -> {
            for (int i = 0; i < count; i++) {
                RdgBuffer made = in.graph.createBuffer("buffer " + i, BUFFER);
                in.graph
                        .addPass("pass " + i, PassKind.COMPUTE)
                        .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
                ReadbackPasses.buffer(in.graph, made);
            }
        }),
        UPLOADS((in, count) -> {
            for (int i = 0; i < count; i++) {
                RdgBuffer made = in.graph.createBuffer("buffer " + i, BUFFER);
                UploadPasses.buffer(in.graph, made, 0, ByteBuffer.allocateDirect(16))
                        .flag(PassFlag.NEVER_CULL);
            }
        }),
        UPLOADS_TO_A_BUFFER((in, count) -> {
            RdgBuffer made =
                    in.graph.createBuffer("buffer", BufferDescription.device(16L * count, BufferUsage.STORAGE));
            for (int i = 0; i < count; i++) {
                UploadPasses.buffer(in.graph, made, 16L * i, ByteBuffer.allocateDirect(16))
                        .flag(PassFlag.NEVER_CULL);
            }
        }),
        CONDITIONS((in, count) -> {
            for (int i = 0; i < count; i++) {
                boolean holds = i % 2 == 0;
                RdgBuffer made = in.graph.createBuffer("buffer " + i, BUFFER);
                BooleanSupplier condition = () -> holds;
                pass(in.graph, "pass " + i)
                        .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                        .onlyIf(condition)
                        .record(context -> {});
                pass(in.graph, "reader " + i)
                        .reads(made, Access.STORAGE_READ_COMPUTE)
                        .onlyIf(condition)
                        .record(context -> {});
            }
        }),
        PARTS_READ((in, count) -> {
            RdgBuffer buffer =
                    in.graph.createBuffer("buffer", BufferDescription.device(16L * count, BufferUsage.STORAGE));
            for (int i = 0; i < count; i++) {
                pass(in.graph, "pass " + i)
                        .overwrites(buffer, 16L * i, 16, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {});
            }
            for (int i = count - 1; i >= 0; i--) {
                pass(in.graph, "reader " + i)
                        .reads(buffer, 16L * i, 16, Access.STORAGE_READ_COMPUTE)
                        .record(context -> {});
            }
        }),
        ORDERS_BY_HAND((in, count) -> {
            RenderGraph graph = in.graph;
            PassBuilder first = pass(graph, "first");
            first.record(context -> {});
            for (int i = 0; i < count; i++) {
                pass(graph, "pass " + i).after(first).record(context -> {});
            }
        });

        private final Scene scene;

        Structure(Scene scene) {
            this.scene = scene;
        }

        /** Returns the bytes that all threads allocate for each in a frame, from its declaration on. */
        private long bytesEach(int count) {
            HazardChecker checker = new HazardChecker();
            List<Resource> owned = new ArrayList<>();
            List<BufferHistory> histories = new ArrayList<>();
            List<BufferExtraction> extracted = new ArrayList<>();
            long bytes;
            try (ModelDevice device = new ModelDevice(
                            new VirtualGpuOptions(2, 1).withOrder(VirtualGpuOptions.Order.IN_ORDER), checker);
                    FrameExecutor executor =
                            new FrameExecutor(device.gpu, device.tasks, FrameExecutorOptions.defaults())) {
                ThreadAllocation.OfAll before = ThreadAllocation.ofAll();
                RenderGraph graph = new RenderGraph("growth");
                scene.declare(new Declaring(device.gpu, graph, owned, histories, extracted), count);
                FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                        .compile(graph, QueueTopology.of(device.gpu), MemorySizer.of(device.gpu));
                plan.warnings();
                executor.execute(plan).completed().await();
                bytes = before.since();
                extracted.forEach(each -> each.buffer().close());
                histories.forEach(BufferHistory::close);
                owned.forEach(Resource::close);
            }
            assertThat(checker.hazards()).isEmpty();
            return bytes / count;
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachCostsAboutTheSame(Structure structure) {
        long few = structure.bytesEach(FEW);
        assertThat(structure.bytesEach(MANY)).isLessThan(2 * few);
    }
}
