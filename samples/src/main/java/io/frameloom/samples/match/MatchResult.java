package io.frameloom.samples.match;

import org.jspecify.annotations.Nullable;

/**
 * What was found in one file.
 *
 * @param bytes its bytes
 * @param brackets brackets in it
 * @param maximumDepth most brackets open at a time; a close of nothing does nothing
 * @param mismatches brackets without a partner of their kind, a pair of two kinds counting once
 * @param first the first close that is one of them, else the first open that is never closed
 */
record MatchResult(
        long bytes,
        long brackets,
        long maximumDepth,
        long mismatches,
        @Nullable Mismatch first) {}
