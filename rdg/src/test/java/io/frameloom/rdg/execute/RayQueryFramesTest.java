package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames build acceleration structures in transient scratch memory and trace rays through them. */
@Timeout(60)
class RayQueryFramesTest {
    private static final AccelerationStructureDescription BOTTOM = AccelerationStructureDescription.of(
            new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 1, true), Flag.FAST_BUILD);
    private static final AccelerationStructureDescription TOP = AccelerationStructureDescription.of(2);

    private static final ShaderSource WRITE = new ShaderSource("write.comp", ShaderStage.COMPUTE, """
            #version 460
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Vertices { float vertices[]; };
            void main() {
                const float positions[9] = float[](-1, -1, 0, 1, -1, 0, 0, 1.5, 0);
                for (uint i = 0; i < 9; i++) {
                    vertices[i] = positions[i];
                }
            }
            """);

    /** Two rays: one through each instance of the frame. */
    private static final ShaderSource TRACE = new ShaderSource("trace.comp", ShaderStage.COMPUTE, """
            #version 460
            #extension GL_EXT_ray_query : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(set = 0, binding = 1) writeonly buffer Hits { uint hits[]; };
            void main() {
                uint ray = gl_WorkGroupID.x;
                rayQueryEXT query;
                rayQueryInitializeEXT(query, scene, 0, 0xFF, vec3(ray * 10.0, 0, 5), 0.0, vec3(0, 0, -1), 9.0);
                rayQueryProceedEXT(query);
                bool hit = rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT;
                hits[ray] = hit ? rayQueryGetIntersectionInstanceCustomIndexEXT(query, true) : 0;
            }
            """);

    private static DeviceRig rig(TestDevice kind) {
        return kind.rig(RdgOptions.defaults().withAsync(AsyncCompute.ALL), Capability.RAY_QUERIES);
    }

    private static AccelerationStructure structure(
            DeviceRig rig, String name, AccelerationStructureDescription description) {
        return rig.device.createAccelerationStructure(
                name, description.level(), rig.device.sizes(description).structureBytes());
    }

    private static RdgBuffer scratch(
            DeviceRig rig, RenderGraph graph, String name, AccelerationStructureDescription description) {
        return graph.createBuffer(
                name, BufferDescription.device(rig.device.sizes(description).buildScratchBytes()));
    }

    private static float[] moved(float x) {
        return new float[] {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0};
    }

    @ParameterizedTest
    @EnumSource
    void framesBuildAndTrace(TestDevice kind) {
        try (DeviceRig rig = rig(kind);
                ComputePipeline trace =
                        rig.device.createComputePipeline(new ComputePipelineDescription("trace", TRACE, null));
                ComputePipeline write =
                        rig.device.createComputePipeline(new ComputePipelineDescription("write", WRITE, null));
                AccelerationStructure first = structure(rig, "first", BOTTOM);
                AccelerationStructure second = structure(rig, "second", BOTTOM);
                AccelerationStructure top = structure(rig, "top", TOP)) {
            for (int frame = 0; frame < 3; frame++) {
                RdgReadback read = frame(rig, frame, trace, write, List.of(first, second), top);
                ByteBuffer hits = read.bytes().join();
                if (rig.device.capabilities().renders()) {
                    // The instances change places in every other frame.
                    assertThat(hits.getInt(0)).isEqualTo(frame % 2 == 0 ? 10 + frame : 20 + frame);
                    assertThat(hits.getInt(4)).isEqualTo(frame % 2 == 0 ? 20 + frame : 10 + frame);
                }
            }
            rig.assertClean();
        }
    }

    private static RdgReadback frame(
            DeviceRig rig,
            int frame,
            ComputePipeline trace,
            ComputePipeline write,
            List<AccelerationStructure> bottoms,
            AccelerationStructure top) {
        RenderGraph graph = new RenderGraph("frame");
        List<RdgBuffer> ofBottoms =
                bottoms.stream().map(graph::registerExternal).toList();
        RdgBuffer ofTop = graph.registerExternal(top);
        List<RdgBuffer> scratches = List.of(
                scratch(rig, graph, "scratch of first", BOTTOM), scratch(rig, graph, "scratch of second", BOTTOM));
        RdgBuffer vertices = graph.createBuffer("vertices", BufferDescription.device(3 * 12));
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(vertices, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(write);
                    context.commands().bindBuffer("Vertices", context.buffer(vertices), 0, 3 * 12);
                    context.commands().dispatch(1, 1, 1);
                });
        PassBuilder building = graph.addPass("build bottoms", PassKind.COMPUTE);
        building.reads(vertices, Access.ACCELERATION_STRUCTURE_INPUT);
        for (int i = 0; i < 2; i++) {
            building.overwrites(ofBottoms.get(i), Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                    .overwrites(scratches.get(i), Access.ACCELERATION_STRUCTURE_SCRATCH);
        }
        building.record(context -> {
            for (int i = 0; i < 2; i++) {
                context.commands()
                        .buildAccelerationStructure(new AccelerationStructureBuild(
                                bottoms.get(i),
                                BOTTOM,
                                Input.at(context.buffer(vertices), 0),
                                context.buffer(scratches.get(i))));
            }
        });
        RdgBuffer scratch = scratch(rig, graph, "scratch of top", TOP);
        graph.addPass("build top", PassKind.COMPUTE)
                .reads(ofBottoms.get(0), Access.ACCELERATION_STRUCTURE_BUILD_READ)
                .reads(ofBottoms.get(1), Access.ACCELERATION_STRUCTURE_BUILD_READ)
                .overwrites(ofTop, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {
                    BufferSlice memory = context.upload(2 * TopLevelInstances.BYTES, 16);
                    boolean even = frame % 2 == 0;
                    new TopLevelInstances(memory.data())
                            .add(bottoms.get(0), moved(even ? 0 : 10), 10 + frame)
                            .add(bottoms.get(1), moved(even ? 10 : 0), 20 + frame);
                    Input instances = Input.instances(memory.buffer(), memory.offset(), bottoms);
                    context.commands()
                            .buildAccelerationStructure(
                                    new AccelerationStructureBuild(top, TOP, instances, context.buffer(scratch)));
                });
        RdgBuffer hits = graph.createBuffer("hits", BufferDescription.device(8));
        graph.addPass("trace", PassKind.COMPUTE)
                .reads(ofBottoms.get(0), Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE)
                .reads(ofBottoms.get(1), Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE)
                .reads(ofTop, Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE)
                .overwrites(hits, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    context.commands().bindPipeline(trace);
                    context.commands().bindAccelerationStructure("scene", top);
                    context.commands().bindBuffer("Hits", context.buffer(hits), 0, 8);
                    context.commands().dispatch(2, 1, 1);
                });
        RdgReadback read = ReadbackPasses.buffer(graph, hits);
        rig.executor.execute(rig.compile(graph)).completed().await();
        return read;
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void whatIsNoStructureIsRefused(TestDevice kind) {
        try (DeviceRig rig = rig(kind);
                Buffer storage =
                        rig.device.createBuffer("storage", BufferDescription.device(256, BufferUsage.STORAGE))) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer transientOne = graph.createBuffer("structure", BufferDescription.device(256));
            RdgBuffer external = graph.registerExternal(storage);
            graph.addPass("build", PassKind.COMPUTE)
                    .overwrites(transientOne, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                    .overwrites(external, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                    .record(context -> {});
            assertThatThrownBy(() -> rig.compile(graph))
                    .isInstanceOf(RdgValidationException.class)
                    .hasMessageContaining("declares ACCELERATION_STRUCTURE_BUILD_WRITE of 'structure', a transient")
                    .hasMessageContaining("register an acceleration structure that the device has created")
                    .hasMessageContaining("of 'storage', an external created for [STORAGE] only");
        }
    }
}
