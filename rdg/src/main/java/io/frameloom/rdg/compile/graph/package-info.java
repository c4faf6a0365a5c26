/**
 * What the compiler knows of a graph: passes, resources, ranges, what each pass does to them, and the states that
 * follow.
 */
@NullMarked
package io.frameloom.rdg.compile.graph;

import org.jspecify.annotations.NullMarked;
