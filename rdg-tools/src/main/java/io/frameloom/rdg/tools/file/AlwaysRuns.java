package io.frameloom.rdg.tools.file;

import java.util.function.BooleanSupplier;

/** A condition of a file, which does not say on what it depends: each object is one of its own. */
final class AlwaysRuns implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
        return true;
    }
}
