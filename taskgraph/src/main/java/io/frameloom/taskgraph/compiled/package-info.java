/** The engine of compiled graphs: plans and their runs. */
@NullMarked
package io.frameloom.taskgraph.compiled;

import org.jspecify.annotations.NullMarked;
