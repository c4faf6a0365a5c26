package io.frameloom.rdg.execute;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import java.util.List;

/** What a plan hands to those who execute it, and nobody else needs. Immutable; any thread. */
public interface PlanWork {
    /** Returns the plan. */
    FramePlan plan();

    /**
     * Returns what stands for all that the plan has in common with other plans of equal graphs: two plans with the same
     * object differ at most in names, bodies, uniform buffers, external resources and extractions.
     */
    Object shape();

    /** Returns the commands of a pass; those of a pass that the compiler added do nothing. */
    PassBody body(int pass);

    /** Returns the uniform buffers of the frame that a pass reads. */
    List<RdgUniformBuffer> uniforms(int pass);

    /** Returns the setup tasks that a pass is recorded behind. */
    List<RdgSetupTask> setups(int pass);

    /**
     * Returns where a pass was declared, as the end of a message; nothing unless {@link io.frameloom.rdg.RdgOptions#debug} was
     * on, and for passes that the compiler added.
     */
    String siteOf(FramePlan.PassPlan pass);

    /** Returns where a pass, one of its uses and what that uses were declared, each line once; nothing without debug. */
    List<String> sites(FramePlan.PassPlan pass, int use);
}
