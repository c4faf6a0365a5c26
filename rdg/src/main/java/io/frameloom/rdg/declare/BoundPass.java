package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of a declared pass is bound to a plan for one frame. */
public interface BoundPass {
    /** Returns the body, or null if it has none. */
    @Nullable
    PassBody body();

    /** Returns the uniform buffers that it reads. */
    List<RdgUniformBuffer> uniforms();

    /** Returns the setup tasks that it is recorded after. */
    List<RdgSetupTask> setups();

    /** Returns where it was declared, null if that is not kept. */
    @Nullable
    String site();

    /** Returns its uses. */
    List<DeclaredGraph.Use> uses();
}
