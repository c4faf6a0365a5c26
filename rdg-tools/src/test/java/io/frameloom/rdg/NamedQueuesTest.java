package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passes that name their queue, and copies that may leave the graphics queue. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NamedQueuesTest {
    private static final RdgOptions OPTIONS = RdgOptions.defaults().withDebug(true);
    private static final QueueTopology FOUR = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
            new QueueTopology.Queue("compute 2", QueueKind.COMPUTE, 1),
            new QueueTopology.Queue("copy", QueueKind.COPY, 2)));

    @TempDir
    private Path folder;

    private final RenderGraph graph = new RenderGraph("frame", OPTIONS);
    private final RdgBuffer data = graph.registerExternal(FakeResources.buffer("data", 1024));
    private int externals;

    private PassBuilder copy(String name) {
        RdgBuffer target = graph.registerExternal(FakeResources.buffer("target" + externals++, 1024));
        return graph.addPass(name, PassKind.COPY).reads(data, Access.COPY_SRC).overwrites(target, Access.COPY_DST);
    }

    private PassBuilder compute(String name) {
        RdgBuffer target = graph.registerExternal(FakeResources.buffer("target" + externals++, 1024));
        return graph.addPass(name, PassKind.COMPUTE)
                .reads(data, Access.STORAGE_READ_COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE);
    }

    private FramePlan compile(AsyncCompute async, QueueTopology queues) {
        return PlanCompiler.compile(
                graph.declaration().declared().copy(),
                graph.declaration().bound(),
                OPTIONS.withAsync(async),
                queues,
                PlanPropertiesTest.SIZER);
    }

    private List<Integer> queues(AsyncCompute async) {
        return compile(async, FOUR).passes().stream().map(PassPlan::queue).toList();
    }

    @Test
    void passesRunOnTheQueueTheyName() {
        compute("second").onQueue(2).record(context -> {});
        copy("copy").onQueue(3).record(context -> {});
        copy("copy beside").onQueue(1).record(context -> {});
        compute("stays").onQueue(0).record(context -> {});
        compute("free").record(context -> {});

        assertThat(queues(AsyncCompute.TAGGED)).containsExactly(2, 3, 1, 0, 0);
        assertThat(queues(AsyncCompute.ALL)).containsExactly(2, 3, 1, 0, 1);
        assertThat(queues(AsyncCompute.OFF)).containsExactly(0, 3, 1, 0, 0);
        assertThat(compile(AsyncCompute.TAGGED, FOUR).explain("copy"))
                .startsWith("pass 'copy' runs on queue copy, level 0", "  its declaration names that queue");
        assertThat(compile(AsyncCompute.OFF, FOUR).explain("second"))
                .startsWith(
                        "pass 'second' runs on queue graphics, level 0",
                        "  its declaration names queue compute 2, but async is off");
    }

    @Test
    void waitsJoinTheNamedQueues() {
        RdgBuffer made =
                graph.createBuffer("made", FakeResources.buffer("shape", 64).description());
        graph.addPass("upload", PassKind.COPY)
                .overwrites(made, Access.COPY_DST)
                .onQueue(3)
                .record(context -> {});
        compute("use").reads(made, Access.STORAGE_READ_COMPUTE).onQueue(2).record(context -> {});

        FramePlan plan = compile(AsyncCompute.TAGGED, FOUR);

        assertThat(plan.batches()).extracting(FramePlan.Batch::queue).containsExactly(3, 2);
        assertThat(plan.waitCount()).isOne();
    }

    @Test
    void taggedCopiesRunOnTheCopyQueue() {
        copy("tagged").flag(PassFlag.ASYNC_COPY).record(context -> {});
        copy("plain").record(context -> {});
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
        graph.addPass("to depth", PassKind.COPY)
                .overwrites(depth, Access.COPY_DST)
                .flag(PassFlag.ASYNC_COPY, PassFlag.NEVER_CULL)
                .record(context -> {});
        copy("from depth")
                .reads(depth, Access.COPY_SRC)
                .flag(PassFlag.ASYNC_COPY)
                .record(context -> {});
        copy("either").flag(PassFlag.ASYNC_COPY, PassFlag.ASYNC_COMPUTE).record(context -> {});

        assertThat(queues(AsyncCompute.TAGGED)).containsExactly(3, 0, 0, 3, 3);
        assertThat(queues(AsyncCompute.ALL)).containsExactly(3, 0, 0, 3, 3);
        assertThat(queues(AsyncCompute.OFF)).containsExactly(0, 0, 0, 0, 0);
        assertThat(compile(AsyncCompute.TAGGED, FOUR).explain("to depth"))
                .startsWith(
                        "pass 'to depth' runs on queue graphics, level 0",
                        "  may leave that queue, but no other can take it");
        FramePlan without = compile(AsyncCompute.TAGGED, QueueTopology.graphicsAndCompute());
        assertThat(without.passes()).extracting(PassPlan::queue).containsExactly(0, 0, 0, 0, 1);
    }

    private static final QueueTopology TWO_GRAPHICS = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("graphics 2", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1)));

    private RdgTexture depth() {
        return graph.createTexture(
                "depth" + externals++,
                TextureDescription.of(4, 4, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT));
    }

    private PassBuilder toDepth(String name, PassKind kind) {
        return graph.addPass(name, kind)
                .reads(data, Access.COPY_SRC)
                .overwrites(depth(), Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL);
    }

    /** A flag is a wish: what a queue without graphics cannot record stays. */
    @Test
    void flaggedCopiesToDepthStayOnTheGraphicsQueue() {
        toDepth("copy", PassKind.COPY).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        toDepth("both", PassKind.COPY)
                .flag(PassFlag.ASYNC_COMPUTE, PassFlag.ASYNC_COPY)
                .record(context -> {});
        toDepth("compute", PassKind.COMPUTE).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        toDepth("unflagged", PassKind.COMPUTE).record(context -> {});

        for (AsyncCompute async : AsyncCompute.values()) {
            assertThat(queues(async)).as("%s", async).containsExactly(0, 0, 0, 0);
        }
    }

    /** A named queue is an order: one that cannot be followed is refused before anything is recorded. */
    @Test
    void copiesFromBuffersToDepthAreRefusedOnQueuesWithoutGraphics() {
        toDepth("to compute", PassKind.COPY).onQueue(1).record(context -> {});
        toDepth("to copy", PassKind.COPY).onQueue(3).record(context -> {});
        toDepth("computes", PassKind.COMPUTE).onQueue(2).record(context -> {});
        RdgTexture from = depth();
        graph.addPass("between textures", PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(depth(), Access.COPY_DST)
                .onQueue(1)
                .record(context -> {});

        assertThatThrownBy(() -> compile(AsyncCompute.TAGGED, FOUR))
                .isInstanceOfSatisfying(RdgValidationException.class, refused -> {
                    assertThat(refused.errors().stream()
                                    .filter(error -> error.code() == RdgError.Code.QUEUE_CAPABILITY)
                                    .map(RdgError::pass))
                            .containsExactly("to compute", "to copy", "computes");
                    RdgError first = refused.errors().get(0);
                    assertThat(first.resource()).isEqualTo("depth0");
                    assertThat(first.message())
                            .isEqualTo(
                                    "pass 'to compute' copies to 'depth0', a texture of depth or stencil, which takes a"
                                            + " graphics queue, but names queue 1 ('compute'), a COMPUTE queue");
                    assertThat(first.fix()).isEqualTo("name a graphics queue, or none");
                    assertThat(first.sites()).hasSize(2).allMatch(site -> site.contains("NamedQueuesTest.java"));
                });
    }

    @Test
    void copiesToDepthRunOnAnyGraphicsQueue() {
        toDepth("copy", PassKind.COPY).onQueue(1).record(context -> {});
        assertThat(compile(AsyncCompute.TAGGED, TWO_GRAPHICS).passes())
                .extracting(PassPlan::queue)
                .containsExactly(1);
    }

    private PassBuilder draw(String name, RdgTexture target) {
        return graph.addPass(name, PassKind.RASTER)
                .color(target, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL);
    }

    private RdgTexture picture(String name) {
        return graph.createTexture(
                name, TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
    }

    /** Compute passes alone come back. */
    @Test
    void rasterPassesStayOnTheirQueueWithAsyncOff() {
        draw("draw", picture("picture")).onQueue(1).record(context -> {});
        compute("compute").onQueue(1).record(context -> {});
        copy("copy").onQueue(1).record(context -> {});
        for (AsyncCompute async : AsyncCompute.values()) {
            assertThat(compile(async, TWO_GRAPHICS).passes())
                    .as("%s", async)
                    .extracting(PassPlan::queue)
                    .containsExactly(1, async == AsyncCompute.OFF ? 0 : 1, 1);
        }
    }

    @Test
    void rasterPassesOfASecondGraphicsQueueShareRenderPasses() {
        RdgTexture first = picture("first");
        RdgTexture second = picture("second");
        draw("a", first).record(context -> {});
        draw("b", second).onQueue(1).record(context -> {});
        draw("c", first).record(context -> {});
        draw("d", second).onQueue(1).record(context -> {});
        draw("e", second).onQueue(1).flag(PassFlag.NEVER_MERGE).record(context -> {});

        FramePlan plan = compile(AsyncCompute.TAGGED, TWO_GRAPHICS);

        assertThat(plan.renderPasses())
                .extracting(FramePlan.RenderPassPlan::passes)
                .containsExactly(List.of(0, 2), List.of(1, 3), List.of(4));
        assertThat(plan.renderPasses())
                .extracting(FramePlan.RenderPassPlan::refusal)
                .containsExactly("", "", "'e' has the flag NEVER_MERGE");
        assertThat(plan.explain("b")).contains("  shares its render pass: b, d");
    }

    @Test
    void whereNoQueueIsAbleNoneIsProposed() {
        QueueTopology copies = new QueueTopology(List.of(new QueueTopology.Queue("copy", QueueKind.COPY, 0)));
        compute("unable").onQueue(0).record(context -> {});
        assertThatThrownBy(() -> compile(AsyncCompute.TAGGED, copies))
                .isInstanceOfSatisfying(
                        RdgValidationException.class,
                        refused -> assertThat(refused.errors())
                                .extracting(RdgError::fix)
                                .containsExactly("change the kind, since no queue of the topology does COMPUTE"));
        assertThatThrownBy(() -> new QueueTopology(List.of(
                        new QueueTopology.Queue("copy", QueueKind.COPY, 0),
                        new QueueTopology.Queue("main", QueueKind.GRAPHICS, 1))))
                .hasMessage("the first queue must do all that the others do, got 'copy' (copy, family 0),"
                        + " 'main' (graphics, family 1)");
        assertThatThrownBy(() -> new QueueTopology(List.of())).hasMessageEndingWith("got none");
    }

    @Test
    void queuesThatAreNotThereOrCannotAreRefusedWithTheSite() {
        compute("nowhere").onQueue(4).record(context -> {});
        compute("unable").onQueue(3).record(context -> {});
        compute("flagged").flag(PassFlag.ASYNC_COPY).record(context -> {});
        copy("blind").flag(PassFlag.ASYNC_COPY, PassFlag.UNTRACKED_ACCESS).record(context -> {});

        assertThatThrownBy(() -> compile(AsyncCompute.TAGGED, FOUR))
                .isInstanceOfSatisfying(RdgValidationException.class, refused -> {
                    assertThat(refused.errors())
                            .extracting(RdgError::code)
                            .containsExactly(
                                    RdgError.Code.QUEUE_CAPABILITY,
                                    RdgError.Code.QUEUE_CAPABILITY,
                                    RdgError.Code.FLAG_INVALID,
                                    RdgError.Code.UNTRACKED_ASYNC);
                    assertThat(refused.errors().get(0).message())
                            .isEqualTo("pass 'nowhere', a COMPUTE pass, names queue 4, but the device has 4");
                    assertThat(refused.errors().get(1).message())
                            .isEqualTo("pass 'unable', a COMPUTE pass, names queue 3 ('copy'), a COPY queue");
                    assertThat(refused.errors().get(1).fix())
                            .isEqualTo("name one of 0 (graphics), 1 (compute), 2 (compute 2), or none");
                    assertThat(refused.errors())
                            .allSatisfy(error -> assertThat(error.sites())
                                    .singleElement()
                                    .asString()
                                    .contains("NamedQueuesTest.java"));
                });
        assertThatThrownBy(() -> copy("negative").onQueue(-1))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'negative'")
                .hasMessageContaining("queues count from 0");
        assertThatThrownBy(() -> copy("two").onQueue(1).onQueue(2))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("it names queue 1 already");
    }

    private Path dumped(FramePlan plan) throws IOException {
        StringWriter dump = new StringWriter();
        PlanJson.write(plan, dump);
        return Files.writeString(folder.resolve("graph.json"), dump.toString());
    }

    /** Without the flag a file means that nothing but copies of copy queues leaves the graphics queue then. */
    @Test
    void aDumpWithAsyncOffKeepsCopiesOnTheirComputeQueue() throws IOException {
        copy("copy").onQueue(1).record(context -> {});
        compute("compute").onQueue(1).record(context -> {});
        copy("other").onQueue(3).record(context -> {});
        RdgBuffer unread =
                graph.createBuffer("unread", FakeResources.buffer("shape", 64).description());
        graph.addPass("culled", PassKind.COPY)
                .overwrites(unread, Access.COPY_DST)
                .onQueue(1)
                .record(context -> {});
        FramePlan plan = compile(AsyncCompute.OFF, FOUR);
        assertThat(plan.passes()).extracting(PassPlan::queue).containsExactly(1, 0, 3, -1);
        Path file = dumped(plan);

        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());

        assertThat(again.passes()).extracting(PassPlan::queue).containsExactly(1, 0, 3, -1);
        StringWriter second = new StringWriter();
        PlanJson.write(again, second);
        assertThat(second.toString()).isEqualTo(Files.readString(file));
    }

    /** As if the pass had named it: a compute pass alone leaves it, and only with async off. */
    @Test
    void aFixedQueueOfAFileIsThatOfItsPasses() throws IOException {
        String file = "{'queues':[{'id':'g','family':0,'caps':['graphics']},{'id':'c','family':1,'caps':['compute']}],"
                + "'resources':[{'id':'a','kind':'buffer','lifetime':'external'},"
                + "{'id':'b','kind':'buffer','lifetime':'external'},{'id':'d','kind':'buffer','lifetime':'external'}],"
                + "'passes':[{'id':'fixed','kind':'copy','queue':'c','flags':['queueFixed'],"
                + "'uses':[{'r':'a','a':'copyDst'}]},"
                + "{'id':'free','kind':'copy','queue':'c','uses':[{'r':'b','a':'copyDst'}]},"
                + "{'id':'computes','kind':'compute','queue':'c','flags':['queueFixed'],"
                + "'uses':[{'r':'d','a':'storageWriteComp'}]}]}";
        Path path = Files.writeString(folder.resolve("fixed.json"), file.replace('\'', '"'));
        for (AsyncCompute async : EnumSet.complementOf(EnumSet.of(AsyncCompute.MEASURED))) {
            FramePlan plan = Objects.requireNonNull(GraphFile.read(path)
                    .compile(options -> options.withAsync(async))
                    .plan());
            assertThat(plan.passes())
                    .as("%s", async)
                    .extracting(PassPlan::queue)
                    .containsExactlyElementsOf(async == AsyncCompute.OFF ? List.of(1, 0, 0) : List.of(1, 1, 1));
        }
    }

    @Test
    void aDumpGivesTheSamePlanAgain() throws IOException {
        compute("second").onQueue(2).record(context -> {});
        compute("stays").onQueue(0).record(context -> {});
        compute("leaves").record(context -> {});
        copy("tagged").flag(PassFlag.ASYNC_COPY).record(context -> {});
        RdgBuffer unread =
                graph.createBuffer("unread", FakeResources.buffer("shape", 64).description());
        graph.addPass("culled", PassKind.COPY)
                .overwrites(unread, Access.COPY_DST)
                .onQueue(3)
                .record(context -> {});
        FramePlan plan = compile(AsyncCompute.ALL, FOUR);
        assertThat(plan.passes()).extracting(PassPlan::queue).containsExactly(2, 0, 1, 3, -1);
        Path file = dumped(plan);

        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());
        assertThat(again.passes()).extracting(PassPlan::queue).containsExactly(2, 0, 1, 3, -1);
        StringWriter second = new StringWriter();
        PlanJson.write(again, second);
        assertThat(second.toString()).isEqualTo(Files.readString(file));
        FramePlan kept = Objects.requireNonNull(GraphFile.read(file)
                .compile(options -> options.withCullPasses(false))
                .plan());
        assertThat(kept.passes()).extracting(PassPlan::queue).containsExactly(2, 0, 1, 3, 3);
    }
}
