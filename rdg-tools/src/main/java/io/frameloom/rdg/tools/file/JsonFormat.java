package io.frameloom.rdg.tools.file;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.explain.PlanFormat;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.Writer;

/** Writes dumps of plans as JSON. */
public final class JsonFormat implements PlanFormat {
    @Override
    public void write(FramePlan plan, Writer out) throws IOException {
        PlanJson.write(plan, out);
    }
}
