package io.frameloom.gpu.check;

import java.util.function.Supplier;

/** Takes the hazards that are found while a submission is judged. */
interface HazardSink {
    void add(Hazard.Kind kind, String resource, String firstPass, String secondPass, Supplier<String> explanation);
}
