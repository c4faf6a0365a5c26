package io.frameloom.rdg.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanCase;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RandomCases;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.PlanWarning.Code;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A plan says when captures have changed where transients lie, and takes sharing out if it is asked to. */
class CaptureMemoryTest {
    private static final int GRAPHS = 600;
    private static final TextureDescription PICTURE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final QueueTopology QUEUES = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1)));

    private static RdgDiagnostics capture(String texture) {
        return RdgDiagnostics.none().withCaptures(List.of(Capture.of(texture)));
    }

    private static FramePlan compile(RenderGraph graph, RdgDiagnostics diagnostics) {
        return new RenderGraphCompiler(RdgOptions.defaults().withDiagnostics(diagnostics))
                .compile(graph, QUEUES, PlanCase.SIZER);
    }

    private static List<PlanWarning> moves(FramePlan plan) {
        return plan.warnings().stream()
                .filter(warning -> warning.code() == Code.CAPTURE_MOVES_MEMORY)
                .toList();
    }

    /** Three textures of the compute queue, the last of which takes the memory of the first. */
    private static RenderGraph onCompute() {
        RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
        RdgTexture first = graph.createTexture("first", PICTURE);
        RdgTexture between = graph.createTexture("between", PICTURE);
        RdgTexture last = graph.createTexture("last", PICTURE);
        graph.addPass("compute first", PassKind.COMPUTE)
                .onQueue(1)
                .overwrites(first, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("compute between", PassKind.COMPUTE)
                .onQueue(1)
                .writes(first, Access.STORAGE_READ_WRITE_COMPUTE)
                .overwrites(between, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("compute last", PassKind.COMPUTE)
                .onQueue(1)
                .reads(between, Access.SAMPLED_COMPUTE)
                .overwrites(last, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        ReadbackPasses.texture(graph, last);
        return graph;
    }

    /** The graphics queue copies it while the compute queue goes on, so what comes there has to lie elsewhere. */
    @Test
    void aCaptureThatKeepsMemoryIsToldWithWhatSharedIt() {
        FramePlan without = compile(onCompute(), RdgDiagnostics.none());
        FramePlan with = compile(onCompute(), capture("first"));
        assertThat(without.placementReason(without.resources().get(2))).contains("first");
        assertThat(with.heapBytes()).isGreaterThan(without.heapBytes());
        assertThat(moves(with)).singleElement().satisfies(warning -> {
            assertThat(warning.subject()).isEqualTo("first");
            assertThat(warning.message())
                    .isEqualTo("capturing 'first' changes where transients lie: it has memory of its own, without"
                            + " captures memory of 'last', 1 other lies elsewhere, and heaps take 2,304 bytes in place"
                            + " of 1,536 bytes; frameloom.rdg.captureAliasing=false shows it without shared memory");
            assertThat(warning.sites()).singleElement().asString().contains("CaptureMemoryTest.java");
        });
        assertThat(moves(without)).isEmpty();
    }

    @Test
    void aCaptureThatChangesNothingIsNotTold() {
        FramePlan plan = compile(onCompute(), capture("last"));
        assertThat(plan.heapBytes())
                .isEqualTo(compile(onCompute(), RdgDiagnostics.none()).heapBytes());
        assertThat(moves(plan)).isEmpty();
    }

    @Test
    void withoutAliasingNothingIsSharedAndNothingTold() {
        FramePlan plan = compile(onCompute(), capture("first").withCaptureAliasing(false));
        assertThat(moves(plan)).isEmpty();
        assertThat(shares(plan)).isFalse();
        assertThat(plan.heapBytes()).isEqualTo(plan.transientBytesWithoutAliasing());
        FramePlan uncaptured = compile(onCompute(), RdgDiagnostics.none().withCaptureAliasing(false));
        assertThat(shares(uncaptured))
                .as("a graph without captures is what it always is")
                .isTrue();
        RdgDiagnostics others = capture("first")
                .withCaptureAliasing(false)
                .withWatch(RdgWatch.none().withGraphs(new NameFilter("!frame")));
        assertThat(shares(compile(onCompute(), others))).isTrue();
    }

    /** Memory of a tile is none that a copy could read. */
    @Test
    void aTargetThatIsCapturedHasRealMemory() {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
        graph.addPass("draw", PassKind.RASTER)
                .color(depth, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        MemorySizer tiles = new MemorySizer() {
            @Override
            public MemoryRequirements requirements(TextureDescription description) {
                return PlanCase.SIZER.requirements(description);
            }

            @Override
            public MemoryRequirements requirements(BufferDescription description) {
                return PlanCase.SIZER.requirements(description);
            }

            @Override
            public boolean lazyMemory() {
                return true;
            }
        };
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withDiagnostics(capture("depth")));
        FramePlan plan = compiler.compile(graph, QUEUES, tiles);
        assertThat(plan.resources().get(0).lazy()).isFalse();
        assertThat(moves(plan))
                .singleElement()
                .extracting(PlanWarning::message)
                .asString()
                .contains("it has memory of its own, without captures lazily allocated memory");
    }

    private static boolean shares(FramePlan plan) {
        return plan.resources().stream()
                .anyMatch(one -> plan.resources().stream()
                        .anyMatch(other -> one.index() < other.index()
                                && one.heap() >= 0
                                && one.heap() == other.heap()
                                && one.offset() < other.offset() + other.bytes()
                                && other.offset() < one.offset() + one.bytes()));
    }

    private static List<String> places(FramePlan plan, int resources) {
        return plan.resources().stream()
                .limit(resources)
                .map(CaptureMemoryTest::place)
                .toList();
    }

    private static String place(ResourcePlan resource) {
        return resource.heap() + ":" + resource.offset() + "+" + resource.bytes() + resource.lazy();
    }

    private static @Nullable FramePlan captured(PlanCase random, RdgDiagnostics diagnostics) {
        try {
            return random.with(random.options().withDiagnostics(diagnostics)).compile();
        } catch (RdgException refused) {
            assertThat(refused).hasMessageContaining("capture");
            return null;
        }
    }

    @Test
    void randomGraphsAreToldOfExactlyWhatHasChanged() {
        int told = 0;
        int same = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 4));
            RdgDiagnostics before = RdgDiagnostics.none().withClobber(seed % 5 == 0 ? Clobber.NAN : Clobber.OFF);
            FramePlan without =
                    random.with(random.options().withDiagnostics(before)).compile();
            int resources = random.model().resources().size();
            for (ResourcePlan resource : without.resources()) {
                RdgDiagnostics asked = before.withCaptures(List.of(Capture.of(resource.name())));
                FramePlan with = resource.texture() ? captured(random, asked) : null;
                if (with == null) {
                    continue;
                }
                boolean moved = !places(with, resources).equals(places(without, resources));
                assertThat(moves(with)).as("seed %d, %s", seed, resource).hasSize(moved ? 1 : 0);
                told += moved ? 1 : 0;
                same += moved ? 0 : 1;
                FramePlan apart = Objects.requireNonNull(captured(random, asked.withCaptureAliasing(false)));
                assertThat(shares(apart)).isFalse();
                assertThat(moves(apart)).isEmpty();
            }
        }
        assertThat(told).isGreaterThan(10);
        assertThat(same).isGreaterThan(50);
    }
}
