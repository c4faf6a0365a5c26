/** Events and tasks: what they wait for, how they complete, fail and go on to what is ready. */
@NullMarked
package io.frameloom.taskgraph.task;

import org.jspecify.annotations.NullMarked;
