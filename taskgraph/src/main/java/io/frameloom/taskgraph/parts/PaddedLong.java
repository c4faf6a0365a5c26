package io.frameloom.taskgraph.parts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The value between the pads. */
abstract class PaddedLongValue extends PaddedLongHead {
    volatile long value;
}

/**
 * A long that shares no cache line (nor the adjacent prefetched one) with anything else. The layout is
 * asserted by {@code PaddingTest}.
 *
 * <p>Every method may be called by any thread and is wait-free, except that {@link #cas} can fail.
 */
public final class PaddedLong extends PaddedLongValue {
    private static final VarHandle VALUE =
            Fields.handle(MethodHandles.lookup(), PaddedLongValue.class, "value", long.class);

    byte t00, t01, t02, t03, t04, t05, t06, t07, t08, t09, t0a, t0b, t0c, t0d, t0e, t0f;
    byte t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t1a, t1b, t1c, t1d, t1e, t1f;
    byte t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t2a, t2b, t2c, t2d, t2e, t2f;
    byte t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t3a, t3b, t3c, t3d, t3e, t3f;
    byte t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t4a, t4b, t4c, t4d, t4e, t4f;
    byte t50, t51, t52, t53, t54, t55, t56, t57, t58, t59, t5a, t5b, t5c, t5d, t5e, t5f;
    byte t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t6a, t6b, t6c, t6d, t6e, t6f;
    byte t70, t71, t72, t73, t74, t75, t76, t77, t78, t79, t7a, t7b, t7c, t7d, t7e, t7f;

    public PaddedLong(long initial) {
        VALUE.set((PaddedLongValue) this, initial);
    }

    /** Reads with volatile semantics. */
    public long valueVolatile() {
        return value;
    }

    /** Reads with opaque semantics. */
    public long valueOpaque() {
        return (long) VALUE.getOpaque((PaddedLongValue) this);
    }

    /** Writes with volatile semantics. */
    public void setVolatile(long v) {
        value = v;
    }

    /** Writes with release semantics. */
    public void setRelease(long v) {
        VALUE.setRelease((PaddedLongValue) this, v);
    }

    /** Compare-and-set with volatile semantics. Returns whether the value was the expected one. */
    public boolean cas(long expected, long desired) {
        return VALUE.compareAndSet((PaddedLongValue) this, expected, desired);
    }

    /** Adds with volatile semantics. Returns the value before. */
    public long getAndAdd(long delta) {
        return (long) VALUE.getAndAdd((PaddedLongValue) this, delta);
    }

    /** Sets bits with volatile semantics. */
    public void setBits(long bits) {
        VALUE.getAndBitwiseOr((PaddedLongValue) this, bits);
    }

    /** Clears bits with volatile semantics. */
    public void clearBits(long bits) {
        VALUE.getAndBitwiseAnd((PaddedLongValue) this, ~bits);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
