package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.Resource;
import java.util.function.Supplier;

/** Takes the hazards that are found while a submission is judged. */
interface HazardSink {
    void add(HazardReport.Found found, Supplier<String> explanation);

    /** Takes a use that cannot be judged; a sink for hazards only ignores it. */
    default void undeclared(Resource resource, String pass, Supplier<String> explanation) {}
}
