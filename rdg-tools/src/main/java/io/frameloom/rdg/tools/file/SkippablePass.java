package io.frameloom.rdg.tools.file;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.declare.ConditionalPass;
import java.util.function.BooleanSupplier;

/**
 * A conditional pass of a file.
 *
 * @param condition the same for passes that share one
 * @param commands what it does, which a file does not say
 */
record SkippablePass(BooleanSupplier condition, PassBody commands) implements ConditionalPass {
    @Override
    public void record(PassContext context) {
        commands.record(context);
    }
}
