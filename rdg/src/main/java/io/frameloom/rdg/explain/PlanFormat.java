package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import java.io.IOException;
import java.io.Writer;

/** Writes a plan as text beside its drawing. Found as a service, since the library itself knows no form for files. */
public interface PlanFormat {
    /**
     * Writes a plan.
     *
     * @throws IOException if the writer throws it
     */
    void write(FramePlan plan, Writer out) throws IOException;
}
