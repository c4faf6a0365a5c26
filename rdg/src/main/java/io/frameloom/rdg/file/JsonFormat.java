package io.frameloom.rdg.file;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanJson;
import io.frameloom.rdg.explain.PlanFormat;
import java.io.IOException;
import java.io.Writer;

/** Writes dumps of plans as JSON. */
public final class JsonFormat implements PlanFormat {
    @Override
    public void write(FramePlan plan, Writer out) throws IOException {
        PlanJson.write(plan, out);
    }
}
