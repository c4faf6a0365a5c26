package io.frameloom.rdg.file;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.execute.ConditionalPass;
import java.util.function.BooleanSupplier;

/** A conditional pass of a file, which says neither what it records nor on what that depends: no two agree. */
final class SkippablePass implements ConditionalPass, BooleanSupplier {
    private final PassBody commands;

    /** A pass with commands that do nothing. */
    SkippablePass(PassBody commands) {
        this.commands = commands;
    }

    @Override
    public BooleanSupplier condition() {
        return this;
    }

    @Override
    public boolean getAsBoolean() {
        return true;
    }

    @Override
    public PassBody commands() {
        return commands;
    }

    @Override
    public void record(PassContext context) {
        commands.record(context);
    }
}
