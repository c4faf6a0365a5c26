package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.compute.BracketArguments;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipArguments;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.CompactArguments;
import io.frameloom.gpu.compute.CpuClipBoxes;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanArguments;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.PrimitivePasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The passes of primitives declare the accesses that the primitives themselves ask for, also where they go in windows. */
class PrimitiveAccessesTest {
    /** Elements of the shortest window of clip boxes. */
    private static final int WINDOW = 1 << 15;

    private static final ClipBox VIEWPORT = new ClipBox(0, 0, 900, 800);

    /** A device whose storage bindings hold the boxes of one window. */
    private static GpuDevice narrow(GpuDevice device) {
        DeviceCapabilities base = device.capabilities();
        DeviceCapabilities narrow = new DeviceCapabilities(
                base.name(),
                base.kind(),
                base.driver(),
                base.renders(),
                base.timestamps(),
                base.maxTextureExtent(),
                base.storageAlignment() + 16L * WINDOW,
                base.uniformAlignment(),
                base.storageAlignment(),
                base.maxPushConstantBytes(),
                base.maxAnisotropy(),
                base.robustBufferAccess(),
                base.limits(),
                base.on());
        return (GpuDevice) Proxy.newProxyInstance(
                GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("capabilities")) {
                        return narrow;
                    }
                    try {
                        return method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A pass and what it stands for, with the same names of buffers. */
    private static final class Comparison {
        private final DeviceRig rig;
        private final RenderGraph graph = new RenderGraph("accesses");
        private final Deque<Buffer> buffers = new ArrayDeque<>();

        Comparison(DeviceRig rig) {
            this.rig = rig;
        }

        RdgBufferView input(String name, long bytes) {
            return UploadPasses.createBuffer(graph, name, ByteBuffer.allocate((int) bytes), BufferUsage.STORAGE)
                    .view();
        }

        RdgBufferView output(String name, long bytes) {
            return graph.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE))
                    .view();
        }

        BufferRange real(String name, long bytes) {
            Buffer buffer = rig.device.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE));
            buffers.push(buffer);
            return new BufferRange(buffer, 0, bytes);
        }

        void agree(PassBuilder pass, List<ResourceUse> asked) {
            pass.flag(PassFlag.NEVER_CULL);
            FramePlan plan = rig.compile(graph);
            Map<String, Access> declared = new TreeMap<>();
            plan.passes().get(plan.passes().size() - 1).uses().forEach(use -> {
                String name = plan.resources().get(use.resource()).name();
                declared.put(name.startsWith("scratch of") ? "scratch" : name, use.access());
            });
            Map<String, Access> expected = new TreeMap<>();
            asked.forEach(use -> expected.put(use.resource().name(), use.access()));
            assertThat(declared).isEqualTo(expected);
            while (!buffers.isEmpty()) {
                buffers.pop().close();
            }
        }
    }

    private static void scans(DeviceRig rig, GpuDevice device, int length) {
        try (PrefixScan scan = PrefixScan.create(device, ScanOperator.sum(ElementType.U32))) {
            long bytes = 4L * length;
            Comparison apart = new Comparison(rig);
            apart.agree(
                    PrimitivePasses.scan(
                            apart.graph,
                            "scan",
                            scan,
                            ScanKind.INCLUSIVE,
                            length,
                            apart.input("input", bytes),
                            apart.output("output", bytes)),
                    scan.uses(new ScanArguments(
                            ScanKind.INCLUSIVE,
                            length,
                            apart.real("input", bytes),
                            apart.real("output", bytes),
                            apart.real("scratch", scan.scratchBytes(length)))));
            Comparison inPlace = new Comparison(rig);
            RdgBufferView both = inPlace.input("both", bytes);
            BufferRange real = inPlace.real("both", bytes);
            inPlace.agree(
                    PrimitivePasses.scan(inPlace.graph, "scan", scan, ScanKind.INCLUSIVE, length, both, both),
                    scan.uses(new ScanArguments(
                            ScanKind.INCLUSIVE,
                            length,
                            real,
                            real,
                            inPlace.real("scratch", scan.scratchBytes(length)))));
        }
    }

    private static void matches(DeviceRig rig, GpuDevice device, int length) {
        try (BracketMatch match = BracketMatch.create(device, BracketInput.BYTES)) {
            Comparison comparison = new Comparison(rig);
            long bytes = match.input().bytes(length);
            comparison.agree(
                    PrimitivePasses.match(
                            comparison.graph,
                            "match",
                            match,
                            length,
                            comparison.input("brackets", bytes),
                            comparison.output("links", 4L * length)),
                    match.uses(new BracketArguments(
                            length,
                            comparison.real("brackets", bytes),
                            comparison.real("links", 4L * length),
                            comparison.real("scratch", match.scratchBytes(length)))));
        }
    }

    private static void compactions(DeviceRig rig, GpuDevice device, int length) {
        try (StreamCompaction compaction = StreamCompaction.create(device, ElementType.U32)) {
            Comparison comparison = new Comparison(rig);
            comparison.agree(
                    PrimitivePasses.compact(
                            comparison.graph,
                            "compact",
                            compaction,
                            length,
                            comparison.input("input", 4L * length),
                            comparison.input("keep", length),
                            comparison.output("output", 4L * length),
                            comparison.output("count", 4)),
                    compaction.uses(new CompactArguments(
                            length,
                            comparison.real("input", 4L * length),
                            comparison.real("keep", length),
                            comparison.real("output", 4L * length),
                            comparison.real("count", 4),
                            comparison.real("scratch", compaction.scratchBytes(length)))));
        }
    }

    private static void clips(DeviceRig rig, GpuDevice device, int length) {
        try (ClipBoxes clips = ClipBoxes.create(device)) {
            Comparison comparison = new Comparison(rig);
            comparison.agree(
                    PrimitivePasses.clipBoxes(
                            comparison.graph,
                            "clips",
                            clips,
                            ClipEnd.BEFORE_POP,
                            VIEWPORT,
                            length,
                            comparison.input("operations", 4L * length),
                            comparison.input("boxes", 16L * length),
                            comparison.output("effective", 16L * length),
                            comparison.output("links", 4L * length)),
                    clips.uses(new ClipArguments(
                            length,
                            ClipEnd.BEFORE_POP,
                            VIEWPORT,
                            comparison.real("operations", 4L * length),
                            comparison.real("boxes", 16L * length),
                            comparison.real("effective", 16L * length),
                            comparison.real("links", 4L * length),
                            comparison.real("scratch", clips.scratchBytes(length)))));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, WINDOW, WINDOW + 1})
    void passesDeclareWhatPrimitivesAskFor(int length) {
        TestDevice.VIRTUAL.run(rig -> {
            GpuDevice device = narrow(rig.device);
            scans(rig, device, length);
            matches(rig, device, length);
            compactions(rig, device, length);
            clips(rig, device, length);
        });
    }

    /** The boxes of the second window are read again, to be cut by what is around them in the first. */
    @ParameterizedTest
    @EnumSource
    void clipsOfTwoWindows(TestDevice device) {
        int length = WINDOW + 700;
        int[] operations = new int[length];
        float[] boxes = new float[4 * length];
        for (int i = 0; i < length; i++) {
            operations[i] = i < length / 2 ? ClipBoxes.BEGIN : i % 3 == 0 ? ClipBoxes.DRAW : ClipBoxes.END;
            boxes[4 * i] = i % 1000;
            boxes[4 * i + 1] = i % 7;
            boxes[4 * i + 2] = 100_000 - i;
            boxes[4 * i + 3] = i % 11 == 0 ? 90_000 - i : 100_000;
        }
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("clips");
            ByteBuffer operationBytes = ByteBuffer.allocate(4 * length).order(ByteOrder.nativeOrder());
            operationBytes.asIntBuffer().put(operations);
            ByteBuffer boxBytes = ByteBuffer.allocate(16 * length).order(ByteOrder.nativeOrder());
            boxBytes.asFloatBuffer().put(boxes);
            RdgBuffer effective =
                    graph.createBuffer("effective", BufferDescription.device(16L * length, BufferUsage.STORAGE));
            RdgBuffer links = graph.createBuffer("links", BufferDescription.device(4L * length, BufferUsage.STORAGE));
            try (ClipBoxes clips = ClipBoxes.create(narrow(rig.device))) {
                assertThat(clips.effectiveAccess(WINDOW)).isEqualTo(Access.STORAGE_WRITE_COMPUTE);
                assertThat(clips.effectiveAccess(length)).isEqualTo(Access.STORAGE_READ_WRITE_COMPUTE);
                PrimitivePasses.clipBoxes(
                        graph,
                        "clips",
                        clips,
                        ClipEnd.BEFORE_POP,
                        VIEWPORT,
                        length,
                        UploadPasses.createBuffer(graph, "operations", operationBytes, BufferUsage.STORAGE)
                                .view(),
                        UploadPasses.createBuffer(graph, "boxes", boxBytes, BufferUsage.STORAGE)
                                .view(),
                        effective.view(),
                        links.view());
                RdgReadback cut = ReadbackPasses.buffer(graph, effective);
                RdgReadback around = ReadbackPasses.buffer(graph, links);
                rig.executor.execute(rig.compile(graph)).completed().await();
                CpuClipBoxes.Result expected =
                        CpuClipBoxes.compute(rig.tasks, ClipEnd.BEFORE_POP, VIEWPORT, operations, boxes);
                float[] actual = new float[4 * length];
                cut.bytes().join().asFloatBuffer().get(actual);
                assertThat(actual).isEqualTo(expected.effective());
                int[] actualLinks = new int[length];
                around.bytes().join().asIntBuffer().get(actualLinks);
                assertThat(actualLinks).isEqualTo(expected.links());
            }
        });
    }
}
