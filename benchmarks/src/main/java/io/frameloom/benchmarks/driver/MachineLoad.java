package io.frameloom.benchmarks.driver;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How busy the machine is before anything is measured.
 *
 * @param average runnable threads of the last minute, negative where the system does not say
 * @param processors processors of the JVM
 */
public record MachineLoad(double average, int processors) {
    /** Share of the processors above which other programs take part in what is measured. */
    private static final double IDLE = 0.25;

    /** Returns the present load. */
    public static MachineLoad now() {
        return new MachineLoad(
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    /** Returns whether other programs are at work. */
    public boolean busy() {
        return average > processors * IDLE;
    }

    /** Returns one line on what the figures are worth. */
    public String words(boolean quick) {
        String load = average < 0
                ? ""
                : String.format(Locale.ROOT, "load average %.2f on %d processors", average, processors);
        String worth = busy() ? "other programs are at work, so the figures mean little" : "";
        String look = quick ? "--quick is a first look, no figures to publish" : "";
        return String.join(
                "; ",
                Stream.of(load, worth, look).filter(part -> !part.isEmpty()).toList());
    }
}
