package io.frameloom.samples.match;

import org.jspecify.annotations.Nullable;

/**
 * What did the matching of a run, and how long it took.
 *
 * @param device its name, or null if there was nothing to match, for which no device is opened
 * @param nanos of the whole, in nanoseconds
 * @param deviceNanos as the host of the device sees it
 */
record MatchWork(@Nullable String device, long nanos, long deviceNanos) {
    static final MatchWork NONE = new MatchWork(null, 0, 0);
}
