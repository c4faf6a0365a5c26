/**
 * Events of the task graph for the JDK Flight Recorder.
 *
 * <p>The only package that needs the module {@code jdk.jfr}, and only if it is used: an application on the
 * module path says {@code requires jdk.jfr}, one on the class path has nothing to do.
 */
@NullMarked
package io.frameloom.taskgraph.jfr;

import org.jspecify.annotations.NullMarked;
