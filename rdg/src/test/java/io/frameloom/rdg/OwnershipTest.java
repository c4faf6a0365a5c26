package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Sharing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Resources that belong to one queue family at a time are handed over, completely and only where contents are needed. */
class OwnershipTest {
    private static final QueueTopology QUEUES = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 2),
            new QueueTopology.Queue("copy", QueueKind.COPY, 1),
            new QueueTopology.Queue("compute 2", QueueKind.COMPUTE, 2)));
    private static final TextureDescription SHAPE = new TextureDescription(
            1024,
            1024,
            1,
            1,
            Format.R8G8B8A8_UNORM,
            EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT)));

    private final RenderGraph graph = new RenderGraph("frame");

    private static Texture imported(Integer... families) {
        return FakeResources.imported("picture", SHAPE, TextureLayout.COLOR, Set.of(families));
    }

    private static FramePlan compile(RenderGraph graph) {
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    /** Draws into a texture, then rewrites it on the compute queue. */
    private FramePlan drawnThenComputed(Texture texture, boolean discards) {
        RdgTexture picture = graph.registerExternal(texture, TextureLayout.COLOR);
        graph.addPass("draw", PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        PassBuilder compute = graph.addPass("compute", PassKind.COMPUTE).flag(PassFlag.ASYNC_COMPUTE);
        if (discards) {
            compute.overwrites(picture, Access.STORAGE_WRITE_COMPUTE);
        } else {
            compute.writes(picture, Access.STORAGE_READ_WRITE_COMPUTE);
        }
        compute.record(context -> {});
        return compile(graph);
    }

    private static List<PlanBarrier> halves(FramePlan plan) {
        return plan.passes().stream()
                .flatMap(pass -> Stream.concat(pass.before().stream(), pass.after().stream()))
                .filter(barrier -> barrier.ownership() != null)
                .toList();
    }

    private static PassPlan pass(FramePlan plan, String name) {
        return plan.passes().stream()
                .filter(pass -> pass.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatComputeContinuesIsReleasedAndAcquired() {
        Texture texture = imported();
        FramePlan plan = drawnThenComputed(texture, false);
        OwnershipTransfer there = new OwnershipTransfer(0, 2);
        assertThat(pass(plan, "compute").queue()).isEqualTo(1);
        assertThat(pass(plan, "draw").after()).singleElement().satisfies(release -> {
            assertThat(release.ownership()).isEqualTo(there);
            assertThat(release.oldLayout()).isEqualTo(TextureLayout.COLOR);
            assertThat(release.newLayout()).isEqualTo(TextureLayout.GENERAL);
            assertThat(release.reason()).contains("from queue family 0 to 2");
            PlanBarrier acquire = pass(plan, "compute").before().get(0);
            assertThat(acquire.ownership()).isEqualTo(there);
            assertThat(acquire.range()).isEqualTo(release.range());
            assertThat(acquire.oldLayout()).isEqualTo(release.oldLayout());
            assertThat(acquire.newLayout()).isEqualTo(release.newLayout());
        });
        assertThat(halves(plan)).extracting(PlanBarrier::ownership).containsOnly(there, new OwnershipTransfer(2, 0));
        assertThat(halves(plan)).hasSize(4);
        assertThat(PlanRecords.hazards(plan, List.of(texture))).isEmpty();
    }

    @Test
    void nothingIsHandedOverToADiscardingWrite() {
        Texture texture = imported();
        FramePlan plan = drawnThenComputed(texture, true);
        assertThat(pass(plan, "draw").after()).isEmpty();
        assertThat(pass(plan, "compute").before()).singleElement().satisfies(barrier -> {
            assertThat(barrier.ownership()).isNull();
            assertThat(barrier.oldLayout()).isEqualTo(TextureLayout.UNDEFINED);
        });
        assertThat(PlanRecords.hazards(plan, List.of(texture))).isEmpty();
    }

    @Test
    void whatFamiliesShareIsNotHandedOver() {
        Texture texture = imported(0, 2);
        FramePlan plan = drawnThenComputed(texture, false);
        assertThat(pass(plan, "compute").queue()).isEqualTo(1);
        assertThat(halves(plan)).isEmpty();
        assertThat(PlanRecords.hazards(plan, List.of(texture))).isEmpty();
    }

    @Test
    void aPassStaysWhereItsResourcesMayBeUsed() {
        FramePlan plan = drawnThenComputed(imported(0, 1), false);
        assertThat(pass(plan, "compute").queue()).isZero();
    }

    @Test
    void aResourceThatTheQueueMayNotUseIsNamed() {
        assertThatThrownBy(() -> drawnThenComputed(imported(1, 2), false))
                .isInstanceOf(RdgValidationException.class)
                .hasMessageContaining("'picture'")
                .hasMessageContaining("[1, 2]")
                .hasMessageContaining("family 0");
    }

    /** Made here, drawn on the graphics queue, continued on the compute queue, read on the graphics queue. */
    private static FramePlan thereAndBack(RenderGraph graph, RdgTexture picture, RdgBuffer words) {
        return thereAndBack(new RenderGraphCompiler(RdgOptions.defaults()), graph, picture, words);
    }

    private static FramePlan thereAndBack(
            RenderGraphCompiler compiler, RenderGraph graph, RdgTexture picture, RdgBuffer words) {
        graph.addPass("draw", PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        graph.addPass("fill", PassKind.COMPUTE)
                .overwrites(words, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .writes(picture, Access.STORAGE_READ_WRITE_COMPUTE)
                .writes(words, Access.STORAGE_READ_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("use", PassKind.RASTER)
                .flag(PassFlag.NEVER_CULL)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .reads(picture, Access.SAMPLED_FRAGMENT)
                .reads(words, Access.STORAGE_READ_FRAGMENT)
                .record(context -> {});
        return compiler.compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    private static final BufferDescription WORDS = BufferDescription.device(1024, BufferUsage.STORAGE);

    @Test
    void whatIsMadeExclusiveIsHandedThereAndBack() {
        TextureDescription shape = SHAPE.withSharing(QueueSharing.EXCLUSIVE);
        BufferDescription data = WORDS.withSharing(QueueSharing.EXCLUSIVE);
        FramePlan plan = thereAndBack(graph, graph.createTexture("picture", shape), graph.createBuffer("words", data));
        OwnershipTransfer there = new OwnershipTransfer(0, 2);
        OwnershipTransfer back = new OwnershipTransfer(2, 0);
        assertThat(pass(plan, "draw").before())
                .as("belongs to nobody before")
                .extracting(PlanBarrier::ownership)
                .containsOnlyNulls();
        assertThat(halves(plan)).extracting(PlanBarrier::ownership).containsOnly(there, back);
        assertThat(halves(plan)).hasSize(8);
        for (PassPlan with : List.of(pass(plan, "compute"), pass(plan, "use"))) {
            boolean away = with.name().equals("compute");
            assertThat(with.before())
                    .filteredOn(barrier -> barrier.resource() == 0)
                    .singleElement()
                    .satisfies(acquire -> {
                        assertThat(acquire.ownership()).isEqualTo(away ? there : back);
                        assertThat(acquire.oldLayout()).isEqualTo(away ? TextureLayout.COLOR : TextureLayout.GENERAL);
                        assertThat(acquire.newLayout())
                                .isEqualTo(away ? TextureLayout.GENERAL : TextureLayout.SHADER_RO);
                    });
        }
        List<Resource> made = List.of(FakeResources.made("picture", shape), FakeResources.buffer("words", data));
        assertThat(PlanRecords.hazards(plan, made)).isEmpty();
        for (PassPlan with : plan.passes()) {
            Stream.concat(with.before().stream(), with.after().stream())
                    .filter(barrier -> barrier.ownership() != null)
                    .forEach(half -> assertThat(PlanRecords.hazards(without(plan, with, half), made))
                            .as("without %s", half)
                            .isNotEmpty());
        }
    }

    @Test
    void whatIsMadeForAllFamiliesIsNotHandedOver() {
        FramePlan plan = thereAndBack(graph, graph.createTexture("picture", SHAPE), graph.createBuffer("words", WORDS));
        assertThat(halves(plan)).isEmpty();
    }

    /** Whoever uses next what a frame has given away finds it with the graphics queue, as it does an external. */
    @Test
    void whatIsGivenAwayComesBack() {
        RdgTexture picture = graph.createTexture("picture", SHAPE.withSharing(QueueSharing.EXCLUSIVE));
        RdgBuffer words = graph.createBuffer("words", WORDS.withSharing(QueueSharing.EXCLUSIVE));
        graph.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(picture, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(words, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.extract(picture, Access.SAMPLED_FRAGMENT);
        graph.extract(words);
        FramePlan plan = compile(graph);
        assertThat(pass(plan, "compute").queue()).isEqualTo(1);
        assertThat(halves(plan)).hasSize(4);
        assertThat(halves(plan)).extracting(PlanBarrier::ownership).containsOnly(new OwnershipTransfer(2, 0));
        assertThat(halves(plan))
                .filteredOn(half -> half.resource() == 0)
                .allSatisfy(half -> assertThat(half.newLayout()).isEqualTo(TextureLayout.SHADER_RO));
    }

    /** What the other half of a history held for one frame alone is written by a later one, from the graphics queue. */
    @Test
    void halvesOfAHistoryComeBack() {
        BufferHistory history = new BufferHistory(FakeSurroundings.device(), "history", Access.STORAGE_READ_COMPUTE, 0);
        BufferHistory.Frame halves = graph.history(history, WORDS.withSharing(QueueSharing.EXCLUSIVE));
        graph.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .reads(halves.previous(), Access.STORAGE_READ_COMPUTE)
                .overwrites(halves.current(), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        FramePlan plan = compile(graph);
        assertThat(pass(plan, "compute").queue()).isEqualTo(1);
        for (RdgBuffer half : List.of(halves.previous(), halves.current())) {
            assertThat(halves(plan))
                    .filteredOn(barrier -> barrier.resource() == half.index())
                    .filteredOn(barrier -> new OwnershipTransfer(2, 0).equals(barrier.ownership()))
                    .as(half.name())
                    .hasSize(2);
        }
    }

    @Test
    void sharingOfAnExternalIsThatItWasMadeWith() {
        Texture texture = FakeResources.made("picture", SHAPE.withSharing(QueueSharing.EXCLUSIVE));
        FramePlan plan = drawnThenComputed(texture, false);
        assertThat(halves(plan)).hasSize(4);
    }

    private static QueueSharing sharing(FramePlan plan, RdgResource of) {
        FramePlan.ResourcePlan planned = plan.resources().get(of.index());
        TextureDescription texture = planned.textureDescription();
        return texture != null
                ? texture.sharing()
                : Objects.requireNonNull(planned.bufferDescription()).sharing();
    }

    @Test
    void completedUsageAndExtentsKeepSharing() {
        RdgTexture picture = graph.createTexture("picture", SHAPE.withSharing(QueueSharing.EXCLUSIVE));
        RdgTexture half = graph.createTexture(
                "half",
                RelativeExtent.of(picture).scaled(0.5),
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                        .withSharing(QueueSharing.EXCLUSIVE));
        assertThat(half.description().sharing()).isEqualTo(QueueSharing.EXCLUSIVE);
        assertThat(half.description().width()).isEqualTo(512);
        // The two differ in nothing else, and get the same usage added.
        RdgBuffer concurrent = graph.createBuffer("concurrent", WORDS);
        RdgBuffer exclusive = graph.createBuffer("exclusive", WORDS.withSharing(QueueSharing.EXCLUSIVE));
        RdgTexture shared = graph.createTexture("shared", half.description().withSharing(QueueSharing.CONCURRENT));
        PassBuilder pass = graph.addPass("pass", PassKind.COPY).flag(PassFlag.NEVER_CULL);
        pass.overwrites(shared, Access.COPY_DST).overwrites(half, Access.COPY_DST);
        pass.overwrites(concurrent, Access.COPY_DST).overwrites(exclusive, Access.COPY_DST);
        pass.record(context -> {});
        FramePlan plan = compile(graph);
        assertThat(sharing(plan, half)).isEqualTo(QueueSharing.EXCLUSIVE);
        assertThat(sharing(plan, shared)).isEqualTo(QueueSharing.CONCURRENT);
        assertThat(sharing(plan, exclusive)).isEqualTo(QueueSharing.EXCLUSIVE);
        assertThat(sharing(plan, concurrent)).isEqualTo(QueueSharing.CONCURRENT);
    }

    /** The frame before may have left the buffer to another family, and nothing hands over what has no contents. */
    @Test
    void memoryIsTakenOverWhicheverFamilyHadTheBuffer() {
        RdgBuffer former = graph.createBuffer("former", WORDS);
        RdgBuffer later = graph.createBuffer("later", WORDS.withSharing(QueueSharing.EXCLUSIVE));
        graph.addPass("fill", PassKind.COMPUTE)
                .overwrites(former, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("read", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(former, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        graph.addPass("write", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(later, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("use", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(later, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        FramePlan plan = compile(graph);
        FramePlan.ResourcePlan shared = plan.resources().get(later.index());
        assertThat(shared.heap()).isNotNegative();
        assertThat(shared.offset())
                .isEqualTo(plan.resources().get(former.index()).offset());
        assertThat(pass(plan, "write").before()).singleElement().satisfies(barrier -> {
            assertThat(barrier.ownership()).isNull();
            assertThat(barrier.allMemory()).isTrue();
        });
    }

    /** One plan is not reused for what is shared in another way. */
    @Test
    void sharingDecidesAboutThePlan() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        List<Integer> transfers = new ArrayList<>();
        for (Texture texture : List.of(imported(0, 2), imported(), imported(0, 2))) {
            RenderGraph frame = new RenderGraph("frame");
            RdgTexture picture = frame.registerExternal(texture, TextureLayout.COLOR);
            frame.addPass("compute", PassKind.COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .writes(picture, Access.STORAGE_READ_WRITE_COMPUTE)
                    .record(context -> {});
            transfers.add(halves(compiler.compile(frame, QUEUES, PlanPropertiesTest.SIZER))
                    .size());
        }
        assertThat(transfers).containsExactly(0, 4, 0);
        for (QueueSharing sharing : List.of(QueueSharing.CONCURRENT, QueueSharing.EXCLUSIVE)) {
            RenderGraph frame = new RenderGraph("frame");
            RdgTexture picture = frame.createTexture("picture", SHAPE.withSharing(sharing));
            RdgBuffer words = frame.createBuffer("words", WORDS);
            boolean exclusive = sharing == QueueSharing.EXCLUSIVE;
            assertThat(halves(thereAndBack(compiler, frame, picture, words))).hasSize(exclusive ? 4 : 0);
        }
    }

    /** Random graphs all of whose resources belong to one family at a time: sound, and without either half they are not. */
    @Test
    void randomPlansAreSoundAndNeedBothHalves() {
        int halves = 0;
        for (long seed = 0; seed < 400; seed++) {
            DeclaredGraph declared =
                    exclusive(RandomGraphs.graph(seed).declare().declaration().declared(), seed);
            FramePlan plan;
            try {
                plan = PlanCompiler.compile(
                        declared,
                        new BoundFrame(),
                        RdgOptions.defaults().withMergeRenderPasses(false),
                        QUEUES,
                        PlanPropertiesTest.SIZER);
            } catch (RdgValidationException notAGraph) {
                continue;
            }
            List<Resource> resources = resources(declared);
            assertThat(PlanRecords.hazards(plan, resources))
                    .filteredOn(hazard -> hazard.kind() != Hazard.Kind.UNDEFINED_CONTENTS)
                    .as("seed %d: but for reads of what no pass of the random graph writes", seed)
                    .isEmpty();
            for (PassPlan pass : plan.passes()) {
                for (boolean before : new boolean[] {true, false}) {
                    List<PlanBarrier> barriers = before ? pass.before() : pass.after();
                    for (PlanBarrier barrier : barriers) {
                        if (barrier.ownership() != null && isMissed(barrier)) {
                            halves++;
                            assertThat(reportsOwner(without(plan, pass, barrier), resources))
                                    .as("seed %d without %s", seed, barrier)
                                    .isTrue();
                        }
                    }
                }
            }
        }
        assertThat(halves).isGreaterThan(100);
    }

    /**
     * The checker cannot tell at the ends of the frame: what comes back nobody uses any more, and what is acquired first the
     * engine may have released.
     */
    private static boolean isMissed(PlanBarrier barrier) {
        return !barrier.reason().contains("end of frame") && !barrier.reason().contains("first use");
    }

    private static boolean reportsOwner(FramePlan plan, List<Resource> resources) {
        return PlanRecords.hazards(plan, resources).stream()
                .anyMatch(hazard ->
                        hazard.kind() == Hazard.Kind.WRONG_OWNER || hazard.kind() == Hazard.Kind.WRONG_LAYOUT);
    }

    /** Every pass that may leaves the graphics queue, for the one or the other queue. */
    private static DeclaredGraph exclusive(DeclaredGraph graph, long seed) {
        DeclaredGraph result = graph.copy();
        for (int r = 0; r < result.resources(); r++) {
            result.keepApart(r);
            result.setSharing(r, Sharing.EXCLUSIVE);
        }
        for (int p = 0; p < result.passes(); p++) {
            if (result.has(p, PassFlag.ASYNC_COMPUTE) && (p + seed) % 2 == 0) {
                result.setQueue(p, 3);
            }
        }
        return result;
    }

    private static List<Resource> resources(DeclaredGraph graph) {
        List<Resource> result = new ArrayList<>();
        for (int r = 0; r < graph.resources(); r++) {
            String name = graph.names().resource(r);
            TextureDescription texture = graph.texture(r);
            BufferDescription buffer = graph.buffer(r);
            result.add(
                    texture != null
                            ? FakeResources.imported(name, texture, graph.initialLayout(r), Set.of())
                            : exclusiveBuffer(name, Objects.requireNonNull(buffer)));
        }
        return result;
    }

    private static Buffer exclusiveBuffer(String name, BufferDescription description) {
        return FakeResources.exclusive(name, description);
    }

    private static FramePlan without(FramePlan plan, PassPlan changed, PlanBarrier removed) {
        List<PassPlan> passes = new ArrayList<>(plan.passes());
        passes.set(
                changed.index(),
                new PassPlan(
                        changed.index(),
                        changed.name(),
                        changed.kind(),
                        changed.flags(),
                        changed.queue(),
                        changed.level(),
                        changed.culled(),
                        changed.cullReason(),
                        changed.uses(),
                        changed.targets(),
                        changed.before().stream()
                                .filter(barrier -> !barrier.equals(removed))
                                .toList(),
                        changed.after().stream()
                                .filter(barrier -> !barrier.equals(removed))
                                .toList(),
                        changed.scope()));
        return new CompiledPlan(CompiledPlan.of(plan)) {
            @Override
            public List<FramePlan.PassPlan> passes() {
                return List.copyOf(passes);
            }
        };
    }
}
