/**
 * Events of render graphs for the JDK Flight Recorder. Only a recording has to be switched on; an event that no
 * recording has enabled costs a branch.
 *
 * <table>
 *   <caption>Events</caption>
 *   <tr><th>name</th><th>what</th><th>unless the recording says otherwise</th></tr>
 *   <tr><td>{@code frameloom.rdg.Frame}</td><td>a frame from its launch to its completion</td><td>on</td></tr>
 *   <tr><td>{@code frameloom.rdg.Compile}</td><td>the compilation of a graph, or the reuse of a plan</td>
 *     <td>on</td></tr>
 *   <tr><td>{@code frameloom.rdg.Submission}</td><td>a batch was submitted</td><td>on</td></tr>
 *   <tr><td>{@code frameloom.rdg.HostPass}</td><td>a pass of the host ran</td><td>on</td></tr>
 *   <tr><td>{@code frameloom.rdg.RecordGroup}</td><td>a group of passes was recorded</td><td>off</td></tr>
 * </table>
 *
 * <p>Only this package needs the module {@code jdk.jfr}. An application on the module path says {@code requires
 * jdk.jfr}, or starts with {@code --add-modules jdk.jfr}. Without it there are no events.
 */
@NullMarked
package io.frameloom.rdg.jfr;

import org.jspecify.annotations.NullMarked;
