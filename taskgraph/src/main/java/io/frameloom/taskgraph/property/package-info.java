/** System properties that override options given in code. Internal, for all libraries of Frameloom. */
@NullMarked
package io.frameloom.taskgraph.property;

import org.jspecify.annotations.NullMarked;
