package io.frameloom.samples.frame;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Scene;
import org.jspecify.annotations.Nullable;

/** The handles that the passes of one frame share. Made by the thread that declares the graph. */
final class FrameResources {
    /** Side of the shadow map in texels. */
    static final int SHADOW_EXTENT = 2048;

    static final Format ALBEDO = Format.R8G8B8A8_SRGB;
    static final Format NORMAL = Format.R16G16B16A16_SFLOAT;
    static final Format EMISSIVE = Format.B10G11R11_UFLOAT;
    static final Format MOTION = Format.R16G16_SFLOAT;
    static final Format DEPTH = Format.D32_SFLOAT;
    static final Format RADIANCE = Format.R16G16B16A16_SFLOAT;
    static final Format OCCLUSION = Format.R32_SFLOAT;
    static final Format PICTURE = Format.R8G8B8A8_UNORM;

    final int width;
    final int height;

    /** Uniform block {@code Frame}. */
    final RdgBuffer constants;

    /** Storage block {@code Draws}. */
    final RdgBuffer draws;

    /** Storage block {@code Lights}. */
    final RdgBuffer lights;

    /** Storage block {@code Rig}, of this frame and of the one before; null if nothing is deformed. */
    final @Nullable RdgBuffer rig;

    /** Vertices that the deform pass has moved; null if nothing is deformed. */
    final @Nullable RdgBuffer deformed;

    /** Where these vertices were in the frame before, at the same places; null if nothing is deformed. */
    final @Nullable RdgBuffer former;

    final RdgTexture shadow;
    final RdgTexture depth;
    final RdgTexture albedo;
    final RdgTexture normal;
    final RdgTexture emissive;

    /** By how much more than the ground under it a texel has moved in the picture. */
    final RdgTexture motion;

    final RdgTexture radiance;

    /** Outlives frames: what the temporal pass of the frame before has left. */
    final RdgTexture historyBefore;

    /** Outlives frames: what the temporal pass of this frame leaves. */
    final RdgTexture history;

    /** Outlives frames: the finished picture. */
    final RdgTexture picture;

    FrameResources(
            RenderGraph graph,
            Scene scene,
            SceneBuffers buffers,
            int width,
            int height,
            RdgTexture historyBefore,
            RdgTexture history,
            RdgTexture picture) {
        this.width = width;
        this.height = height;
        this.historyBefore = historyBefore;
        this.history = history;
        this.picture = picture;
        constants = graph.createBuffer("frame constants", BufferDescription.device(FrameConstants.BYTES));
        draws = graph.createBuffer(
                "draw data", BufferDescription.device(buffers.drawRecords() * UploadPass.DRAW_BYTES));
        lights = graph.createBuffer(
                "light data",
                BufferDescription.device((long) Math.max(1, scene.lights().size()) * Light.FLOATS * Float.BYTES));
        long deformedBytes = buffers.deformedBytes();
        rig = deformedBytes == 0
                ? null
                : graph.createBuffer(
                        "rig", BufferDescription.device(2L * scene.rig().floats() * Float.BYTES));
        deformed = deformedBytes == 0
                ? null
                : graph.createBuffer("deformed vertices", BufferDescription.device(deformedBytes));
        former = deformedBytes == 0
                ? null
                : graph.createBuffer("former vertices", BufferDescription.device(deformedBytes));
        shadow = graph.createTexture("shadow map", TextureDescription.of(SHADOW_EXTENT, SHADOW_EXTENT, DEPTH));
        depth = graph.createTexture("depth", TextureDescription.of(width, height, DEPTH));
        albedo = graph.createTexture("g-buffer albedo", TextureDescription.of(width, height, ALBEDO));
        normal = graph.createTexture("g-buffer normal", TextureDescription.of(width, height, NORMAL));
        emissive = graph.createTexture("g-buffer emissive", TextureDescription.of(width, height, EMISSIVE));
        motion = graph.createTexture("g-buffer motion", TextureDescription.of(width, height, MOTION));
        radiance = graph.createTexture("radiance", TextureDescription.of(width, height, RADIANCE));
    }

    /** Lets a pass that draws read what the deform pass has written. */
    PassBuilder readsDeformed(PassBuilder pass) {
        return deformed == null ? pass : pass.reads(deformed, Access.VERTEX);
    }

    /** Lets a pass that draws read these and where they were. */
    PassBuilder readsFormer(PassBuilder pass) {
        return former == null ? pass : readsDeformed(pass).reads(former, Access.VERTEX);
    }

    /** Returns how many groups of {@code side} texels cover {@code texels}. */
    static int groups(int texels, int side) {
        return (texels + side - 1) / side;
    }
}
