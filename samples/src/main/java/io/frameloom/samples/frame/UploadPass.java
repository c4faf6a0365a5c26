package io.frameloom.samples.frame;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import java.nio.FloatBuffer;
import java.util.List;

/** Copies what the simulation has computed to the device: constants, transforms of the draws, lights, the rig. */
final class UploadPass {
    private static final int PARAMETER_FLOATS = 8;

    /** Bytes of one element of the storage block {@code Draws}. */
    static final int DRAW_BYTES = (FrameSnapshot.MATRIX_FLOATS + PARAMETER_FLOATS) * Float.BYTES;

    private final Scene scene;
    private final float[] parameters;
    private final int[] moving;

    UploadPass(Scene scene) {
        this.scene = scene;
        moving = scene.moving();
        List<DrawItem> draws = scene.draws();
        parameters = new float[draws.size() * PARAMETER_FLOATS];
        for (int i = 0; i < draws.size(); i++) {
            DrawItem draw = draws.get(i);
            int at = i * PARAMETER_FLOATS;
            parameters[at] = draw.tint().x();
            parameters[at + 1] = draw.tint().y();
            parameters[at + 2] = draw.tint().z();
            parameters[at + 3] = draw.tint().w();
            parameters[at + 4] = draw.mapping().x();
            parameters[at + 5] = draw.mapping().y();
            parameters[at + 6] = draw.mapping().z();
            // Where the matrix of the frame before stands: a draw that stands still has the same one.
            parameters[at + 7] = i;
        }
        for (int i = 0; i < moving.length; i++) {
            parameters[moving[i] * PARAMETER_FLOATS + 7] = draws.size() + i;
        }
    }

    void declare(RenderGraph graph, FrameResources resources, FrameSnapshot snapshot) {
        RdgBuffer rig = resources.rig;
        PassBuilder pass = graph.addPass("upload frame data", PassKind.COPY)
                .overwrites(resources.constants, Access.COPY_DST)
                .overwrites(resources.draws, Access.COPY_DST)
                .overwrites(resources.lights, Access.COPY_DST);
        if (rig != null) {
            pass.overwrites(rig, Access.COPY_DST);
        }
        pass.record(context -> {
            BufferSlice constants = slice(context, resources.constants);
            FrameConstants.write(constants.data(), scene, snapshot, resources.width, resources.height);
            copy(context, constants, resources.constants);

            BufferSlice draws = slice(context, resources.draws);
            FloatBuffer drawFloats = draws.data().asFloatBuffer();
            for (int i = 0; i < scene.draws().size(); i++) {
                drawFloats.put(snapshot.transforms, i * FrameSnapshot.MATRIX_FLOATS, FrameSnapshot.MATRIX_FLOATS);
                drawFloats.put(parameters, i * PARAMETER_FLOATS, PARAMETER_FLOATS);
            }
            for (int i = 0; i < moving.length; i++) {
                drawFloats.put(snapshot.formerTransforms, i * FrameSnapshot.MATRIX_FLOATS, FrameSnapshot.MATRIX_FLOATS);
                drawFloats.position(drawFloats.position() + PARAMETER_FLOATS);
            }
            copy(context, draws, resources.draws);

            BufferSlice lights = slice(context, resources.lights);
            lights.data().asFloatBuffer().put(snapshot.lights);
            copy(context, lights, resources.lights);

            if (rig != null) {
                BufferSlice state = slice(context, rig);
                state.data().asFloatBuffer().put(snapshot.rig).put(snapshot.formerRig);
                copy(context, state, rig);
            }
        });
    }

    private static BufferSlice slice(PassContext context, RdgBuffer target) {
        return context.upload(target.description().bytes(), 16);
    }

    private static void copy(PassContext context, BufferSlice source, RdgBuffer target) {
        context.commands()
                .copyBuffer(
                        source.buffer(),
                        source.offset(),
                        context.buffer(target),
                        0,
                        target.description().bytes());
    }
}
