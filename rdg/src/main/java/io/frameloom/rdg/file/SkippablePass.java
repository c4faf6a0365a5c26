package io.frameloom.rdg.file;

import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.execute.ConditionalPass;
import java.util.function.BooleanSupplier;

/** A conditional pass of a file, which does not say what it records. */
record SkippablePass(BooleanSupplier condition) implements ConditionalPass {
    @Override
    public void record(PassContext context) {}
}
