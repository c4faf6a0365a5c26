package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The uniform buffers of the frame of one slot. All have their places, in the order of the plan, before anything is
 * recorded. So places do not depend on which pass records first. The first pass that asks for one writes it.
 */
final class FrameUniforms {
    /** Any device's own minimum is applied as well. */
    private static final int ALIGNMENT = 16;

    /** One uniform buffer; guarded by itself while the frame is recorded. */
    private static final class Uniform {
        private @Nullable BufferSlice slice;
        private boolean written;
    }

    /** By index; kept from frame to frame. */
    private final List<Uniform> uniforms = new ArrayList<>();

    /** Places the uniform buffers of the passes that a plan records. RENDER thread. */
    void place(FrameContext context, CompiledPlan plan) {
        for (int i = 0; i < uniforms.size(); i++) {
            uniforms.get(i).slice = null;
        }
        List<FramePlan.PassPlan> passes = plan.passes();
        for (int pass = 0; plan.hasUniforms() && pass < passes.size(); pass++) {
            List<RdgUniformBuffer> read = plan.uniforms(passes.get(pass).index());
            if (!read.isEmpty() && !passes.get(pass).culled()) {
                for (int i = 0; i < read.size(); i++) {
                    place(context, read.get(i));
                }
            }
        }
    }

    private void place(FrameContext context, RdgUniformBuffer buffer) {
        while (uniforms.size() <= buffer.index()) {
            uniforms.add(new Uniform());
        }
        Uniform uniform = uniforms.get(buffer.index());
        if (uniform.slice == null) {
            uniform.slice = context.allocateUpload(buffer.bytes(), ALIGNMENT);
            uniform.written = false;
        }
    }

    /**
     * Returns the memory of a uniform buffer that a recorded pass has declared. Any thread; one waits for another only
     * if both ask for the same buffer.
     */
    BufferSlice written(RdgUniformBuffer buffer) {
        Uniform uniform = uniforms.get(buffer.index());
        synchronized (uniform) {
            BufferSlice slice = uniform.slice;
            if (slice == null) {
                throw new IllegalStateException("uniform buffer '" + buffer.name() + "' has no place in the frame");
            }
            if (!uniform.written) {
                slice.data().rewind();
                buffer.write(slice.data());
                slice.data().rewind();
                uniform.written = true;
            }
            return slice;
        }
    }
}
