package io.frameloom.gpu;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.taskgraph.TaskGraph;
import org.jspecify.annotations.Nullable;

/**
 * How a device is opened. Immutable.
 *
 * @param taskGraph the task graph whose events GPU completion completes
 * @param applicationName name told to the driver
 * @param validation whether the validation layer with synchronization validation is loaded; its messages are collected
 * @param observer sees every submission, or null
 * @param programCache keeps compiled shaders and pipelines, or null; to be closed after the device
 */
public record DeviceOptions(
        TaskGraph taskGraph,
        String applicationName,
        boolean validation,
        @Nullable SubmissionObserver observer,
        @Nullable ProgramCache programCache) {

    /** Options without a program cache. */
    public DeviceOptions(
            TaskGraph taskGraph, String applicationName, boolean validation, @Nullable SubmissionObserver observer) {
        this(taskGraph, applicationName, validation, observer, null);
    }

    /**
     * As these, with an observer of every submission. With a {@link io.frameloom.gpu.check.HazardChecker} the
     * synchronisation of the program is judged, on any device.
     */
    public DeviceOptions withObserver(SubmissionObserver newObserver) {
        return new DeviceOptions(taskGraph, applicationName, validation, newObserver, programCache);
    }

    /** As these, with a program cache. */
    public DeviceOptions withProgramCache(ProgramCache cache) {
        return new DeviceOptions(taskGraph, applicationName, validation, observer, cache);
    }
}
