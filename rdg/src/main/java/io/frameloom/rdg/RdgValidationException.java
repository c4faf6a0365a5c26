package io.frameloom.rdg;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import java.util.List;

/** A declared graph cannot be compiled. Carries all its errors, not only the first. */
public final class RdgValidationException extends RdgException {
    private static final long serialVersionUID = 1L;

    private final transient List<RdgError> errors;

    /** Creates it for a graph. */
    public RdgValidationException(String graph, List<RdgError> errors) {
        super(describe(graph, errors));
        this.errors = List.copyOf(errors);
    }

    /** Returns every error, in order of declaration. */
    public List<RdgError> errors() {
        return errors;
    }

    private static String describe(String graph, List<RdgError> errors) {
        StringBuilder text = new StringBuilder("render graph '")
                .append(PrintableText.of(graph))
                .append("' has ")
                .append(Plural.of(errors.size(), "error"));
        for (RdgError error : errors) {
            text.append("\n  ").append(error);
        }
        return text.toString();
    }
}
