package io.frameloom.rdg.compile.validate;

import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;

/** What the validator finds in passes, with and without the quick look. */
public final class PassErrors {
    private PassErrors() {}

    /** Returns the errors if every pass is checked in full. */
    public static List<String> ofAll(DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors) {
        Validator validator = new Validator(graph, order, queues, mostColors);
        validator.checkPasses(pass -> true);
        return words(validator);
    }

    /** Returns the errors if only passes that may be wrong are checked in full. */
    public static List<String> ofSuspects(DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors) {
        Validator validator = new Validator(graph, order, queues, mostColors);
        validator.checkPasses(new SoundPasses(graph, order, queues, mostColors)::mayBeWrong);
        return words(validator);
    }

    /** Returns whether a pass is checked in full. */
    public static boolean isSuspect(DeclaredGraph graph, int pass) {
        return new SoundPasses(graph, PassOrder.DECLARED, QueueTopology.single(), 8).mayBeWrong(pass);
    }

    private static List<String> words(Validator validator) {
        return validator.errors().stream().map(RdgError::toString).toList();
    }
}
