package io.frameloom.gpu;

import io.frameloom.taskgraph.TaskGraph;
import org.jspecify.annotations.Nullable;

/**
 * How a device is opened. Immutable.
 *
 * @param taskGraph the task graph whose events GPU completion completes
 * @param applicationName name told to the driver
 * @param validation whether the validation layer with synchronization validation is loaded; its messages are collected
 * @param observer sees every submission, or null
 */
public record DeviceOptions(
        TaskGraph taskGraph,
        String applicationName,
        boolean validation,
        @Nullable SubmissionObserver observer) {}
