package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames build acceleration structures and trace rays through them by a pipeline. */
@Timeout(60)
class RayPipelineFramesTest {
    private static final AccelerationStructureDescription BOTTOM =
            AccelerationStructureDescription.of(new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 1, true));
    private static final AccelerationStructureDescription TOP = AccelerationStructureDescription.of(2);
    private static final float[] VERTICES = {-1, -1, 0, 1, -1, 0, 0, 1.5f, 0};
    private static final String HEAD = "#version 460\n#extension GL_EXT_ray_tracing : require\n";

    /** A ray for each number of the block. */
    private static final ShaderSource GENERATION =
            new ShaderSource("rays.rgen", ShaderStage.RAY_GENERATION, HEAD + """
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(set = 0, binding = 1) writeonly buffer Hits { uint hits[]; };
            layout(set = 0, binding = 2) uniform Places { vec4 places; };
            layout(location = 0) rayPayloadEXT uint hit;
            void main() {
                vec3 from = vec3(places[gl_LaunchIDEXT.x], 0, 5);
                traceRayEXT(scene, 0, 0xFF, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 9.0, 0);
                hits[gl_LaunchIDEXT.x] = hit;
            }
            """);

    private static final ShaderSource MISS = new ShaderSource("rays.rmiss", ShaderStage.MISS, HEAD + """
            layout(location = 0) rayPayloadInEXT uint hit;
            void main() { hit = 1; }
            """);

    private static final ShaderSource HIT = new ShaderSource("rays.rchit", ShaderStage.CLOSEST_HIT, HEAD + """
            layout(shaderRecordEXT, std430) buffer Record { uint colour; } record;
            layout(location = 0) rayPayloadInEXT uint hit;
            void main() { hit = record.colour + gl_InstanceCustomIndexEXT; }
            """);

    private static final RayTracingPipelineDescription PIPELINE = new RayTracingPipelineDescription(
            "rays", List.of(new General("go", GENERATION), new General("miss", MISS), new TrianglesHit("hit", HIT)), 1);

    private static AccelerationStructure structure(
            DeviceRig rig, String name, AccelerationStructureDescription description) {
        return rig.device.createAccelerationStructure(
                name, description.level(), rig.device.sizes(description).structureBytes());
    }

    private static RdgBuffer scratch(DeviceRig rig, RenderGraph graph, AccelerationStructureDescription description) {
        return graph.createBuffer(
                "scratch",
                BufferDescription.device(rig.device.sizes(description).buildScratchBytes()));
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.nativeOrder());
    }

    private static ShaderRecord hit(int colour) {
        return new ShaderRecord("hit", bytes(4).putInt(0, colour));
    }

    @ParameterizedTest
    @EnumSource
    void framesBuildAndTrace(TestDevice kind) {
        try (DeviceRig rig =
                        kind.rig(RdgOptions.defaults().withAsync(AsyncCompute.ALL), Capability.RAY_TRACING_PIPELINES);
                RayTracingPipeline rays = rig.device.createRayTracingPipeline(PIPELINE);
                AccelerationStructure bottom = structure(rig, "bottom", BOTTOM);
                AccelerationStructure top = structure(rig, "top", TOP)) {
            ShaderBindingTable table = new ShaderBindingTable(
                    rays,
                    new ShaderRecord("go"),
                    List.of(new ShaderRecord("miss")),
                    List.of(hit(100), hit(200)),
                    List.of());
            for (int frame = 0; frame < 3; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                RdgReadback read = declare(rig, graph, frame, table, bottom, top);
                rig.executor.execute(rig.compile(graph)).completed().await();
                ByteBuffer hits = read.bytes().join();
                if (rig.device.capabilities().renders()) {
                    assertThat(new int[] {hits.getInt(0), hits.getInt(4), hits.getInt(8)})
                            .containsExactly(110 + frame, 220 + frame, 1);
                }
            }
            rig.assertClean();
        }
    }

    /**
     * Lists are recorded in any order: here the one that measures before the one that builds. Validation layer 1.3.239 takes the
     * order of recording for that of the device.
     */
    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VIRTUAL_QUEUES"})
    void whatIsBuiltIsMeasuredWhicheverIsRecordedFirst(TestDevice kind) {
        AccelerationStructureDescription compactable =
                new AccelerationStructureDescription(BOTTOM.geometries(), Set.of(Flag.COMPACTABLE));
        try (DeviceRig rig = kind.rig(RdgOptions.defaults().withPassLimits(1, 1), Capability.RAY_TRACING_PIPELINES);
                AccelerationStructure bottom = structure(rig, "bottom", compactable);
                QuerySet sizes = rig.device.createQuerySet("sizes", QueryKind.COMPACTED_BYTES, 1)) {
            CountDownLatch measured = new CountDownLatch(1);
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer ofBottom = graph.registerExternal(bottom);
            ByteBuffer corners = bytes(VERTICES.length * 4);
            corners.asFloatBuffer().put(VERTICES);
            RdgBuffer vertices = UploadPasses.createBuffer(graph, "vertices", corners);
            RdgBuffer scratch = scratch(rig, graph, compactable);
            graph.addPass("build", PassKind.COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .reads(vertices, Access.ACCELERATION_STRUCTURE_INPUT)
                    .overwrites(ofBottom, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                    .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                    .record(context -> {
                        await(measured);
                        context.commands()
                                .buildAccelerationStructure(new AccelerationStructureBuild(
                                        bottom,
                                        compactable,
                                        Input.at(context.buffer(vertices), 0),
                                        context.buffer(scratch)));
                    });
            graph.addPass("measure", PassKind.COMPUTE)
                    .reads(ofBottom, Access.ACCELERATION_STRUCTURE_BUILD_READ)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        context.commands().measureAccelerationStructure(bottom, sizes, 0);
                        measured.countDown();
                    });
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(sizes.read().bytes(0)).isPositive();
            rig.assertClean();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** The table comes from upload memory in even frames, and from a transient, with the number of rays, in odd ones. */
    private static RdgReadback declare(
            DeviceRig rig,
            RenderGraph graph,
            int frame,
            ShaderBindingTable table,
            AccelerationStructure bottom,
            AccelerationStructure top) {
        RdgBuffer ofBottom = graph.registerExternal(bottom);
        RdgBuffer ofTop = graph.registerExternal(top);
        ByteBuffer corners = bytes(VERTICES.length * 4);
        corners.asFloatBuffer().put(VERTICES);
        RdgBuffer vertices = UploadPasses.createBuffer(graph, "vertices", corners);
        RdgBuffer first = scratch(rig, graph, BOTTOM);
        graph.addPass("build bottom", PassKind.COMPUTE)
                .reads(vertices, Access.ACCELERATION_STRUCTURE_INPUT)
                .overwrites(ofBottom, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(first, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> context.commands()
                        .buildAccelerationStructure(new AccelerationStructureBuild(
                                bottom, BOTTOM, Input.at(context.buffer(vertices), 0), context.buffer(first))));
        RdgBuffer second = scratch(rig, graph, TOP);
        graph.addPass("build top", PassKind.COMPUTE)
                .reads(ofBottom, Access.ACCELERATION_STRUCTURE_BUILD_READ)
                .overwrites(ofTop, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(second, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    BufferSlice memory = context.upload(2 * TopLevelInstances.BYTES, 16);
                    TopLevelInstances instances = new TopLevelInstances(memory.data());
                    for (int i = 0; i < 2; i++) {
                        float[] moved = {1, 0, 0, 10 * i, 0, 1, 0, 0, 0, 0, 1, 0};
                        instances.add(bottom, moved, 10 * (i + 1) + frame, 0xFF, i, TopLevelInstances.NO_CULLING);
                    }
                    Input where = Input.instances(memory.buffer(), memory.offset(), List.of(bottom));
                    context.commands()
                            .buildAccelerationStructure(
                                    new AccelerationStructureBuild(top, TOP, where, context.buffer(second)));
                });
        ByteBuffer where = bytes(16).putFloat(0, 0).putFloat(4, 10).putFloat(8, 20);
        RdgBuffer places = UploadPasses.createBuffer(graph, "places", where);
        RdgBuffer hits = graph.createBuffer("hits", BufferDescription.device(12));
        boolean uploads = frame % 2 == 0;
        ByteBuffer records = bytes((int) table.bytes());
        table.write(records);
        RdgBuffer kept = uploads ? null : UploadPasses.createBuffer(graph, "table", records);
        ByteBuffer count = bytes(12).putInt(0, 3).putInt(4, 1).putInt(8, 1);
        RdgBuffer size = uploads ? null : UploadPasses.createBuffer(graph, "size", count);
        PassBuilder pass = graph.addPass("trace", PassKind.COMPUTE)
                .reads(ofBottom, Access.ACCELERATION_STRUCTURE_TRACE_RAYS)
                .reads(ofTop, Access.ACCELERATION_STRUCTURE_TRACE_RAYS)
                .reads(places, Access.UNIFORM_RAYS)
                .overwrites(hits, Access.STORAGE_WRITE_RAYS);
        if (kept != null && size != null) {
            pass.reads(kept, Access.SHADER_BINDING_TABLE).reads(size, Access.INDIRECT);
        }
        pass.record(context -> {
            context.commands().bindPipeline(table.pipeline());
            context.commands().bindAccelerationStructure("scene", top);
            context.commands().bindBuffer("Hits", context.buffer(hits), 0, 12);
            context.commands().bindBuffer("Places", context.buffer(places), 0, 16);
            if (kept == null || size == null) {
                BufferSlice memory = context.upload(table.bytes(), table.alignment());
                table.write(memory.data());
                context.commands().traceRays(table, memory.buffer(), memory.offset(), 3, 1, 1);
            } else {
                context.commands().traceRaysIndirect(table, context.buffer(kept), 0, context.buffer(size), 0);
            }
        });
        return ReadbackPasses.buffer(graph, hits);
    }
}
