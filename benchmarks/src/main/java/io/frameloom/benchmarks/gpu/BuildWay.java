package io.frameloom.benchmarks.gpu;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;

/** A way to build the structure of a mesh, with a structure of its own. One thread. */
interface BuildWay extends AutoCloseable {
    /** Returns the name. */
    String name();

    /** Builds the structure, or updates it, and returns when the device is done. */
    void build(boolean update);

    @Override
    void close();

    /** Command lists of Frameloom. */
    final class Commands implements BuildWay {
        private final BuiltMesh mesh;
        private final AccelerationStructure structure;
        private final FrameContext context;

        Commands(BuiltMesh mesh) {
            this.mesh = mesh;
            structure = mesh.structure("by commands");
            context = mesh.device.createFrameContext("builds");
        }

        @Override
        public String name() {
            return "commands";
        }

        @Override
        public void build(boolean update) {
            AccelerationStructureBuild anew = mesh.build(structure, mesh.scratch);
            mesh.run(context, list -> list.buildAccelerationStructure(update ? anew.updating(structure) : anew));
        }

        @Override
        public void close() {
            context.close();
            structure.close();
        }
    }

    /** A frame of a render graph for each build, with scratch memory of the frame. */
    final class Frames implements BuildWay {
        private final BuiltMesh mesh;
        private final FrameExecutor executor;
        private final AccelerationStructure structure;

        Frames(BuiltMesh mesh, FrameExecutor executor) {
            this.mesh = mesh;
            this.executor = executor;
            structure = mesh.structure("by frames");
        }

        @Override
        public String name() {
            return "frame";
        }

        @Override
        public void build(boolean update) {
            RenderGraph graph = new RenderGraph("builds");
            RdgBuffer built = graph.registerExternal(structure);
            long bytes = update ? mesh.sizes.updateScratchBytes() : mesh.sizes.buildScratchBytes();
            RdgBuffer scratch = graph.createBuffer("scratch", BufferDescription.device(bytes));
            var pass = graph.addPass("build", PassKind.COMPUTE)
                    .reads(graph.registerExternal(mesh.vertices), Access.ACCELERATION_STRUCTURE_INPUT)
                    .reads(graph.registerExternal(mesh.indices), Access.ACCELERATION_STRUCTURE_INPUT)
                    .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH);
            if (update) {
                pass.writes(built, Access.ACCELERATION_STRUCTURE_BUILD_READ_WRITE);
            } else {
                pass.overwrites(built, Access.ACCELERATION_STRUCTURE_BUILD_WRITE);
            }
            pass.record(frame -> {
                Buffer work = frame.buffer(scratch);
                AccelerationStructureBuild anew = mesh.build(structure, work);
                frame.commands().buildAccelerationStructure(update ? anew.updating(structure) : anew);
            });
            executor.run(graph).completed().await();
        }

        @Override
        public void close() {
            structure.close();
        }
    }
}
