package io.frameloom.stress.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.gpu.vulkan.pipeline.LinkedPipeline;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A pipeline is freed while its optimised form is linked: each form that was made is destroyed once (race 42). */
@JCStressTest
@Outcome(id = "0, 1, 0, 1", expect = ACCEPTABLE, desc = "freed before the link began")
@Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "freed while it was linked, or afterwards")
@Outcome(expect = FORBIDDEN, desc = "a form is left, destroyed twice, or destroyed while it is linked")
@State
public class OptimisationAgainstFreeStress {
    private static final long FAST = 1;
    private static final long OPTIMISED = 2;
    private static final int LONG = 20;

    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger fastGone = new AtomicInteger();
    private final AtomicInteger optimisedGone = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    /** Written by one actor, read by the arbiter. */
    private boolean endedEarly;

    private final LinkedPipeline pipeline =
            new LinkedPipeline(FAST, form -> (form == FAST ? fastGone : optimisedGone).incrementAndGet(), this::end);

    private void end() {
        ends.incrementAndGet();
    }

    private long link() {
        made.incrementAndGet();
        // A link takes longer than freeing does.
        for (int i = 0; i < LONG; i++) {
            Thread.onSpinWait();
        }
        // The end takes away what a link needs.
        endedEarly |= ends.get() > 0;
        return OPTIMISED;
    }

    /** Links it. */
    @Actor
    public void optimise() {
        pipeline.optimise(this::link);
    }

    /** Frees it. */
    @Actor
    public void free() {
        pipeline.free();
    }

    /** Counts what was made and destroyed. */
    @Arbiter
    public void count(IIII_Result result) {
        result.r1 = made.get();
        result.r2 = fastGone.get();
        result.r3 = optimisedGone.get();
        result.r4 = endedEarly ? -1 : ends.get();
    }
}
