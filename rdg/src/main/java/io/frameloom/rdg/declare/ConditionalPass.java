package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBody;
import java.util.function.BooleanSupplier;

/** The body of a pass that a frame leaves out where a condition does not hold; the body itself does not ask. */
public interface ConditionalPass extends PassBody {
    /** Returns the condition; passes with the same object are left out together. */
    BooleanSupplier condition();

    /** Returns what the pass does if it holds. */
    PassBody commands();
}
