/**
 * Runs a task graph under schedules that are chosen, recorded and repeatable. For tests.
 */
@NullMarked
package io.frameloom.taskgraph.deterministic;

import org.jspecify.annotations.NullMarked;
